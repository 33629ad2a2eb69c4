package reevo

import (
	"cmp"
	"context"
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// ReEvo is Reflective Evolution. A value is its configuration.
type ReEvo struct {
	// Population is the number of programs kept, of registrations in a generation, and of
	// crossovers in a lane's block; 20 in the PACE paper (appendix, baseline settings).
	Population int `json:"population"`
	// Window is the number of proposals in flight. Each lane of it is a sampler with reflections of
	// its own, so another window is another search; 4, the paper's "samplers".
	Window int `json:"window"`
	// MutationRate gives the mutations of a block, as a share of Population rounded down; 0.5
	// (LLM4AD llm4ad/method/reevo/reevo.py:50). With no mutations there is no long-term reflection.
	MutationRate float64 `json:"mutation-rate"`
	// Hints is the number of newest short-term reflections that a long-term one reads; 5 (LLM4AD
	// llm4ad/method/reevo/reevo.py:90).
	Hints int `json:"hints"`
	// DistinctParents draws the second parent again, up to 1000 times, while it is the first;
	// false, as in the port.
	DistinctParents bool `json:"distinct-parents"`
	// EliteFromAll lets mutations start from the best program so far although it still waits in the
	// buffer; false, as in the port.
	EliteFromAll bool `json:"elite-from-all"`
	// SystemRole sends the role as a system message, as the official code does; false, as in the
	// port: it is the first paragraph of the user message.
	SystemRole bool `json:"system-role"`
	ask.Settings
}

// New returns ReEvo with the settings of the PACE paper.
func New() *ReEvo {
	return &ReEvo{Population: 20, Window: 4, MutationRate: 0.5, Hints: 5,
		Settings: ask.Default()}
}

var (
	_ bench.Method  = (*ReEvo)(nil)
	_ bench.Checker = (*ReEvo)(nil)
)

// Name is "reevo".
func (m *ReEvo) Name() string { return "reevo" }

// Label says how tables and figures show it.
func (m *ReEvo) Label() bench.Label { return bench.Label{Title: "ReEvo", Style: 3} }

// maxWindow bounds the lanes, each of which has a stream of random numbers; ours.
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

// population is ReEvo's: individuals wait until there are as many as the population holds.
type population = pop.Population[Candidate]

// Run searches until the budget is spent, or ends early when hardly any of the first programs run.
func (m *ReEvo) Run(ctx context.Context, s *bench.Search) error {
	p := pop.New[Candidate](m.Population, m.Population)
	if ok, err := m.initialise(ctx, s, p); err != nil || !ok {
		return err
	}
	return m.evolve(ctx, s, p)
}

// initialise asks for improvements of the template until as many programs are registered as the
// population holds. The port would go on for ever where nothing runs (LLM4AD
// llm4ad/method/reevo/reevo.py:246-261); here ten times as many evaluations with fewer than two
// different scores end the search (design decision R1).
func (m *ReEvo) initialise(ctx context.Context, s *bench.Search, p *population) (bool, error) {
	ok := true
	for child, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[Candidate] {
		if p.Generation() > 0 {
			return nil
		}
		if ok = s.Evaluations() < 10*m.Population || finite(p) >= 2; !ok {
			return nil
		}
		return m.improve(s.Problem())
	}) {
		if err != nil {
			return false, err
		}
		register(s, p, child)
	}
	if !ok {
		s.Note(Failure{Reason: "initialisation failed", Members: finite(p)})
	}
	return ok, nil
}

// finite counts the programs in the buffer that selection could draw.
func finite(p *population) int {
	n := 0
	for _, x := range p.Waiting() {
		if x.Fitness != pop.None {
			n++
		}
	}
	return n
}

// evolve is the port's loop of one sampler (llm4ad/method/reevo/reevo.py:155-238) for every lane of
// the window. Lane l makes the proposals l, l+window, l+2·window, …, and results come in that order
// too.
func (m *ReEvo) evolve(ctx context.Context, s *bench.Search, p *population) error {
	lanes := m.lanes(s)
	proposed, committed := 0, 0
	for t, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[turn] {
		if len(p.Ranked()) == 0 {
			return nil // only where the limit on requests ended the initialisation
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
		register(s, p, t.child)
		m.advance(lanes[committed%m.Window], t)
		committed++
	}
	return nil
}
