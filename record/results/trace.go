package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// OperatorStats has the results of one operator in a run.
type OperatorStats struct {
	Name      string
	Steps     int // proposals
	Requests  int // including repairs
	Discarded int // proposals without a charged program, e.g. for invalid Python or wrong calls
	Evaluated int // charged evaluations
	Last      int // the last charged evaluation; 0 for none
	Faults    int // charged evaluations without a score
	Improved  int // evaluated children that scored above their first parent
	Parents   int // evaluated children with a score whose first parent has a score
	Best      int // evaluated programs that were the best so far
}

// An EAP is an executable algorithmic primitive and its history in a run.
type EAP struct {
	ID           int
	Name         string
	Origin       string // E1, E2, E3
	From         int    // the evaluation that it was extracted from; 0: no evaluation
	Birth        int    // evaluations committed before its admission
	Exposures    int    // offspring whose focus was this EAP
	Trials       int
	Improvements int
	Alpha, Beta  float64 // of the posterior at the end
	Programs     int     // algorithms of the population that called it, over the whole run
	InBest       bool    // the best program calls it
	Beliefs      []Belief
}

// A Belief is the posterior of an EAP after a trial.
type Belief struct {
	At          int // charged evaluations so far
	Alpha, Beta float64
}

// Mean returns the posterior mean of the success rate.
func (b Belief) Mean() float64 { return b.Alpha / (b.Alpha + b.Beta) }

// A Proposal is one attempt at a new program.
type Proposal struct {
	Operator string
	At       int // charged evaluations so far, including its own
	// Replies counts the replies. Refused counts the replies without a program that keeps the
	// operator's contract, for example because of invalid Python or wrong calls. If the journal has
	// no notes on attempts, all replies count as one.
	Replies, Refused int
	Compared         bool // the program and its first parent have scores
	Improved         bool // the program's score is above the first parent's
}

// A Member is one program's stay in PACE's population.
type Member struct {
	Evaluation int
	Operator   string
	Parents    []int
	Calls      []int // EAPs
	Entered    int   // charged evaluations before it entered
	Left       int   // charged evaluations before it left; 0 if it stayed
	Value      float64
}

// A walk collects a run's detail, and its statistics, from the lines of the journal.
type walk struct {
	*Detail
	prices llm.PriceList
	notes  note.Kinds
	times  map[int]record.Timing // by step

	clock     clock
	seconds   float64 // of evaluations, so far
	usd       float64 // of requests, so far; only if Run.Cost is known
	operators map[string]*OperatorStats
	exposures map[int]int    // by EAP
	sources   map[string]int // source -> its first evaluation
	diversity *diversity
	inside    map[int]int // algorithm that is in the population now -> place in Run.Members

	// consulted is the last step that asked for a program and has neither a program nor a plan,
	// until a note says whether its reply was usable. reply is the step's place in Run.Proposals.
	consulted *Step
	reply     int
	advisers  map[string]bool // operators of the steps with such notes

	unread  map[string]int // number of notes that could not be read, by reason
	reasons []string       // in order
}

// fill reads the journal of a detail's run.
func (d *Detail) fill(l *record.Loaded, v note.Kinds) {
	w := &walk{
		Detail: d, prices: l.Prices, notes: v, times: map[int]record.Timing{},
		operators: map[string]*OperatorStats{}, exposures: map[int]int{},
		sources: map[string]int{}, diversity: newDiversity(d.Program), inside: map[int]int{},
		advisers: map[string]bool{}, unread: map[string]int{},
	}
	d.Run.Began, d.Run.noted = l.Began, map[string]int{}
	for _, t := range Times(l.Dir) {
		w.times[t.Step] = t
	}
	w.clock = newClock(w.times, l)
	for _, line := range l.Records {
		best := d.Run.Add(line, l.Prices, l.Header.Models)
		if line.Step != nil {
			w.step(line.Step, best)
		} else {
			w.note(w.read(*line.Note))
		}
	}
	w.finish()
}

