package bench

import (
	"cmp"
	"context"

	"github.com/pacebench/pacebench/record/note"
)

// A Method searches for programs. Its exported fields are its settings; they have JSON names and
// are written to the run header. Run keeps all state in local variables. Run returns nil when the
// budget is spent or the search is over; otherwise, it returns the error of ctx, of the model or of
// the evaluator. See benchtest.Method for the rules that every implementation must follow.
type Method interface {
	Name() string // "pace"
	Run(ctx context.Context, s *Search) error
}

// Checker is a Method whose configuration can be wrong. Check is called before the first request;
// its error names the field and the values that it accepts.
type Checker interface {
	Check() error
}

// Noter is a Method that leaves notes in the journal.
type Noter interface {
	Notes() []note.Note // one value of each kind
}

// Versioned is a Method whose searches have changed since its first version.
type Versioned interface {
	// Version must change whenever the method may write another journal for the same header and
	// answers. The header contains it, so that tables separate old and new runs.
	Version() string
}

// VersionOf returns the version of m for its header; empty for the first version.
func VersionOf(m Method) string {
	if v, ok := m.(Versioned); ok {
		return v.Version()
	}
	return ""
}

// Observer is a Method that may read Outcome.Evidence, which takes time to produce.
type Observer interface {
	Observes() bool
}

// Observes reports whether m reads evidence.
func Observes(m Method) bool {
	o, ok := m.(Observer)
	return ok && o.Observes()
}

// Scheduler is a Method whose search depends on its budget from the beginning, because it calls
// Search.Left. Its runs cannot be continued with a larger budget.
type Scheduler interface {
	Scheduled() bool
}

// Scheduled reports whether the search of m depends on its budget from the beginning.
func Scheduled(m Method) bool {
	s, ok := m.(Scheduler)
	return ok && s.Scheduled()
}

// Requester is a Method that sets the number of LLM requests that its runs may make.
type Requester interface {
	// Requests is the limit for a budget in evaluations; 0 means the default.
	Requests(evaluations int) int
}

// RequestsPerEvaluation limits the requests of a run: 5 for each evaluation of its budget. The
// papers give no bound; this one ends a run whose model never answers well. See docs/fidelity.md.
const RequestsPerEvaluation = 5

// RequestsOf returns the limit on the LLM requests of a run of m, for its header.
func RequestsOf(m Method, evaluations int) int {
	if r, ok := m.(Requester); ok {
		if n := r.Requests(evaluations); n > 0 {
			return n
		}
	}
	return RequestsPerEvaluation * evaluations
}

// Mechanic is a Method that names its parts, without the parts that its settings switch off.
// Reports warn about a run that never used one of these parts.
type Mechanic interface {
	Parts() []note.Part
}

// PartsOf returns the parts of m, or nil if m names none.
func PartsOf(m Method) []note.Part {
	if p, ok := m.(Mechanic); ok {
		return p.Parts()
	}
	return nil
}

// Discovers reports whether m asks for EAPs, for which a run may use another model. Such a method
// leaves notes on the admission of EAPs.
func Discovers(m Method) bool { return NotesOf(m)[note.Admission{}.Kind()] != nil }

// NotesOf returns the kinds of the notes of m.
func NotesOf(m Method) note.Kinds {
	if n, ok := m.(Noter); ok {
		return note.KindsOf(n.Notes()...)
	}
	return note.Kinds{}
}

// Labelled is a Method with its own label. The label's variants are in the order of the rows in
// tables.
type Labelled interface {
	Label() Label
}

// LabelOf returns the label of m. A method without a label is shown under its name.
func LabelOf(m Method) Label {
	var l Label
	if x, ok := m.(Labelled); ok {
		l = x.Label()
	}
	l.Name, l.Title, l.Scheduled = m.Name(), cmp.Or(l.Title, m.Name()), Scheduled(m)
	return l
}
