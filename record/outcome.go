package record

import (
	"fmt"

	"github.com/pacebench/pacebench/program"
)

// FaultKind is the reason why a candidate has no score.
type FaultKind string

const (
	Syntax    FaultKind = "syntax"    // CPython refuses the source
	Interface FaultKind = "interface" // the target function is missing or takes other arguments
	Raised    FaultKind = "raised"    // an exception, sys.exit included
	Timeout   FaultKind = "timeout"   // the limit of CPU or wall time
	Memory    FaultKind = "memory"    // the limit of memory
	Crashed   FaultKind = "crashed"   // the process ended: os._exit, segfault, refused system call
	NonFinite FaultKind = "nonfinite" // a value is NaN or infinite
	Invalid   FaultKind = "invalid"   // outside the contract: a visited node, a wrong shape
	Stateful  FaultKind = "stateful"  // the program answered a repeated question differently
)

// A Fault is a candidate's failure. It is a result, not an error of the machine. A Loader, a Target
// and a Task return it as an error; the evaluator stores it in Outcome.Fault.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// Detail is one line of at most 300 bytes, without addresses, directories and durations.
	Detail string `json:"detail,omitempty"`
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Kind, f.Detail) }

// Faultf makes a fault with a formatted detail.
func Faultf(kind FaultKind, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Detail: fmt.Sprintf(format, args...)}
}

// An Outcome is the result of evaluating one program on one split.
type Outcome struct {
	// A larger Score is better. For minimisation tasks, Score is the negated mean of Values. Score
	// is finite and meaningful exactly when Fault is nil; otherwise the journal contains null.
	Score    float64   `json:"score"`
	Values   []float64 `json:"values,omitempty"` // per instance, in the task's own unit
	Fault    *Fault    `json:"fault,omitempty"`
	Evidence []Blob    `json:"evidence,omitempty"`
}

// OK reports whether the program has a score.
func (o Outcome) OK() bool { return o.Fault == nil }

// A Scored is an evaluated program with its place in the run.
type Scored struct {
	Program    program.Program
	Policy     string // instead of Program: see Evaluation.Policy
	Outcome    Outcome
	Step       int // number of the step that evaluated the program
	Evaluation int // index among the run's charged evaluations, from 1
}

// Scored returns the i-th evaluation of a step, which must have a score.
func (s *Step) Scored(i int) Scored {
	e := s.Evaluations[i]
	return Scored{
		Program: program.Program{Source: e.Source}, Policy: e.Policy, Outcome: e.Outcome,
		Step: s.Number, Evaluation: e.Evaluation,
	}
}
