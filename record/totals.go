package record

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// Add counts a line of a journal: requests with their tokens and, if known, their costs;
// evaluations; and notes on training and on rounds in which no program ran. models are the
// header's, by role. Add returns the indexes of the step's evaluations that became the best so far.
//
// The engine counts with Add during a run, and readers afterwards, so that their numbers are equal.
func (t *Totals) Add(l Line, prices llm.PriceList, models map[string]string) (best []int) {
	if l.Note != nil {
		t.addNote(*l.Note)
		return nil
	}
	now := prices.At(l.Step.Number)
	for _, q := range l.Step.Requests {
		price := now.Of(models, q.Request.Purpose)
		t.Asked++
		t.Usage = tally(t.Usage, q, price)
		if q.Shared { // also counts in Usage, so that runs are comparable
			t.Shared = tally(t.Shared, q, price)
		}
	}
	for i, e := range l.Step.Evaluations {
		t.Evaluations = max(t.Evaluations, e.Evaluation)
		switch {
		case e.Fault != nil:
			if t.Faults == nil {
				t.Faults = map[FaultKind]int{}
			}
			t.Faults[e.Fault.Kind]++
		case t.Best == nil || e.Score > t.Best.Score:
			t.Best = &BestResult{
				Score: e.Score, Value: Mean(e.Values), Step: l.Step.Number,
				Evaluation: e.Evaluation,
				Program:    cmp.Or(e.Policy, program.Program{Source: e.Source}.ID()),
			}
			best = append(best, i)
		}
	}
	for _, n := range l.Step.Notes {
		t.addNote(n)
	}
	return best
}

func tally(sums map[llm.Purpose]Tally, q Request, price *llm.Price) map[llm.Purpose]Tally {
	if sums == nil {
		sums = map[llm.Purpose]Tally{}
	}
	sum := sums[q.Request.Purpose]
	switch usd, known := price.Cost(q.Reply.Usage); {
	case !known:
		sum.Cost = nil
	case sum.Cost != nil:
		usd += *sum.Cost
		sum.Cost = &usd
	case sum.Requests == 0:
		sum.Cost = &usd
	}
	sum.Requests, sum.Usage = sum.Requests+1, sum.Usage.Add(q.Reply.Usage)
	sums[q.Request.Purpose] = sum
	return sums
}

// addNote counts a round in which no program ran, and keeps the latest note on training.
func (t *Totals) addNote(n Note) {
	var training note.Training
	if n.Kind == training.Kind() && json.Unmarshal(n.Value, &training) == nil {
		t.Training = &training
		return
	}
	var round note.NothingRan
	if n.Kind != round.Kind() || json.Unmarshal(n.Value, &round) != nil {
		return
	}
	t.Barren += round.Evaluations
	if round.Refunded {
		t.Refunded += round.Evaluations
	}
}

// BestScore returns the score of the best program; nil if no program has a score.
func (t *Totals) BestScore() *float64 {
	if t.Best == nil {
		return nil
	}
	return &t.Best.Score
}

// Tokens returns the tokens of all requests.
func (t *Totals) Tokens() llm.Usage { return sum(t.Usage).Usage }

// SharedRequests returns the number of requests that another run made.
func (t *Totals) SharedRequests() int { return sum(t.Shared).Requests }

// SharedTokens returns the number of tokens that another run paid for.
func (t *Totals) SharedTokens() int { return sum(t.Shared).Usage.Total() }

// Cost returns the cost of all requests in USD. known is false if the cost of a request is unknown
// or if there are no requests.
func (t *Totals) Cost() (usd float64, known bool) {
	for _, p := range slices.Sorted(maps.Keys(t.Usage)) {
		if t.Usage[p].Cost == nil {
			return 0, false
		}
		usd += *t.Usage[p].Cost
	}
	return usd, len(t.Usage) > 0
}

// Paid returns the known cost in USD of the run's own requests.
func (t *Totals) Paid() float64 { return max(0, *sum(t.Usage).Cost-*sum(t.Shared).Cost) }

// sum adds up requests, tokens and known costs, in a fixed order because the last digits of the sum
// depend on the order.
func sum(tallies map[llm.Purpose]Tally) (all Tally) {
	all.Cost = new(float64)
	for _, purpose := range slices.Sorted(maps.Keys(tallies)) {
		t := tallies[purpose]
		all.Requests, all.Usage = all.Requests+t.Requests, all.Usage.Add(t.Usage)
		if t.Cost != nil {
			*all.Cost += *t.Cost
		}
	}
	return all
}
