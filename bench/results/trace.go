package results

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/note"
)

// OperatorStats says how one operator fared in a run.
type OperatorStats struct {
	Name      string
	Steps     int // proposals
	Requests  int // repairs included
	Discarded int // proposals without a program to evaluate: unparsable, or refused by their contract
	Evaluated int // charged
	Faults    int // of those
	Improved  int // scored above the first parent; known where the method notes parents
	Parents   int // evaluated children whose parents are known
	Best      int // new best of the history
}

// An EAP is an executable algorithmic primitive and its fate in a run.
type EAP struct {
	ID           int
	Name         string
	Origin       string // E1, E2, E3
	From         int    // the evaluation it was extracted from; 0 for none
	Birth        int    // evaluations committed before its admission
	Exposures    int    // offspring that had it as their focus
	Trials       int
	Improvements int
	Alpha, Beta  float64 // of the posterior at the end
	Programs     int     // algorithms of the population that called it, over the whole run
	InBest       bool    // the best program calls it
}

// Mean is the posterior mean of the success rate.
func (e EAP) Mean() float64 { return e.Alpha / (e.Alpha + e.Beta) }

// An Ancestor is a program on the way to the best one.
type Ancestor struct {
	Evaluation int
	Operator   string
	Parents    []int
	Focus      string // name of the EAP handed on; empty for none
	Value      float64
	Scored     bool
}

// trace fills a run from the records of its journal.
func trace(r *Run, l *bench.Loaded, v note.Vocabulary) {
	t := &tracer{
		run: r, prices: l.Prices, notes: v, operators: map[string]*OperatorStats{}, born: map[int]*offspring{},
		exposures: map[int]int{}, calls: map[int][]int{}, unread: map[string]int{},
	}
	for _, rec := range l.Records {
		if rec.Step != nil {
			t.step(rec.Step)
		} else {
			t.run.AddNote(*rec.Note)
			t.note(*rec.Note)
		}
	}
	t.finish()
}

// tracer gathers a run from its journal, record by record.
type tracer struct {
	run       *Run
	notes     note.Vocabulary
	prices    llm.Prices
	tokens    int
	cost      float64
	operators map[string]*OperatorStats
	order     []string
	born      map[int]*offspring // by evaluation
	eaps      []*EAP
	exposures map[int]int
	calls     map[int][]int // algorithm of the population -> EAPs

	unread  map[string]int // notes that could not be read, by the reason
	reasons []string       // in order
}

// offspring is an evaluated program with its origin.
type offspring struct {
	Ancestor
	score float64
	focus *int
}

func (t *tracer) operator(name string) *OperatorStats {
	if t.operators[name] == nil {
		t.operators[name] = &OperatorStats{Name: name}
		t.order = append(t.order, name)
	}
	return t.operators[name]
}

func (t *tracer) step(s *bench.StepRecord) {
	r := t.run
	for _, q := range s.Requests {
		price := t.prices.Of(r.Header.Models, q.Request.Purpose)
		r.AddRequest(q, price)
		t.tokens += q.Reply.Usage.Total()
		usd, _ := price.Cost(q.Reply.Usage)
		t.cost += usd
	}
	var plan note.Offspring
	for _, n := range s.Notes {
		if o, ok := t.decode(n).(note.Offspring); ok {
			plan = o
		}
		r.AddNote(n)
	}
	op := t.begin(s, plan.Operator)
	if plan.Focus != nil {
		t.exposures[*plan.Focus]++
	}
	for _, e := range s.Evaluations {
		best := r.AddEvaluation(s.Number, e)
		if e.Evaluation < 1 { // free: Python's parser refuses it
			continue
		}
		child := &offspring{
			Ancestor: Ancestor{Evaluation: e.Evaluation, Parents: plan.Parents, Scored: e.Fault == nil},
			score:    e.Score, focus: plan.Focus,
		}
		t.born[e.Evaluation] = child
		if child.Scored {
			child.Value = bench.Mean(e.Values)
		}
		if best {
			r.Curve = append(r.Curve, Improvement{e.Evaluation, t.tokens, t.cost, child.Value})
		}
		if op == nil {
			continue
		}
		child.Operator = op.Name
		op.Evaluated++
		switch parent := t.parent(child); {
		case !child.Scored:
			op.Faults++
		case parent != nil:
			op.Parents++
			if child.score > parent.score {
				op.Improved++
			}
		}
		if best {
			op.Best++
		}
	}
}

