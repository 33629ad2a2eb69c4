package report

import (
	"encoding/json"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
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

// tally gathers a run from its journal, line by line.
type tally struct {
	run       *Run
	tokens    int
	operators map[string]*OperatorStats
	order     []string
	born      map[int]*offspring // by evaluation
	eaps      []*EAP
	exposures map[int]int
	calls     map[int][]int // algorithm of the population -> EAPs
}

// offspring is an evaluated program with its origin.
type offspring struct {
	Ancestor
	score float64
	focus *int
}

func newTally(r *Run) *tally {
	return &tally{run: r, operators: map[string]*OperatorStats{}, born: map[int]*offspring{}, exposures: map[int]int{}, calls: map[int][]int{}}
}

func (t *tally) operator(name string) *OperatorStats {
	if t.operators[name] == nil {
		t.operators[name] = &OperatorStats{Name: name}
		t.order = append(t.order, name)
	}
	return t.operators[name]
}

// plan is the remark "offspring", which a method makes before it asks.
type plan struct {
	Operator string `json:"operator"`
	Parents  []int  `json:"parents"` // by their evaluation
	Focus    *int   `json:"focus"`   // the EAP handed on
}

func (t *tally) step(s *skimmedStep) {
	r := t.run
	for _, q := range s.Requests {
		r.Asked++
		t.tokens += q.Reply.Usage.Total()
		u := r.Usage[q.Request.Purpose]
		u.Requests, u.Usage = u.Requests+1, u.Usage.Add(q.Reply.Usage)
		r.Usage[q.Request.Purpose] = u
	}
	var p plan
	for _, n := range s.Notes {
		if n.Kind == "offspring" {
			_ = json.Unmarshal(n.Value, &p) // a remark of another shape tells nothing
		}
	}
	op := t.begin(s, p)
	if p.Focus != nil {
		t.exposures[*p.Focus]++
	}
	for _, e := range s.Evaluations {
		if e.Evaluation < 1 { // free: Python's parser refuses it
			if e.Fault != nil {
				r.Faults[e.Fault.Kind]++
			}
			continue
		}
		r.Evaluations++
		child := &offspring{Ancestor: Ancestor{Evaluation: e.Evaluation, Parents: p.Parents}, score: e.Score, focus: p.Focus}
		if op != nil {
			child.Operator = op.Name
			op.Evaluated++
		}
		if e.Fault != nil {
			r.Faults[e.Fault.Kind]++
			if op != nil {
				op.Faults++
			}
		} else {
			child.Scored, child.Value = true, bench.Mean(e.Values)
			if len(e.Values) == 0 {
				child.Value = e.Score
			}
			t.scored(s.Number, child, op)
		}
		t.born[e.Evaluation] = child
	}
}

// begin counts a proposal; nil for a step that was not one: a reflection, an EAP's discovery.
func (t *tally) begin(s *skimmedStep, p plan) *OperatorStats {
	name := p.Operator
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

// scored enters a program that has a score.
func (t *tally) scored(step int, child *offspring, op *OperatorStats) {
	r := t.run
	if op != nil && len(child.Parents) > 0 {
		if parent := t.born[child.Parents[0]]; parent != nil {
			op.Parents++
			if child.score > parent.score {
				op.Improved++
			}
		}
	}
	if r.Best != nil && child.score <= r.Best.Score {
		return
	}
	r.Best = &bench.BestResult{Score: child.score, Value: child.Value, Step: step, Evaluation: child.Evaluation}
	r.Curve = append(r.Curve, Improvement{child.Evaluation, t.tokens, child.Value})
	if op != nil {
		op.Best++
	}
}

// note reads the remarks that PACE makes between steps; others are passed over.
func (t *tally) note(n bench.NoteRecord) {
	switch n.Kind {
	case "admission":
		var a struct {
			EAP          int
			Name, Origin string
			From         int
			Evaluation   int
		}
		if json.Unmarshal(n.Value, &a) == nil && a.EAP == len(t.eaps) {
			t.eaps = append(t.eaps, &EAP{ID: a.EAP, Name: a.Name, Origin: a.Origin, From: a.From, Birth: a.Evaluation, Alpha: 1, Beta: 1})
		}
	case "trial":
		var x struct {
			EAP, Reward int
			Alpha, Beta float64
		}
		if json.Unmarshal(n.Value, &x) == nil && x.EAP >= 0 && x.EAP < len(t.eaps) && x.Alpha > 0 && x.Beta > 0 {
			e := t.eaps[x.EAP]
			e.Trials, e.Improvements, e.Alpha, e.Beta = e.Trials+1, e.Improvements+x.Reward, x.Alpha, x.Beta
		}
	case "population":
		var p struct {
			Members []struct {
				Algorithm int
				Calls     []int
			}
		}
		if json.Unmarshal(n.Value, &p) == nil {
			for _, m := range p.Members {
				t.calls[m.Algorithm] = m.Calls
			}
		}
	}
}

// finish writes the gathered tables into the run.
func (t *tally) finish() {
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
}

// lineage follows first parents from a program to the one that began its line, newest first. Empty where the
// method notes no parents.
func (t *tally) lineage(evaluation int) []Ancestor {
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
	if d := initial(a) - initial(b); d != 0 {
		return d
	}
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

// purposes lists a run's purposes: by role, algorithm first, then by operator.
func (r *Run) purposes() []llm.Purpose {
	var out []llm.Purpose
	for p := range r.Usage {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b llm.Purpose) int {
		ra, rb := a.Role() != "algorithm", b.Role() != "algorithm"
		switch {
		case ra != rb && rb:
			return -1
		case ra != rb:
			return 1
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	return out
}