// step adds a step. best has the places of the step's evaluations that were the best so far.
func (w *walk) step(rec *record.Step, best []int) {
	r, took := w.Run, w.times[rec.Number]
	s := &Step{Number: rec.Number}
	w.Steps, w.steps[s.Number] = append(w.Steps, s), s
	tokens, cost, known := 0, 0.0, len(rec.Requests) > 0
	for i, q := range rec.Requests {
		r.embedded = r.embedded || strings.HasPrefix(q.Reply.Model, llm.Embedded)
		x := Exchange{Request: q.Request, Reply: q.Reply, Seconds: seconds(took.AskMS, i),
			Shared: q.Shared}
		price := w.prices.At(rec.Number).Of(r.Header.Models, q.Request.Purpose)
		usd, ok := price.Cost(q.Reply.Usage)
		if ok {
			x.USD = &usd
		}
		tokens, cost, known = tokens+q.Reply.Usage.Total(), cost+usd, known && ok
		w.usd += usd
		if q.Request.Purpose.Role() == "algorithm" {
			s.Operator = q.Request.Purpose.Operator()
		}
		s.Exchanges = append(s.Exchanges, x)
	}
	if len(rec.Evaluations) > 0 {
		w.seconds += w.clock.of(s.Number)
	}
	var plan note.Offspring
	attempts, refused := 0, 0
	for _, n := range rec.Notes {
		m := w.read(n)
		s.Notes = append(s.Notes, m)
		switch n := m.Note.(type) {
		case note.Offspring:
			plan, s.Operator, s.Refused = n, n.Operator, n.Refused
		case note.Attempt:
			if attempts++; n.Refused != "" {
				refused++
			}
			if n.Attempt >= 1 && n.Attempt <= len(s.Exchanges) {
				s.Exchanges[n.Attempt-1].Refused = n.Refused
			}
		}
	}
	if plan.Focus != nil {
		w.exposures[*plan.Focus]++
	}
	var made []*Program // charged
	for i, e := range rec.Evaluations {
		p := &Program{
			Evaluation: e.Evaluation, Step: s.Number, Operator: s.Operator, Parents: plan.Parents,
			Focus: plan.Focus, Source: e.Source, Policy: e.Policy, Values: e.Values, Fault: e.Fault,
			Evidence: e.Evidence, Seconds: seconds(took.EvaluateMS, i), Tokens: tokens,
			Doubtful: doubtful(took, i), Best: slices.Contains(best, i),
		}
		if known {
			p.USD = &cost
		}
		if e.Fault == nil {
			score, value := e.Score, record.Mean(e.Values)
			p.Score, p.Value = &score, &value
		}
		s.Programs = append(s.Programs, p)
		if e.Evaluation < 1 { // free: Python's parser refuses it
			continue
		}
		if p.Twin = w.sources[p.Source]; p.Twin == 0 && p.Source != "" {
			w.sources[p.Source] = p.Evaluation
		}
		if p.Best {
			r.Curve = append(r.Curve, Improvement{
				p.Evaluation, r.Tokens().Total(), w.usd, w.seconds, *p.Value})
		}
		made, w.byNumber[p.Evaluation] = append(made, p), p
	}
	w.Programs = append(w.Programs, made...)
	if s.Operator == "" { // a reflection, or an EAP's discovery
		return
	}
	w.propose(s, made, plan.Operator != "")
	if attempts > 0 {
		last := &r.Proposals[len(r.Proposals)-1]
		last.Replies, last.Refused = attempts, refused
	}
}

// propose counts a step's attempt at new programs. made has the charged programs of the step.
func (w *walk) propose(s *Step, made []*Program, planned bool) {
	r, op := w.Run, w.operators[s.Operator]
	if op == nil {
		op = &OperatorStats{Name: s.Operator}
		w.operators[op.Name] = op
	}
	op.Steps, op.Requests = op.Steps+1, op.Requests+len(s.Exchanges)
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	for _, child := range made {
		p := Proposal{Operator: op.Name, At: child.Evaluation, Replies: min(1, len(s.Exchanges))}
		p.Improved, p.Compared = w.improved(child)
		op.Evaluated, op.Last = op.Evaluated+1, child.Evaluation
		count(&op.Faults, child.Score == nil)
		count(&op.Parents, p.Compared)
		count(&op.Improved, p.Improved)
		count(&op.Best, child.Best)
		r.Proposals = append(r.Proposals, p)
	}
	if len(made) > 0 {
		return
	}
	op.Discarded++
	if !planned {
		w.consulted, w.reply = s, len(r.Proposals)
	}
	r.Proposals = append(r.Proposals, Proposal{
		Operator: op.Name, At: r.Evaluations, Replies: 1, Refused: 1,
	})
}

// useful marks the reply of the consulted step as useful, and stops counting it as refused.
func (w *walk) useful() {
	w.consulted.Consulted = true
	w.operators[w.consulted.Operator].Discarded--
	w.Run.Proposals[w.reply].Refused = 0
}

// read reads a note. It counts notes that it cannot read.
func (w *walk) read(n record.Note) Note {
	w.Run.noted[n.Kind]++
	v, err := w.notes.Decode(n.Kind, n.Value)
	if err != nil {
		if w.unread[err.Error()]++; w.unread[err.Error()] == 1 {
			w.reasons = append(w.reasons, err.Error())
		}
		v = nil
	}
	return Note{After: len(w.Programs), Kind: n.Kind, Value: n.Value, Note: v}
}