// parent is the first parent of a program; nil when it is not known.
func (t *tracer) parent(child *offspring) *offspring {
	if len(child.Parents) == 0 {
		return nil
	}
	return t.born[child.Parents[0]]
}

// begin counts a proposal; nil for a step that was not one: a reflection, an EAP's discovery.
func (t *tracer) begin(s *bench.StepRecord, name string) *OperatorStats {
	for _, q := range s.Requests {
		if name == "" && q.Request.Purpose.Role() == "algorithm" {
			name = q.Request.Purpose.Operator()
		}
	}
	if name == "" {
		return nil
	}
	op := t.operator(name)
	op.Steps++
	op.Requests += len(s.Requests)
	for _, e := range s.Evaluations {
		if e.Evaluation > 0 {
			return op
		}
	}
	op.Discarded++
	return op
}

// decode reads a note; nil when it cannot be read, which is counted.
func (t *tracer) decode(n bench.NoteRecord) note.Note {
	v, err := t.notes.Decode(n.Kind, n.Value)
	if err != nil {
		if t.unread[err.Error()]++; t.unread[err.Error()] == 1 {
			t.reasons = append(t.reasons, err.Error())
		}
		return nil
	}
	return v
}

// note takes from the remarks between steps what it knows: those about PACE's EAPs.
func (t *tracer) note(record bench.NoteRecord) {
	switch n := t.decode(record).(type) {
	case note.Admission:
		if n.EAP == len(t.eaps) {
			t.eaps = append(t.eaps, &EAP{
				ID: n.EAP, Name: n.Name, Origin: n.Origin, From: n.From, Birth: n.Evaluation, Alpha: 1, Beta: 1,
			})
		}
	case note.Trial:
		if n.EAP >= 0 && n.EAP < len(t.eaps) && n.Alpha > 0 && n.Beta > 0 {
			e := t.eaps[n.EAP]
			e.Trials, e.Improvements, e.Alpha, e.Beta = e.Trials+1, e.Improvements+n.Reward, n.Alpha, n.Beta
		}
	case note.Callers:
		for _, m := range n.Members {
			t.calls[m.Algorithm] = m.Calls
		}
	}
}

// finish writes the gathered tables into the run.
func (t *tracer) finish() {
	r := t.run
	for _, name := range t.order {
		r.Operators = append(r.Operators, *t.operators[name])
	}
	slices.SortStableFunc(r.Operators, func(a, b OperatorStats) int { return compareOperators(a.Name, b.Name) })
	for _, calls := range t.calls {
		for _, id := range calls {
			if id >= 0 && id < len(t.eaps) {
				t.eaps[id].Programs++
			}
		}
	}
	for _, e := range t.eaps {
		e.Exposures = t.exposures[e.ID]
		e.InBest = r.Best != nil && slices.Contains(t.calls[r.Best.Evaluation], e.ID)
		r.EAPs = append(r.EAPs, *e)
	}
	if r.Best != nil {
		r.Lineage = t.lineage(r.Best.Evaluation)
	}
	for _, reason := range t.reasons {
		r.warn(Notes, fmt.Sprintf("%s; passed over: %d", reason, t.unread[reason]))
	}
}

// lineage follows first parents from a program to the one that began its line, newest first. Empty
// where the method notes no parents.
func (t *tracer) lineage(evaluation int) []Ancestor {
	var out []Ancestor
	for seen := map[int]bool{}; !seen[evaluation]; {
		o := t.born[evaluation]
		if o == nil {
			break
		}
		seen[evaluation] = true
		if o.focus != nil && *o.focus >= 0 && *o.focus < len(t.eaps) {
			o.Focus = t.eaps[*o.focus].Name
		}
		out = append(out, o.Ancestor)
		if len(o.Parents) == 0 {
			break
		}
		evaluation = o.Parents[0]
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// compareOperators puts initialisation first ("I1", "i1"), the rest by name.
func compareOperators(a, b string) int {
	initial := func(s string) int {
		if s != "" && (s[0] == 'I' || s[0] == 'i') {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(initial(a), initial(b)), cmp.Compare(a, b))
}
