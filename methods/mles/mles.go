// Package mles implements MLES with a cold start (Hu et al., ICLR 2026): EoH with pictures. Two of
// its four operators show the model a picture of the parent's behaviour. It follows
// llm4ad/method/mles of LLM4AD at e8d848f, which the PACE paper ran, with the settings in that
// paper's appendix; docs/methods/mles.md lists the differences and their reasons. Start at MLES and
// New.
package mles

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// A Unit is the unit of the budget.
type Unit string

const (
	Calls       Unit = "calls"       // LLM requests or evaluations, whichever are spent first
	Evaluations Unit = "evaluations" // evaluations, as for all other methods
)

// Records decides whether prompts show the records that come with a picture.
type Records string

const (
	RecordsText Records = "text" // as a text after the picture
	RecordsNone Records = "none"
)

// MLES is a configuration of multimodal LLM-assisted evolutionary search.
type MLES struct {
	// Population is the number of survivors, and of registrations in a generation; 16 in the PACE
	// paper (appendix, MLES).
	Population int `json:"population"`
	// Parents is the number of parents of e1 and e2; 2, as in the paper.
	Parents int `json:"parents"`
	// Window is the number of proposals in flight. Each lane of the window goes through the cycle
	// of operators independently; 8, the paper's "samplers".
	Window int `json:"window"`
	// InitCap ends the initialisation after more evaluations than this; 0: no cap.
	// The reference has 50 (LLM4AD llm4ad/method/mles/mles.py:63), and then gives up if fewer than
	// Population programs have run.
	InitCap int `json:"init-cap"`
	// Unit is the unit of the budget; calls, as the paper states for MLES. The paper also gives all
	// methods the same number of evaluations, so the control table has a row for each unit.
	Unit Unit `json:"unit"`
	// Records adds the records of an episode after its picture; text. The paper mentions the
	// records of Bipedal Walker, but not their position.
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

// Name is "mles".
func (m *MLES) Name() string { return "mles" }

// Label describes the method for tables and figures.
func (m *MLES) Label() bench.Label {
	return bench.Label{Title: "MLES (cold)", Style: 6, Variants: []bench.Variant{
		{Name: "unit=evaluations", Title: "by evaluations", Main: true},
	}}
}

// Observes reports that MLES needs the evidence of every evaluation.
func (m *MLES) Observes() bool { return true }

// Requests returns the budget if Unit is Calls, otherwise 0.
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

// Notes returns the types of MLES's notes in the journal.
func (m *MLES) Notes() []note.Note {
	return []note.Note{note.Offspring{}, note.Survivors{}, Demoted{}, note.Failure{}}
}

// Parts returns the operators that are used after the initialisation.
func (m *MLES) Parts() []note.Part { return note.Operators("e1", "e2", "m1_M", "m2_M") }

// Demoted records a program with a score that had the text or the score of an earlier program when
// it was registered. The program cannot be a parent. Its evaluation in the journal keeps its score.
type Demoted struct {
	Program   int  `json:"program"`
	Duplicate bool `json:"duplicate"`
}

// Kind is "demoted".
func (Demoted) Kind() string { return "demoted" }

// Run searches until the budget is spent. It ends early if the initialisation ends before the
// population is full, with fewer programs with different scores than e1 and e2 need as parents.
func (m *MLES) Run(ctx context.Context, s *bench.Search) error {
	p := evolve.New(s, m.Population)
	p.Demoted = func(c evolve.Candidate) { s.Note(Demoted{Program: c.ID, Duplicate: true}) }
	// I1 fills the first population. The proposals in flight then wait in the buffer (LLM4AD
	// llm4ad/method/mles/mles.py:533-557).
	if err := p.Breed(ctx, m.Window, func() bench.Job[*evolve.Candidate] {
		if p.Generation() > 0 || m.InitCap > 0 && s.Evaluations() > m.InitCap {
			return nil
		}
		return m.offspring(s.Problem(), initial, nil)
	}); err != nil {
		return err
	}
	if p.Generation() == 0 { // the cap or the budget was reached: the programs so far survive
		p.Survive()
		if members := len(p.Ranked()); members < m.Parents {
			reason := "initialisation failed"
			if members == 0 {
				reason = "no valid program"
			}
			s.Note(note.Failure{Reason: reason, Members: members})
			return nil
		}
		p.Note()
	}
	// Lane l of the window makes the proposals l, l+window, l+2·window, …. It begins at operator l
	// mod 4 and goes through the cycle in order, independently of the replies (LLM4AD
	// llm4ad/method/mles/mles.py:264-531).
	selection, proposals := s.Rand("selection"), 0
	return p.Breed(ctx, m.Window, func() bench.Job[*evolve.Candidate] {
		op := cycle[(proposals%m.Window+proposals/m.Window)%len(cycle)]
		proposals++
		parents := 1
		if op.Pairs {
			parents = m.Parents
		}
		return m.offspring(s.Problem(), op, selectParents(selection, p.Population, parents))
	})
}

// pressure is the selection pressure: a rank is e^-pressure times as likely as the previous one
// (LLM4AD llm4ad/method/mles/population.py:130).
const pressure = 0.5

// selectParents draws parents by rank, different ones if possible, in the order in which prompts
// show them (LLM4AD llm4ad/method/mles/population.py:130-173).
func selectParents(
	r *rand.Rand, p *pop.Population[evolve.Candidate], n int,
) []evolve.Candidate {
	law := func(ranks int) []float64 { return pop.Exponential(ranks, pressure) }
	return p.Select(r, n, law, len(p.Ranked()) >= n)
}

// offspring sends an operator's prompt with its parents, and evaluates the program in the reply. It
// keeps the first picture and the first text of the evidence. A program with a score must have a
// picture: MLES needs a task with pictures.
func (m *MLES) offspring(
	problem bench.Problem, op evolve.Operator, parents []evolve.Candidate,
) bench.Job[*evolve.Candidate] {
	return func(ctx context.Context, st *bench.Step) (*evolve.Candidate, error) {
		c, out, err := evolve.Try(ctx, st, m.Settings, problem,
			llm.Request{Purpose: op.Purpose(), User: m.parts(op, problem, parents)},
			program.Extraction{Mode: m.Parser, Analysed: op.Sees}, parents...)
		if c == nil || err != nil || !out.OK() {
			return c, err
		}
		for _, b := range out.Evidence {
			switch {
			case b.IsPicture() && c.Picture == nil:
				c.Picture = &llm.Image{MediaType: b.MediaType, Digest: b.Digest, Data: b.Data}
			case strings.HasPrefix(b.MediaType, "text/plain") && c.Records == "":
				c.Records = strings.ToValidUTF8(string(b.Data), "\uFFFD")
			}
		}
		if c.Picture == nil {
			return nil, hint.Add(
				fmt.Errorf("task %s gave no picture of a program's behaviour, and mles needs one",
					problem.Name),
				"racing-car and bipedal-walker give pictures")
		}
		return c, nil
	}
}
