package bench

import (
	"errors"
	"fmt"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// ErrSpent means that no evaluation is left, or that the run has reached its limit on LLM requests.
var ErrSpent = errors.New("the budget is spent")

// exhausted reports whether the limit on LLM requests forbids one more step. Every step in flight
// counts as one request, so a method with one request for each step reaches the limit exactly.
func (e *engine) exhausted(inFlight int) bool {
	return e.totals.Asked+inFlight >= e.Header.Requests
}

// left returns the number of evaluations that are neither spent nor reserved.
func (e *engine) left() int { return e.Header.Budget - e.charged() - e.reserved }

// charged returns the number of evaluations spent minus the number refunded.
func (e *engine) charged() int { return e.totals.Evaluations - e.totals.Refunded }

// Work that costs no budget is limited as well, so that every run ends. The limits cover steps
// without requests or charges, streams without a step, calls after the budget is spent, and bytes
// written. They grow with the paid work. They are far above normal use: a run of 1000 evaluations
// writes a journal of about 15 MB.
const (
	freeSteps, stepsPaid = 1000, 10
	bytesPaid            = 1 << 20
)

var freeBytes = 64 << 20 // smaller in tests

// ErrEndless means that a method does too much work that costs no budget.
var ErrEndless = errors.New("the search does not end")

// paid returns the number of requests and evaluations so far.
func (e *engine) paid() int { return e.totals.Asked + e.totals.Evaluations }

// atNoCost counts a step, a stream or a call that cost nothing.
func (e *engine) atNoCost() error {
	most := freeSteps + stepsPaid*e.paid()
	if e.idle++; e.idle <= most {
		return nil
	}
	e.failed = hint.Add(fmt.Errorf("%w: more than %d of its steps and calls made no request "+
		"and used no budget", ErrEndless, most),
		"end the search when the budget is spent or no idea is left")
	return e.failed
}

// stepRequests limits the requests of one step, unless the run's limit is higher. It ends a step
// that never stops asking.
const stepRequests = 1000

// countTripped ends a run if too many programs in a row made its task raise an error.
func (e *engine) countTripped(evaluations []record.Evaluation) error {
	for _, ev := range evaluations {
		if e.tripped++; !ev.Fault.Tripped() {
			e.tripped = 0
		}
		if e.MostTripped > 0 && e.tripped == e.MostTripped {
			return hint.Add(fmt.Errorf("the task failed on the answers of %d programs in a row, "+
				"and may be wrong: %s", e.tripped, ev.Fault.Detail),
				"a task must check every answer before it uses it; "+
					"if the programs are wrong, repeat the command to continue")
		}
	}
	return nil
}

// Left returns the number of evaluations that are neither spent nor reserved, including the
// evaluations that NothingRan refunded. A search that calls Left depends on its budget, as a
// schedule does, so its run cannot be continued with a larger budget. If you only need to know
// whether the budget is nearly spent, call Spent or AtMost.
func (s *Search) Left() int {
	s.e.planned = true
	return s.e.left()
}

// Spent reports whether no evaluation is left.
func (s *Search) Spent() bool { return s.e.left() < 1 }

// AtMost returns the smaller of n and the number of evaluations left.
func (s *Search) AtMost(n int) int { return min(n, s.e.left()) }

// NothingRan records a round of charged evaluations in which no program ran. If refund is true, the
// run may make the same number of additional evaluations. The evaluations of the round keep their
// numbers and stay charged in the journal. A run that has made as many evaluations as it may make
// requests gets no further refund, so that every run ends.
func (s *Search) NothingRan(evaluations int, refund bool) {
	if evaluations < 0 || evaluations > s.e.charged() {
		panic("bench: a round must have 0 evaluations or more, all of them charged")
	}
	refund = refund && s.e.totals.Evaluations < s.e.Header.Requests
	s.Note(note.NothingRan{Evaluations: evaluations, Refunded: refund})
}

// Evaluations returns the number of evaluations charged so far, in commit order, including refunded
// ones. In a loop body, the result is the number of the evaluation just committed, if that
// evaluation was charged.
func (s *Search) Evaluations() int { return s.e.totals.Evaluations }

// Paid returns the number of requests and charged evaluations so far, in commit order.
func (s *Search) Paid() int { return s.e.paid() }

// refuse returns ErrSpent, or ErrEndless after too much work at no cost.
func (e *engine) refuse() error {
	if err := e.atNoCost(); err != nil {
		return err
	}
	return ErrSpent
}
