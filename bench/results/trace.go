package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/note"
	"github.com/pacebench/pacebench/bench/record"
)

// OperatorStats says how one operator fared in a run.
type OperatorStats struct {
	Name      string
	Steps     int // proposals
	Requests  int // repairs included
	Discarded int // proposals without a program to evaluate: unparsable, or refused by a contract
	Evaluated int // charged
	Last      int // the last of them; 0 for none
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
	Beliefs      []Belief
}

// A Belief is the posterior of an EAP from a moment on.
type Belief struct {
	At          int // charged evaluations so far
	Alpha, Beta float64
}

// Mean is the posterior mean of the success rate.
func (b Belief) Mean() float64 { return b.Alpha / (b.Alpha + b.Beta) }

// A Proposal is one attempt at a new program.
type Proposal struct {
	Operator string
	At       int // charged evaluations so far, its own included
	// Replies were asked for, and of these Refused gave no program that keeps the operator's
	// contract: unparsable, or other calls than asked for. Without attempts in the journal they
	// count as one.
	Replies, Refused int
	Evaluated        bool
	Fault            bool // of the evaluated program
	Compared         bool // it has a score, and its first parent too
	Improved         bool // that is above the parent's
}

// A Member is one program's stay in PACE's population.
type Member struct {
	Evaluation int
	Operator   string
	Parents    []int
	Calls      []int // EAPs
	Entered    int   // charged evaluations then
	Left       int   // likewise; 0 for one that is there at the end
	Value      float64
}

// Mean is the posterior mean of the success rate.
func (e EAP) Mean() float64 { return e.Alpha / (e.Alpha + e.Beta) }

// trace fills a run from the records of its journal.
func trace(r *Run, l *record.Loaded, v note.Vocabulary) {
	t := &tracer{
		run: r, prices: l.Prices, notes: v, operators: map[string]*OperatorStats{},
		born:      map[int]*offspring{},
		exposures: map[int]int{}, advisers: map[*OperatorStats]bool{}, calls: map[int][]int{},
		unread: map[string]int{},
		clock:  readClock(l.Dir, evaluatedSteps(l.Records)), inside: map[int]int{},
	}
	t.diversity = newDiversity(func(evaluation int) (string, bool) {
		o := t.born[evaluation]
		if o == nil || !o.scored {
			return "", false
		}
		return o.source, true
	})
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

	clock     clock
	seconds   float64
	diversity *diversity
	inside    map[int]int // algorithm of the population now -> place in Run.Members

	// consulted is the proposal of the last answer without a program and without a plan, until a
	// note says whether it was of use; nil for none.
	consulted *consulted
	advisers  map[*OperatorStats]bool // operators of which such notes have told

	unread  map[string]int // notes that could not be read, by the reason
	reasons []string       // in order
}

// useful takes back that the last answer without a program was lost.
func (t *tracer) useful() {
	if c := t.consulted; c != nil {
		c.op.Discarded--
		t.run.Proposals[c.proposal].Refused = 0
	}
}

type consulted struct {
	op       *OperatorStats
	proposal int // place in Run.Proposals
}

// offspring is an evaluated program with its origin.
type offspring struct {
	operator string
	parents  []int
	value    float64
	scored   bool
	score    float64
	source   string
}

// evaluatedSteps are the steps that evaluated a program.
func evaluatedSteps(records []record.Line) map[int]bool {
	out := map[int]bool{}
	for _, rec := range records {
		if rec.Step != nil && len(rec.Step.Evaluations) > 0 {
			out[rec.Step.Number] = true
		}
	}
	return out
}

func (t *tracer) operator(name string) *OperatorStats {
	if t.operators[name] == nil {
		t.operators[name] = &OperatorStats{Name: name}
		t.order = append(t.order, name)
	}
	return t.operators[name]
}

func (t *tracer) step(s *record.Step) {
	r := t.run
	for _, q := range s.Requests {
		r.embedded = r.embedded || strings.HasPrefix(q.Reply.Model, llm.Embedded)
		price := t.prices.Of(r.Header.Models, q.Request.Purpose)
		r.AddRequest(q, price)
		t.tokens += q.Reply.Usage.Total()
		usd, _ := price.Cost(q.Reply.Usage)
		t.cost += usd
	}
	if len(s.Evaluations) > 0 {
		t.seconds += t.clock.of(s.Number)
	}
	var plan note.Offspring
	attempts, refused := 0, 0
	for _, n := range s.Notes {
		switch v := t.decode(n).(type) {
		case note.Offspring:
			plan = v
		case note.Attempt:
			if attempts++; v.Refused != "" {
				refused++
			}
		}
		r.AddNote(n)
	}
	op, proposals := t.begin(s, plan.Operator), len(r.Proposals)
	if plan.Focus != nil {
		t.exposures[*plan.Focus]++
	}
	for _, e := range s.Evaluations {
		best := r.AddEvaluation(s.Number, e)
		if e.Evaluation < 1 { // free: Python's parser refuses it
			continue
		}
		child := &offspring{
			parents: plan.Parents, scored: e.Fault == nil, score: e.Score, source: e.Source,
		}
		t.born[e.Evaluation] = child
		if child.scored {
			child.value = record.Mean(e.Values)
		}
		if best {
			r.Curve = append(r.Curve,
				Improvement{e.Evaluation, t.tokens, t.cost, t.seconds, child.value})
		}
		if op == nil {
			continue
		}
		child.operator = op.Name
		op.Evaluated, op.Last = op.Evaluated+1, e.Evaluation
		p := Proposal{Operator: op.Name, At: r.Evaluations, Replies: min(1, len(s.Requests)),
			Evaluated: true}
		switch parent := t.parent(child); {
		case !child.scored:
			op.Faults++
			p.Fault = true
		case parent != nil:
			op.Parents++
			p.Compared = true
			if child.score > parent.score {
				op.Improved++
				p.Improved = true
			}
		}
		if best {
			op.Best++
		}
		r.Proposals = append(r.Proposals, p)
	}
	if op == nil {
		return
	}
	if len(r.Proposals) == proposals {
		if r.Proposals = append(r.Proposals, Proposal{
			Operator: op.Name, At: r.Evaluations, Replies: 1, Refused: 1,
		}); plan.Operator == "" {
			t.consulted = &consulted{op, proposals}
		}
	}
	if attempts > 0 {
		last := &r.Proposals[len(r.Proposals)-1]
		last.Replies, last.Refused = attempts, refused
	}
}

