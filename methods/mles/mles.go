package mles

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// A Unit is what the budget counts.
type Unit string

const (
	Calls       Unit = "calls"       // LLM requests, and evaluations: whichever is spent first
	Evaluations Unit = "evaluations" // evaluations, as for all other methods
)

// Records says whether the records beside a picture are shown, where a task has some.
type Records string

const (
	RecordsText Records = "text" // as a text behind the picture
	RecordsNone Records = "none"
)

// MLES is multimodal LLM-assisted evolutionary search. A value is its configuration.
type MLES struct {
	// Population is the number of programs kept and of registrations in a generation; 16 in the
	// PACE paper (appendix, MLES).
	Population int `json:"population"`
	// Parents is the number of parents of e1 and e2; 2, the paper's.
	Parents int `json:"parents"`
	// Window is the number of proposals in flight, each lane of which runs through the operators by
	// itself; 8, the paper's "samplers".
	Window int `json:"window"`
	// InitCap ends the initialisation once more evaluations were charged; 0: only the budget does.
	// The reference has 50 (LLM4AD llm4ad/method/mles/mles.py:63), and gives up on 15 good
	// programs.
	InitCap int `json:"init-cap"`
	// Unit is what the budget counts; calls, which the paper states for MLES. It also states the
	// evaluations of all methods: the control table has both as rows.
	Unit Unit `json:"unit"`
	// Records is whether the records of an episode follow its picture; text. The paper names them
	// for Bipedal Walker, and not where they stand.
	Records Records `json:"records"`
	ask.Parsing
}

// New returns MLES with the settings of the PACE paper.
func New() *MLES {
	return &MLES{
		Population: 16, Parents: 2, Window: 8, Unit: Calls, Records: RecordsText,
		Parsing: ask.Shared(),
	}
}

var (
	_ bench.Method    = (*MLES)(nil)
	_ bench.Checker   = (*MLES)(nil)
	_ bench.Observer  = (*MLES)(nil)
	_ bench.Requester = (*MLES)(nil)
)

// Name is "mles".
func (m *MLES) Name() string { return "mles" }

// Label says how tables and figures show it.
func (m *MLES) Label() bench.Label {
	return bench.Label{Title: "MLES (cold)", Style: 6, Variants: []bench.Variant{
		{Name: "unit=evaluations", Title: "by evaluations", Main: true},
	}}
}

// Observes says that MLES needs the evidence of every evaluation, pictures first.
func (m *MLES) Observes() bool { return true }

// Requests is the budget itself where calls are what it counts.
func (m *MLES) Requests(evaluations int) int {
	if m.Unit == Calls {
		return evaluations
	}
	return 0
}

// Check reports the first setting that cannot be used.
func (m *MLES) Check() error {
	var initCap error
	if m.InitCap < 0 {
		initCap = fmt.Errorf("init-cap: %d evaluations, want at least 1, or 0 for none", m.InitCap)
	}
	return cmp.Or(
		ask.AtLeast("population", m.Population, 1, "programs"),
		ask.AtLeast("parents", m.Parents, 1),
		ask.AtLeast("window", m.Window, 1, "proposals in flight"),
		initCap,
		ask.OneOf("unit", m.Unit, Calls, Evaluations),
		ask.OneOf("records", m.Records, RecordsText, RecordsNone),
		m.Parsing.Check(),
	)
}

// population is EoH's: individuals wait until there are as many as the population holds.
type population = pop.Population[Candidate]

// Run searches until the budget is spent, or ends early when the initialisation leaves fewer
// programs with different scores than e1 and e2 take parents.
func (m *MLES) Run(ctx context.Context, s *bench.Search) error {
	p := pop.New[Candidate](m.Population, m.Population)
	if err := m.initialise(ctx, s, p); err != nil {
		return err
	}
	if p.Generation() == 0 { // ended by the cap or the budget: what is there is promoted
		p.Survive()
		if members := len(p.Ranked()); members < m.Parents {
			reason := "initialisation failed"
			if members == 0 {
				reason = "no valid program"
			}
			s.Note(Failure{Reason: reason, Members: members})
			return nil
		}
		notePopulation(s, p)
	}
	return m.evolve(ctx, s, p)
}

// initialise asks for programs by I1 until the buffer has filled the first population. What is in
// flight then waits in the buffer (LLM4AD llm4ad/method/mles/mles.py:533-557).
func (m *MLES) initialise(ctx context.Context, s *bench.Search, p *population) error {
	for child, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[Candidate] {
		if p.Generation() > 0 || m.InitCap > 0 && s.Evaluations() > m.InitCap {
			return nil
		}
		return m.offspring(s.Problem(), initial, nil)
	}) {
		if err != nil {
			return err
		}
		register(s, p, child)
	}
	return nil
}

// evolve runs the operators until the budget is spent. Lane l of the window holds the proposals
// l, l+window, l+2·window, …; it begins at the operator l mod 4 and goes through the cycle in
// order, whatever becomes of its replies (LLM4AD llm4ad/method/mles/mles.py:264-531).
func (m *MLES) evolve(ctx context.Context, s *bench.Search, p *population) error {
	selection, proposals := s.Rand("selection"), 0
	for child, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[Candidate] {
		op := cycle[(proposals%m.Window+proposals/m.Window)%len(cycle)]
		proposals++
		parents := 1
		if !op.sees {
			parents = m.Parents
		}
		return m.offspring(s.Problem(), op, selectParents(selection, p, parents))
	}) {
		if err != nil {
			return err
		}
		register(s, p, child)
	}
	return nil
}

// pressure is that of selection: a rank is e^-pressure times as likely as the one before it (LLM4AD
// llm4ad/method/mles/population.py:130).
const pressure = 0.5

// selectParents draws parents by rank, different ones where there are as many, in the order in
// which prompts show them (LLM4AD llm4ad/method/mles/population.py:130-173).
func selectParents(r *rand.Rand, p *population, n int) []Candidate {
	law := func(ranks int) []float64 { return pop.Exponential(ranks, pressure) }
	return p.Select(r, n, law, len(p.Ranked()) >= n)
}
