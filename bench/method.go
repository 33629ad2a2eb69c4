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

// NotesOf is the vocabulary in which the notes of m are read.
func NotesOf(m Method) note.Vocabulary {
	if n, ok := m.(Noter); ok {
		return note.NewVocabulary(n.Notes()...)
	}
	return note.Vocabulary{}
}
