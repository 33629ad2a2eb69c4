package eoh

import (
	"cmp"
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// EoH is Evolution of Heuristics. A value is its configuration.
type EoH struct {
	// Population is the number of programs kept and of registrations in a generation; 20 in the
	// PACE paper (appendix, baseline settings).
	Population int `json:"population"`
	// Window is the number of proposals in flight, each lane of which runs through the operators by
	// itself; 4, the paper's "samplers".
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

var (
	_ bench.Method  = (*EoH)(nil)
	_ bench.Checker = (*EoH)(nil)
)

// Name is "eoh".
func (m *EoH) Name() string { return "eoh" }

// Label says how tables and figures show it.
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

// population is EoH's: individuals wait until there are as many as the population holds.
type population = pop.Population[Candidate]

// Run searches until the budget is spent, or ends early when the first population has fewer
// members than e1 and e2 take parents.
func (m *EoH) Run(ctx context.Context, s *bench.Search) error {
	p := pop.New[Candidate](m.Population, m.Population)
	if err := m.initialise(ctx, s, p); err != nil {
		return err
	}
	// The proposals that were in flight when the population was full, or all there is when the cap
	// was hit (LLM4AD llm4ad/method/eoh/eoh.py:308).
	p.Survive()
	notePopulation(s, p)
	if members := len(p.Survivors()); members < m.Parents {
		s.Note(Failure{Reason: "initialisation failed", Members: members})
		return nil
	}
	return m.evolve(ctx, s, p)
}

// initialise asks for programs by i1 until the buffer has filled the first population, or
// twice as many evaluations are spent (LLM4AD llm4ad/method/eoh/eoh.py:122-125).
func (m *EoH) initialise(ctx context.Context, s *bench.Search, p *population) error {
	for child, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[Candidate] {
		if p.Generation() > 0 || s.Evaluations() >= 2*m.Population {
			return nil
		}
		return m.offspring(s.Problem(), i1, nil)
	}) {
		if err != nil {
			return err
		}
		register(s, p, child)
	}
	return nil
}

// evolve runs the operators until the budget is spent. Lane l of the window holds the proposals
// l, l+window, l+2·window, …, and every lane begins at e1 and goes through the cycle in order,
// whatever becomes of its replies.
func (m *EoH) evolve(ctx context.Context, s *bench.Search, p *population) error {
	selection, proposals := s.Rand("selection"), 0
	for child, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[Candidate] {
		op := cycle[proposals/m.Window%len(cycle)]
		proposals++
		return m.offspring(s.Problem(), op, m.parents(selection, p, op))
	}) {
		if err != nil {
			return err
		}
		register(s, p, child)
	}
	return nil
}
