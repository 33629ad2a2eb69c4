package bench

import (
	"cmp"
	"context"

	"github.com/pacebench/pacebench/record/note"
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

// Versioned is a Method whose searches have changed since its first version.
type Versioned interface {
	// Version is raised by every change after which equal headers and answers may give another
	// journal. It stands in the header, so that tables keep old and new runs apart.
	Version() string
}

// VersionOf is what a header says of m's version; empty for the first.
func VersionOf(m Method) string {
	if v, ok := m.(Versioned); ok {
		return v.Version()
	}
	return ""
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

// Scheduler is a Method whose search follows its budget from the beginning, by Search.Left: a run
// of it cannot go on with a larger one.
type Scheduler interface {
	Scheduled() bool
}

// Scheduled reports whether m follows its budget.
func Scheduled(m Method) bool {
	s, ok := m.(Scheduler)
	return ok && s.Scheduled()
}

// Requester is a Method that says how many LLM requests a run of it may make.
type Requester interface {
	// Requests is the limit for a budget of so many evaluations; 0: the default.
	Requests(evaluations int) int
}

// RequestsPerEvaluation ends a run whose model never answers well. Our choice: see
// docs/fidelity.md.
const RequestsPerEvaluation = 5

// RequestsOf is the limit on the requests of a run of m, for its header.
func RequestsOf(m Method, evaluations int) int {
	if r, ok := m.(Requester); ok {
		if n := r.Requests(evaluations); n > 0 {
			return n
		}
	}
	return RequestsPerEvaluation * evaluations
}

// Mechanic is a Method that names its parts, those that its settings switch off left out. A run
// that ended without one of them says so.
type Mechanic interface {
	Parts() []note.Part
}

// PartsOf are the parts of m; none where it names none.
func PartsOf(m Method) []note.Part {
	if p, ok := m.(Mechanic); ok {
		return p.Parts()
	}
	return nil
}

// Discovers reports whether the method asks for EAPs, for which there may be another model: it
// notes their admission.
func Discovers(m Method) bool { return NotesOf(m)[note.Admission{}.Kind()] != nil }

// NotesOf is the vocabulary in which the notes of m are read.
func NotesOf(m Method) note.Vocabulary {
	if n, ok := m.(Noter); ok {
		return note.NewVocabulary(n.Notes()...)
	}
	return note.Vocabulary{}
}

// Labelled is a Method that says how it is shown. Its variants are in the order of tables.
type Labelled interface {
	Label() Label
}

// LabelOf is the label of m. A method that says nothing is shown under its name.
func LabelOf(m Method) Label {
	var l Label
	if x, ok := m.(Labelled); ok {
		l = x.Label()
	}
	l.Name, l.Title, l.Scheduled = m.Name(), cmp.Or(l.Title, m.Name()), Scheduled(m)
	return l
}
