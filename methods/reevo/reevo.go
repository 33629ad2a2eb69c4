// Package reevo implements Reflective Evolution (Ye et al., NeurIPS 2024): before each crossover
// the model compares two parents and writes a short hint for the child. Before each block of
// mutations, the model condenses the newest hints into a longer hint, which guides the mutations of
// the best program. The package follows the port in LLM4AD (llm4ad/method/reevo at e8d848f) that
// the PACE paper ran, with that paper's baseline settings; docs/methods/reevo.md lists the
// differences and their reasons. Start at ReEvo and New.
package reevo

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/record/note"
)

// ReEvo is a configuration of Reflective Evolution.
type ReEvo struct {
	// Population is the number of survivors, of registrations in a generation, and of crossovers in
	// a lane's block; 20 in the PACE paper (appendix, baseline settings).
	Population int `json:"population"`
	// Window is the number of proposals in flight. Each lane of the window is a sampler with its
	// own reflections, so a different window gives a different search; 4, the paper's "samplers".
	Window int `json:"window"`
	// MutationRate times Population, rounded down, is the number of mutations in a block; 0.5
	// (LLM4AD llm4ad/method/reevo/reevo.py:50). Without mutations there is no long-term reflection.
	MutationRate float64 `json:"mutation-rate"`
	// Hints is the number of newest short-term reflections that a long-term reflection condenses; 5
	// (LLM4AD llm4ad/method/reevo/reevo.py:90).
	Hints int `json:"hints"`
	// DistinctParents draws the second parent again, up to 1000 times, while it equals the first;
	// false, as in the port.
	DistinctParents bool `json:"distinct-parents"`
	// EliteFromAll lets mutations start from the best program so far even if it still waits in the
	// buffer; false, as in the port.
	EliteFromAll bool `json:"elite-from-all"`
	// SystemRole sends the role as a system message, as the official code does; false: the role is
	// the first paragraph of the user message, as in the port.
	SystemRole bool `json:"system-role"`
	ask.Settings
}

// New returns ReEvo with the settings of the PACE paper.
func New() *ReEvo {
	return &ReEvo{Population: 20, Window: 4, MutationRate: 0.5, Hints: 5,
		Settings: ask.Default()}
}

// Name is "reevo".
func (m *ReEvo) Name() string { return "reevo" }

// Label describes the method for tables and figures.
func (m *ReEvo) Label() bench.Label { return bench.Label{Title: "ReEvo", Style: 3} }

// maxWindow bounds the lanes, each of which has a stream of random numbers.
const maxWindow = 1000

// Check reports the first setting that cannot be used.
func (m *ReEvo) Check() error {
	var lanes error
	if m.Window > maxWindow {
		lanes = fmt.Errorf("window: %d proposals in flight, want at most %d", m.Window, maxWindow)
	}
	return cmp.Or(
		ask.AtLeast("population", m.Population, 1, "programs"),
		ask.AtLeast("window", m.Window, 1, "proposals in flight"),
		lanes,
		ask.Within("mutation-rate", m.MutationRate, 1),
		ask.AtLeast("hints", m.Hints, 1),
		m.Settings.Check(),
	)
}

// Notes returns the types of ReEvo's notes in the journal. If a crossover lists the same program as
// both parents, the program was drawn twice.
func (m *ReEvo) Notes() []note.Note {
	return []note.Note{note.Offspring{}, EmptyReflection{}, note.Survivors{}, note.Failure{}}
}

// Parts returns the operators, and the reflections that guide them.
func (m *ReEvo) Parts() []note.Part {
	short := note.Part{Title: "the short-term reflection", Purpose: "reflection/short"}
	parts := append(note.Operators("crossover"), short)
	if int(m.MutationRate*float64(m.Population)) == 0 {
		return parts
	}
	long := note.Part{Title: "the long-term reflection", Purpose: "reflection/long"}
	return append(append(parts, note.Operators("mutation")...), long)
}

