package bench

import (
	"context"

	"github.com/pacebench/pacebench/bench/note"
)

// A Method searches for programs. A value is its configuration: plain exported fields
// with JSON names, encoded into the run header. Run keeps all state in local variables.
// Run returns nil when the budget is spent or its own search is over, and the error of
// ctx, of the model or of the evaluator otherwise. See benchtest.Method for the rules
// that every implementation must pass.
type Method interface {
	Name() string // "pace"
	Run(ctx context.Context, s *Search) error
}

// Checker is a Method whose configuration can be wrong. Check is called before the first
// request; its error names the field and what it accepts.
type Checker interface {
	Check() error
}

// Noter is a Method that leaves notes in the journal.
type Noter interface {
	Notes() []note.Note // one value of each kind
}

// Observer is a Method that may look at Outcome.Evidence, which costs a task some work.
type Observer interface {
	Observes() bool
}

// Observes reports whether m wants to see evidence.
func Observes(m Method) bool {
	o, ok := m.(Observer)
	return ok && o.Observes()
}

// NotesOf is the vocabulary in which the notes of m are read.
func NotesOf(m Method) note.Vocabulary {
	if n, ok := m.(Noter); ok {
		return note.NewVocabulary(n.Notes()...)
	}
	return note.Vocabulary{}
}
