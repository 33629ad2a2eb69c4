package bench

import (
	"encoding/json"
	"errors"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench/note"
	"github.com/pacebench/pacebench/bench/record"
)

// ErrSpent means that no evaluation is left, or that the limit on LLM requests is reached.
var ErrSpent = errors.New("the budget is spent")

// A Search is a method's handle on one run. Only the goroutine that runs Method.Run uses
// it; jobs use their own Step.
type Search struct{ e *engine }

// Problem is all that a method may know of the task, and what the header says it runs under.
func (s *Search) Problem() Problem {
	p := s.e.run.Problem
	if text := s.e.run.Header.Runtime(); text != "" {
		p.Runtime = text
	}
	return p
}

// Rand returns the named stream of this run, the same generator at every call with the same
// purpose.
func (s *Search) Rand(purpose string) *rand.Rand {
	r, ok := s.e.streams[purpose]
	if !ok {
		r = stream(s.e.run.Header.Seed, "method/"+purpose)
		s.e.streams[purpose] = r
	}
	return r
}

// Best returns the best program of the history so far, the earliest among equals.
func (s *Search) Best() (Scored, bool) {
	if s.e.best == nil {
		return Scored{}, false
	}
	return *s.e.best, true
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
	refund = refund && s.e.totals.Evaluations < s.e.run.Header.Requests
	s.Note(note.NothingRan{Evaluations: evaluations, Refunded: refund})
}

// Evaluations is the number of evaluations charged so far, in commit order. In a loop body it
// is the index of the evaluation just committed, when that was charged.
func (s *Search) Evaluations() int { return s.e.totals.Evaluations }

// Note writes a method's own remark into the journal.
func (s *Search) Note(n note.Note) { s.e.note(noteRecord(n)) }

func noteRecord(n note.Note) record.Note {
	data, err := json.Marshal(n)
	if err != nil {
		panic("bench: note " + n.Kind() + " does not encode: " + err.Error())
	}
	return record.Note{Kind: n.Kind(), Value: data}
}
