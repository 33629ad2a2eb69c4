package results

import (
	"encoding/json"
	"slices"

	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/note"
	"github.com/pacebench/pacebench/bench/record"
)

// A Detail is a run with every text that it holds. Its JSON is what the pages of a run and
// `inspect --json` show.
type Detail struct {
	Run      *Run       `json:"-"`
	Steps    []*Step    `json:"steps"`    // in the order of the journal, not always of numbers
	Programs []*Program `json:"programs"` // charged ones, in order
	Remarks  []Remark   `json:"remarks"`  // of the method between two steps

	byNumber map[int]*Program
	steps    map[int]*Step // by number
}

// A Step is one unit of work: what was asked, evaluated and remarked.
type Step struct {
	Number    int        `json:"step"` // from 0
	Operator  string     `json:"operator,omitempty"`
	Exchanges []Exchange `json:"exchanges,omitempty"`
	Remarks   []Remark   `json:"remarks,omitempty"`
	Programs  []*Program `json:"-"` // charged or not
	Lost      string     `json:"lost,omitempty"`
	Consulted bool       `json:"consulted,omitempty"` // no program, but of use for later ones
}

// An Exchange is a request, its reply, and why the reply was refused.
type Exchange struct {
	llm.Request
	Reply   llm.Reply `json:"reply"`
	Refused string    `json:"refused,omitempty"`
	Seconds float64   `json:"seconds,omitempty"`
	USD     *float64  `json:"usd,omitempty"`
	Shared  bool      `json:"shared,omitempty"` // asked and paid by the base of a paired run
}

// A Program is one evaluated source, with where it comes from and what became of it. Programs are
// named by their evaluation.
type Program struct {
	Evaluation int           `json:"evaluation"` // from 1; 0 when it was free
	Step       int           `json:"step"`
	Operator   string        `json:"operator,omitempty"`
	Parents    []int         `json:"parents,omitempty"` // the better first
	Children   []int         `json:"children,omitempty"`
	Focus      *int          `json:"focus,omitempty"` // the EAP handed on
	Calls      []int         `json:"calls,omitempty"` // EAPs, where the population tells
	Idea       string        `json:"idea,omitempty"`
	Source     string        `json:"source,omitempty"`
	Policy     string        `json:"policy,omitempty"`
	Score      *float64      `json:"score"` // larger is better; nil for a fault
	Value      *float64      `json:"value"` // the mean of Values, in the task's unit
	Values     []float64     `json:"values,omitempty"`
	Fault      *record.Fault `json:"fault,omitempty"`
	Evidence   []record.Blob `json:"evidence,omitempty"`
	Twin       int           `json:"twin,omitempty"` // the first evaluation of the same source
	Best       bool          `json:"best,omitempty"` // the best so far
	Seconds    float64       `json:"seconds,omitempty"`
	Doubtful   bool          `json:"doubtful,omitempty"` // see Run.Doubtful
	Tokens     int           `json:"tokens"`             // of its step
	USD        *float64      `json:"usd,omitempty"`      // likewise, where known
}

// A Remark is a note of the method. After is the number of charged evaluations before it.
type Remark struct {
	After int             `json:"after"`
	Kind  string          `json:"kind"`
	Value json.RawMessage `json:"value"`
	Note  note.Note       `json:"-"` // nil when it cannot be read
}

// Open reads one run in full and changes nothing.
func Open(v Vocabularies, dir string) (*Detail, error) {
	l, err := record.Load(dir)
	if err != nil {
		return nil, begun(err)
	}
	r, err := newRun(l, v)
	if err != nil {
		return nil, err
	}
	d := &Detail{
		Run: r, Steps: []*Step{}, Programs: []*Program{}, Remarks: []Remark{},
		byNumber: map[int]*Program{},
		steps:    map[int]*Step{},
	}
	if !r.Journal {
		return d, nil
	}
	o := &opener{
		Detail: d, prices: l.Prices, notes: v.of(r.Header.Method), times: readTimes(dir),
		sources: map[string]int{}, advisers: map[string]bool{},
	}
	for _, rec := range l.Records {
		if rec.Step != nil {
			o.step(rec.Step)
		} else {
			r := o.remark(*rec.Note)
			d.Remarks = append(d.Remarks, r)
			if n, ok := r.Note.(note.Consultation); ok && o.consulted != nil {
				o.consulted.Lost = n.Unusable()
				o.consulted.Consulted = o.consulted.Lost == ""
				o.advisers[o.consulted.Operator] = true
				o.consulted = nil
			}
		}
	}
	if s := o.consulted; s != nil && o.advisers[s.Operator] {
		s.Consulted = true // the budget ended what was made with it, before the note
	}
	o.relate()
	return d, nil
}

// Program is a charged evaluation; nil when there is none.
func (d *Detail) Program(evaluation int) *Program { return d.byNumber[evaluation] }

// StepOf is the step that evaluated a program.
func (d *Detail) StepOf(p *Program) *Step { return d.steps[p.Step] }

