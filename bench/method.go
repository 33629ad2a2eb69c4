package bench

import "context"

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