// EmptyReflection records a reflection without any text.
type EmptyReflection struct {
	Which string `json:"kind"` // short or long
}

// Kind is "empty-reflection".
func (EmptyReflection) Kind() string { return "empty-reflection" }

// Run searches until the budget is spent. It ends early if the initialisation fails.
func (m *ReEvo) Run(ctx context.Context, s *bench.Search) error {
	p := evolve.New(s, m.Population)
	if ok, err := m.initialise(ctx, s, p); err != nil || !ok {
		return err
	}
	return m.evolve(ctx, s, p)
}

// initialise asks for improvements of the template until the population is full. If no program
// runs, the port never ends (LLM4AD llm4ad/method/reevo/reevo.py:246-261); here the search ends if
// 10 × Population evaluations give fewer than two different scores (design decision R1).
func (m *ReEvo) initialise(
	ctx context.Context, s *bench.Search, p *evolve.Population,
) (bool, error) {
	finite := func() int { // programs in the buffer that selection could draw
		n := 0
		for _, x := range p.Waiting() {
			if x.Fitness != pop.None {
				n++
			}
		}
		return n
	}
	ok := true
	err := p.Breed(ctx, m.Window, func() bench.Job[*evolve.Candidate] {
		if p.Generation() > 0 {
			return nil
		}
		if ok = s.Evaluations() < 10*m.Population || finite() >= 2; !ok {
			return nil
		}
		return m.improve(s.Problem())
	})
	if err == nil && !ok {
		s.Note(note.Failure{Reason: "initialisation failed", Members: finite()})
	}
	return ok, err
}

// evolve runs the loop of a sampler in the port (llm4ad/method/reevo/reevo.py:155-238) in every
// lane of the window. Lane l makes the proposals l, l+window, l+2·window, …. Results come in the
// order of the proposals.
func (m *ReEvo) evolve(ctx context.Context, s *bench.Search, p *evolve.Population) error {
	lanes := m.lanes(s)
	proposed, committed := 0, 0
	for t, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[turn] {
		if len(p.Ranked()) == 0 {
			return nil // only if the limit on requests ended the initialisation
		}
		l := lanes[proposed%m.Window]
		proposed++
		if l.mutations > 0 {
			return m.mutate(s.Problem(), m.elite(p), l.due, l.long)
		}
		worse, better := m.parents(l.selection, p)
		return m.cross(s.Problem(), worse, better)
	}) {
		if err != nil {
			return err
		}
		p.Enter(t.child)
		m.advance(lanes[committed%m.Window], t)
		committed++
	}
	return nil
}

// mostRedraws bounds the search for a different second parent. The official code gives up after the
// same number of trials (ai4co/reevo at 1f080bf, reevo.py:302-323).
const mostRedraws = 1000

// parents draws two survivors by rank, independently, and puts the worse first. Both may be the
// same program unless DistinctParents is set (LLM4AD llm4ad/method/reevo/population.py:85-91).
func (m *ReEvo) parents(
	r *rand.Rand, p *evolve.Population,
) (worse, better evolve.Candidate) {
	ranked := p.Ranked()
	weights := pop.Weights(len(ranked), 0)
	i, j := pop.Draw(r, weights), pop.Draw(r, weights)
	for n := 0; m.DistinctParents && i == j && n < mostRedraws; n++ {
		j = pop.Draw(r, weights)
	}
	// Fitness falls with the rank, and no two values are equal.
	return ranked[max(i, j)].Value, ranked[min(i, j)].Value
}

// elite returns the best survivor. Newer programs in the buffer count only with EliteFromAll
// (LLM4AD llm4ad/method/reevo/population.py:39-41).
func (m *ReEvo) elite(p *evolve.Population) evolve.Candidate {
	best := p.Ranked()[0]
	if m.EliteFromAll {
		for _, x := range p.Waiting() {
			if x.Fitness > best.Fitness {
				best = x
			}
		}
	}
	return best.Value
}