// note reads EAPs, populations and consultations from a note between two steps.
func (w *walk) note(m Note) {
	r := w.Run
	w.Notes = append(w.Notes, m)
	switch n := m.Note.(type) {
	case note.Admission:
		if n.EAP == len(r.EAPs) {
			r.EAPs = append(r.EAPs, EAP{
				ID: n.EAP, Name: n.Name, Origin: n.Origin, From: n.From, Birth: n.Evaluation,
				Alpha: 1, Beta: 1,
			})
		}
	case note.Trial:
		if n.EAP >= 0 && n.EAP < len(r.EAPs) && n.Alpha > 0 && n.Beta > 0 {
			e := &r.EAPs[n.EAP]
			e.Trials, e.Improvements = e.Trials+1, e.Improvements+n.Reward
			e.Alpha, e.Beta = n.Alpha, n.Beta
			e.Beliefs = append(e.Beliefs, Belief{r.Evaluations, n.Alpha, n.Beta})
		}
	case note.Callers:
		for _, m := range n.Members {
			if p := w.Program(m.Algorithm); p != nil {
				p.Calls = m.Calls
			}
		}
		w.members(n)
		w.population(n)
	case note.Population:
		w.population(n)
	case note.Consultation:
		if s := w.consulted; s != nil {
			w.advisers[s.Operator] = true
			if s.Refused = n.Unusable(); s.Refused == "" {
				w.useful()
			}
		}
		w.consulted = nil
	}
}

// population measures the programs that may become parents from now on.
func (w *walk) population(n note.Population) {
	if p, changed := w.diversity.at(w.Run.Evaluations, n.Parents()); changed {
		w.Run.Populations = append(w.Run.Populations, p)
	}
}

// members records which programs enter and leave PACE's population.
func (w *walk) members(n note.Callers) {
	r, now := w.Run, map[int]int{}
	for _, m := range n.Members {
		place, stays := w.inside[m.Algorithm]
		if !stays {
			place = len(r.Members)
			in := Member{Evaluation: m.Algorithm, Calls: m.Calls, Entered: r.Evaluations}
			if p := w.Program(m.Algorithm); p != nil {
				in.Operator, in.Parents = p.Operator, p.Parents
				if p.Value != nil {
					in.Value = *p.Value
				}
			}
			r.Members = append(r.Members, in)
		}
		now[m.Algorithm] = place
	}
	for algorithm, place := range w.inside {
		if _, stays := now[algorithm]; !stays {
			r.Members[place].Left = r.Evaluations
		}
	}
	w.inside = now
}

// finish adds the facts that only the whole run shows.
func (w *walk) finish() {
	if s := w.consulted; s != nil && w.advisers[s.Operator] {
		w.useful() // the run ended before the note on its reply
	}
	r := w.Run
	r.seconds, r.timed, r.cpu = w.seconds, w.clock.known, w.clock.cpu
	r.Doubtful = w.clock.doubtful
	for _, name := range slices.SortedFunc(maps.Keys(w.operators), compareOperators) {
		r.Operators = append(r.Operators, *w.operators[name])
	}
	var best *Program
	if r.Best != nil {
		best = w.Program(r.Best.Evaluation)
	}
	for i := range r.EAPs {
		r.EAPs[i].Exposures = w.exposures[i]
	}
	for _, p := range w.Programs {
		for _, parent := range p.Parents {
			if q := w.Program(parent); q != nil && !slices.Contains(q.Children, p.Evaluation) {
				q.Children = append(q.Children, p.Evaluation)
			}
		}
		for _, id := range p.Calls {
			if id >= 0 && id < len(r.EAPs) {
				r.EAPs[id].Programs++
				r.EAPs[id].InBest = r.EAPs[id].InBest || p == best
			}
		}
	}
	// Some refused replies are normal. If half or more are refused, the setup is probably wrong.
	if r.Refused = w.refusals(); r.Refused.Total() > 0 && 2*r.Refused.Total() >= r.Refused.Of {
		r.warn(r.Refused.String())
	}
	for _, reason := range w.reasons {
		r.warn(fmt.Sprintf("%s; skipped: %d", reason, w.unread[reason]))
	}
}

// OperatorNames lists the operators of some runs: operators of initialisation first, then the other
// operators by name.
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

// Operator returns the results of an operator in the run; zero results if the run does not use the
// operator.
func (r *Run) Operator(name string) OperatorStats {
	for _, o := range r.Operators {
		if o.Name == name {
			return o
		}
	}
	return OperatorStats{Name: name}
}

// compareOperators orders operators: operators of initialisation ("I1", "i1") first, then the other
// operators by name.
func compareOperators(a, b string) int {
	initial := func(s string) int {
		if s != "" && (s[0] == 'I' || s[0] == 'i') {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(initial(a), initial(b)), cmp.Compare(a, b))
}
