package bench

import (
	"errors"
	"fmt"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// ErrSpent means that no evaluation is left, or that the limit on LLM requests is reached.
var ErrSpent = errors.New("the budget is spent")

// exhausted reports whether the limit on LLM requests forbids one more step while n are in flight:
// every step in flight counts as one request, so a method with one request a step meets the limit
// exactly.
func (e *engine) exhausted(inFlight int) bool {
	return e.totals.Asked+inFlight >= e.Header.Requests
}

// left is the number of evaluations neither spent nor reserved.
func (e *engine) left() int { return e.Header.Budget - e.charged() - e.reserved }

// charged is the number of evaluations spent, without those given back to the budget.
func (e *engine) charged() int { return e.totals.Evaluations - e.totals.Refunded }

// What costs no budget has limits as well, so that every run ends: steps that neither ask nor are
// charged, streams without a step, calls after the budget is spent, and what is written. They grow
// with what was paid. Our choice: a run of 1000 evaluations has a journal of some 15 MB.
const (
	freeSteps, stepsPaid = 1000, 10
	freeBytes, bytesPaid = 64 << 20, 1 << 20
)

// ErrEndless means that a method goes on without end at no cost.
var ErrEndless = errors.New("the search goes on without cost")

// paid is how much the run has asked and evaluated.
func (e *engine) paid() int { return e.totals.Asked + e.totals.Evaluations }

// atNoCost counts a step, a stream or a call that cost nothing.
func (e *engine) atNoCost() error {
	most := freeSteps + stepsPaid*e.paid()
	if e.idle++; e.idle <= most {
		return nil
	}
	e.failed = hint.Add(fmt.Errorf("%w: %d of its steps and calls neither asked nor were charged "+
		"an evaluation", ErrEndless, most),
		"end it when the budget is spent, or when it has no idea left")
	return e.failed
}

// stepRequests is how often a step may ask, where the run's limit is not higher. Our choice.
const stepRequests = 1000

// countTripped ends a run whose task tripped over too many programs in a row.
func (e *engine) countTripped(evaluations []record.Evaluation) error {
	for _, ev := range evaluations {
		if e.tripped++; !ev.Fault.Tripped() {
			e.tripped = 0
		}
		if e.MostTripped > 0 && e.tripped == e.MostTripped {
			return hint.Add(fmt.Errorf("%d programs in a row failed where the task may be wrong: "+
				"%s", e.tripped, ev.Fault.Detail), "a task checks every answer before it uses it; "+
				"where the programs are wrong, the same command goes on")
		}
	}
	return nil
}

// Left is the number of evaluations neither spent nor reserved, those that NothingRan gave back
// among them. A search that reads it follows its budget, as a schedule does, and its run cannot be
// continued with a larger one. Spent and AtMost suffice where only the end matters.
func (s *Search) Left() int {
	s.e.planned = true
	return s.e.left()
}

// Spent reports whether no evaluation is left.
func (s *Search) Spent() bool { return s.e.left() < 1 }

// AtMost is n, or what is left where that is less.
func (s *Search) AtMost(n int) int { return min(n, s.e.left()) }

// NothingRan notes a round of charged evaluations of which no program ran. With refund they are
// given back: the run may make as many more, and ends at its budget plus what was given back. They
// keep their numbers and stay charged in the journal. A run that has made as many evaluations as it
// may make requests gets nothing back any more, so that every run ends.
func (s *Search) NothingRan(evaluations int, refund bool) {
	if evaluations < 0 || evaluations > s.e.charged() {
		panic("bench: a round of more evaluations than are charged")
	}
	refund = refund && s.e.totals.Evaluations < s.e.Header.Requests
	s.Note(note.NothingRan{Evaluations: evaluations, Refunded: refund})
}

// Evaluations is the number of evaluations charged so far, in commit order. In a loop body it
// is the index of the evaluation just committed, when that was charged.
func (s *Search) Evaluations() int { return s.e.totals.Evaluations }

// Paid is the number of requests and charged evaluations so far, in commit order.
func (s *Search) Paid() int { return s.e.paid() }

// refuse is ErrSpent, as long as that is heard.
func (e *engine) refuse() error {
	if err := e.atNoCost(); err != nil {
		return err
	}
	return ErrSpent
}