// Ancestors are all programs that an evaluation descends from, itself included, the newest first.
func (d *Detail) Ancestors(evaluation int) []int {
	return d.reach(evaluation, func(p *Program) []int { return p.Parents }, func(a, b int) int {
		return b - a
	})
}

// Descendants are all programs that descend from an evaluation, without itself, the oldest first.
func (d *Detail) Descendants(evaluation int) []int {
	all := d.reach(evaluation, func(p *Program) []int { return p.Children }, func(a, b int) int {
		return a - b
	})
	return slices.DeleteFunc(all, func(e int) bool { return e == evaluation })
}

func (d *Detail) reach(from int, next func(*Program) []int, order func(a, b int) int) []int {
	seen := map[int]bool{}
	var out []int
	for open := []int{from}; len(open) > 0; {
		e := open[0]
		open = open[1:]
		if p := d.Program(e); p != nil && !seen[e] {
			seen[e] = true
			out = append(out, e)
			open = append(open, next(p)...)
		}
	}
	slices.SortFunc(out, order)
	return out
}

// opener gathers a detail from its journal, record by record.
type opener struct {
	*Detail
	prices  llm.Prices
	notes   note.Vocabulary
	times   map[int]timing
	sources map[string]int // source -> its first evaluation
	best    *float64
	// consulted is the last step that asked for a program and has neither one nor a plan, until a
	// note says whether its answer was of use.
	consulted *Step
	advisers  map[string]bool // operators of which such notes have told
}

// seconds is the i-th of some milliseconds; 0 where there is none.
func seconds(ms []float64, i int) float64 {
	if i >= len(ms) {
		return 0
	}
	return ms[i] / 1000
}

func (o *opener) step(rec *record.Step) {
	s, took := &Step{Number: rec.Number}, o.times[rec.Number]
	o.Steps, o.steps[s.Number] = append(o.Steps, s), s
	tokens, cost, known := 0, 0.0, len(rec.Requests) > 0
	for i, q := range rec.Requests {
		x := Exchange{Request: q.Request, Reply: q.Reply, Seconds: seconds(took.AskMS, i),
			Shared: q.Shared}
		usd, ok := o.prices.Of(o.Run.Header.Models, q.Request.Purpose).Cost(q.Reply.Usage)
		if ok {
			x.USD = &usd
		}
		tokens, cost, known = tokens+q.Reply.Usage.Total(), cost+usd, known && ok
		if q.Request.Purpose.Role() == "algorithm" {
			s.Operator = q.Request.Purpose.Operator()
		}
		s.Exchanges = append(s.Exchanges, x)
	}
	var plan note.Offspring
	for _, n := range rec.Notes {
		r := o.remark(n)
		s.Remarks = append(s.Remarks, r)
		if p, ok := r.Note.(note.Offspring); ok {
			plan, s.Operator, s.Lost = p, p.Operator, p.Lost
		}
		if a, ok := r.Note.(note.Attempt); ok && a.Attempt >= 1 && a.Attempt <= len(s.Exchanges) {
			s.Exchanges[a.Attempt-1].Refused = a.Refused
		}
	}
	if s.Operator != "" && plan.Operator == "" && len(rec.Evaluations) == 0 {
		o.consulted = s
	}
	for i, e := range rec.Evaluations {
		p := &Program{
			Evaluation: e.Evaluation, Step: s.Number, Operator: s.Operator, Parents: plan.Parents,
			Focus: plan.Focus, Source: e.Source, Policy: e.Policy, Values: e.Values, Fault: e.Fault,
			Evidence: e.Evidence, Seconds: seconds(took.EvaluateMS, i), Tokens: tokens,
			Doubtful: took.doubtful(i), Idea: idea(rec.Requests),
		}
		if known {
			p.USD = &cost
		}
		if e.Fault == nil {
			value := record.Mean(e.Values)
			p.Score, p.Value = &e.Score, &value
			if p.Best = o.best == nil || e.Score > *o.best; p.Best {
				o.best = p.Score
			}
		}
		s.Programs = append(s.Programs, p)
		if e.Evaluation < 1 {
			continue
		}
		if p.Twin = o.sources[p.Source]; p.Twin == 0 && p.Source != "" {
			o.sources[p.Source] = p.Evaluation
		}
		o.Programs = append(o.Programs, p)
		o.byNumber[p.Evaluation] = p
	}
}

func (o *opener) remark(n record.Note) Remark {
	r := Remark{After: len(o.Programs), Kind: n.Kind, Value: n.Value}
	r.Note, _ = o.notes.Decode(n.Kind, n.Value)
	return r
}

// relate adds what only the whole run tells: children, and the EAPs that a program calls.
func (o *opener) relate() {
	for _, p := range o.Programs {
		for _, parent := range p.Parents {
			if q := o.Program(parent); q != nil && !slices.Contains(q.Children, p.Evaluation) {
				q.Children = append(q.Children, p.Evaluation)
			}
		}
	}
	for _, r := range o.Remarks {
		if c, ok := r.Note.(note.Callers); ok {
			for _, m := range c.Members {
				if p := o.Program(m.Algorithm); p != nil {
					p.Calls = m.Calls
				}
			}
		}
	}
}
