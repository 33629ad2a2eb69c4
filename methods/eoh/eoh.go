// Package eoh implements Evolution of Heuristics (Liu et al., ICML 2024): five prompts vary a
// population of programs and their one-sentence ideas. It follows the port in LLM4AD
// (llm4ad/method/eoh at e8d848f) that the PACE paper ran, with that paper's baseline settings;
// docs/methods/eoh.md lists the differences and their reasons. Start at EoH and New.
package eoh

import (
	"cmp"
	"context"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// EoH is a configuration of Evolution of Heuristics.
type EoH struct {
	// Population is the number of survivors, and of registrations in a generation; 20 in the PACE
	// paper (appendix, baseline settings).
	Population int `json:"population"`
	// Window is the number of proposals in flight. Each lane of the window goes through the cycle
	// of operators independently; 4, the paper's "samplers".
	Window int `json:"window"`
	// Parents is the number of parents of e1 and e2; 2 (LLM4AD llm4ad/method/eoh/eoh.py:52).
	Parents int `json:"parents"`
	// DistinctParents draws the parents of e1 and e2 without replacement; false, as in the port.
	DistinctParents bool `json:"distinct-parents"`
	ask.Parsing
}

// New returns EoH with the settings of the PACE paper.
func New() *EoH {
	return &EoH{Population: 20, Window: 4, Parents: 2, Parsing: ask.Shared()}
}

// Name is "eoh".
func (m *EoH) Name() string { return "eoh" }

// Label describes the method for tables and figures.
func (m *EoH) Label() bench.Label { return bench.Label{Title: "EoH", Style: 2} }

// Check reports the first setting that cannot be used.
func (m *EoH) Check() error {
	return cmp.Or(
		ask.AtLeast("population", m.Population, 1, "programs"),
		ask.AtLeast("window", m.Window, 1, "proposals in flight"),
		ask.AtLeast("parents", m.Parents, 1),
		m.Parsing.Check(),
	)
}

// Notes returns the types of EoH's notes in the journal.
func (m *EoH) Notes() []note.Note {
	return []note.Note{note.Offspring{}, note.Survivors{}, note.Failure{}}
}

// Parts returns the operators that are used after the initialisation.
func (m *EoH) Parts() []note.Part { return note.Operators("e1", "e2", "m1", "m2") }

// Run searches until the budget is spent. It ends early if the first population has fewer members
// than e1 and e2 need as parents.
func (m *EoH) Run(ctx context.Context, s *bench.Search) error {
	p := evolve.New(s, m.Population)
	// i1 fills the first population, or gives up after 2·Population evaluations (LLM4AD
	// llm4ad/method/eoh/eoh.py:122-125).
	if err := p.Breed(ctx, m.Window, func() bench.Job[*evolve.Candidate] {
		if p.Generation() > 0 || s.Evaluations() >= 2*m.Population {
			return nil
		}
		return m.offspring(s.Problem(), i1, nil)
	}); err != nil {
		return err
	}
	// Add the proposals that were in flight when the population was full, or all programs if i1
	// gave up (LLM4AD llm4ad/method/eoh/eoh.py:308).
	p.Survive()
	p.Note()
	if members := len(p.Survivors()); members < m.Parents {
		s.Note(note.Failure{Reason: "initialisation failed", Members: members})
		return nil
	}
	// Lane l of the window makes the proposals l, l+window, l+2·window, …. Every lane begins at e1
	// and goes through the cycle in order, independently of the replies.
	selection, proposals := s.Rand("selection"), 0
	return p.Breed(ctx, m.Window, func() bench.Job[*evolve.Candidate] {
		op := cycle[proposals/m.Window%len(cycle)]
		proposals++
		return m.offspring(s.Problem(), op, m.parents(selection, p.Population, op))
	})
}

// parents draws an operator's parents by rank (LLM4AD llm4ad/method/eoh/population.py:80-86), in
// the order in which prompts show them. The draws are independent, so a parent may occur twice
// unless DistinctParents is set.
func (m *EoH) parents(
	r *rand.Rand, p *pop.Population[evolve.Candidate], op evolve.Operator,
) []evolve.Candidate {
	n := 1
	if op.Pairs {
		n = m.Parents
	}
	law := func(ranks int) []float64 { return pop.Weights(ranks, 0) }
	return p.Select(r, n, law, m.DistinctParents)
}

// offspring sends an operator's prompt with its parents, and evaluates the program in the reply.
func (m *EoH) offspring(
	problem bench.Problem, op evolve.Operator, parents []evolve.Candidate,
) bench.Job[*evolve.Candidate] {
	return func(ctx context.Context, st *bench.Step) (*evolve.Candidate, error) {
		r := llm.Request{Purpose: op.Purpose(), User: llm.Text(buildPrompt(op, problem, parents))}
		c, _, err := evolve.Try(ctx, st, m.Settings, problem, r,
			program.Extraction{Mode: m.Parser}, parents...)
		return c, err
	}
}