// parent is the first parent of a program; nil when it is not known.
func (t *tracer) parent(child *offspring) *offspring {
	if len(child.parents) == 0 {
		return nil
	}
	return t.born[child.parents[0]]
}

// begin counts a proposal; nil for a step that was not one: a reflection, an EAP's discovery.
func (t *tracer) begin(s *record.Step, name string) *OperatorStats {
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
func (t *tracer) decode(n record.Note) note.Note {
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
func (t *tracer) note(record record.Note) {
	switch n := t.decode(record).(type) {
	case note.Admission:
		if n.EAP == len(t.eaps) {
			t.eaps = append(t.eaps, &EAP{
				ID: n.EAP, Name: n.Name, Origin: n.Origin, From: n.From, Birth: n.Evaluation,
				Alpha: 1, Beta: 1,
			})
		}
	case note.Trial:
		if n.EAP >= 0 && n.EAP < len(t.eaps) && n.Alpha > 0 && n.Beta > 0 {
			e := t.eaps[n.EAP]
			e.Trials, e.Improvements, e.Alpha, e.Beta = e.Trials+1, e.Improvements+
				n.Reward, n.Alpha, n.Beta
			e.Beliefs = append(e.Beliefs, Belief{t.run.Evaluations, n.Alpha, n.Beta})
		}
	case note.Callers:
		for _, m := range n.Members {
			t.calls[m.Algorithm] = m.Calls
		}
		t.members(n)
		t.pool(n)
	case note.Pool:
		t.pool(n)
	case note.Consultation:
		if c := t.consulted; c != nil {
			t.advisers[c.op] = true
		}
		if n.Unusable() == "" {
			t.useful()
		}
		t.consulted = nil
	}
}

// pool measures the programs that may become parents from now on.
func (t *tracer) pool(n note.Pool) {
	if p, changed := t.diversity.at(t.run.Evaluations, n.Pool()); changed {
		t.run.Pools = append(t.run.Pools, p)
	}
}

// members follows who enters PACE's population and who leaves it.
func (t *tracer) members(n note.Callers) {
	r, now := t.run, map[int]int{}
	for _, m := range n.Members {
		place, stays := t.inside[m.Algorithm]
		if !stays {
			place = len(r.Members)
			in := Member{Evaluation: m.Algorithm, Calls: m.Calls, Entered: r.Evaluations}
			if o := t.born[m.Algorithm]; o != nil {
				in.Operator, in.Parents, in.Value = o.operator, o.parents, o.value
			}
			r.Members = append(r.Members, in)
		}
		now[m.Algorithm] = place
	}
	for algorithm, place := range t.inside {
		if _, stays := now[algorithm]; !stays {
			r.Members[place].Left = r.Evaluations
		}
	}
	t.inside = now
}

// finish writes the gathered tables into the run.
func (t *tracer) finish() {
	if c := t.consulted; c != nil && t.advisers[c.op] {
		t.useful() // the budget ended what was made with it, before the note
	}
	r := t.run
	r.seconds, r.timed, r.cpu = t.seconds, t.clock.known, t.clock.cpu
	r.Doubtful = t.clock.doubtful
	for _, name := range t.order {
		r.Operators = append(r.Operators, *t.operators[name])
	}
	slices.SortStableFunc(r.Operators, func(a, b OperatorStats) int {
		return compareOperators(a.Name, b.Name)
	})
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
	for _, reason := range t.reasons {
		r.warn(Notes, fmt.Sprintf("%s; passed over: %d", reason, t.unread[reason]))
	}
}

// OperatorNames lists the operators of some runs: initialisation first, then by name.
func OperatorNames(runs []*Run) []string {
	var names []string
	for _, r := range runs {
		for _, o := range r.Operators {
			names = append(names, o.Name)
		}
	}
	slices.SortFunc(names, compareOperators)
	return slices.Compact(names)
}

// Operator is how an operator fared in the run, which may not have it.
func (r *Run) Operator(name string) OperatorStats {
	for _, o := range r.Operators {
		if o.Name == name {
			return o
		}
	}
	return OperatorStats{Name: name}
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
