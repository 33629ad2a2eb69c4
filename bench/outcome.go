package bench

import (
	"math"
	"strings"

	"github.com/pacebench/pacebench/record"
)

// The types of package record that methods and tasks use. Code that reads runs imports package
// record instead.
type (
	Header    = record.Header
	Outcome   = record.Outcome
	Scored    = record.Scored
	Fault     = record.Fault
	FaultKind = record.FaultKind
	Blob      = record.Blob
)

// The kinds of faults.
const (
	Syntax    = record.Syntax
	Interface = record.Interface
	Raised    = record.Raised
	Timeout   = record.Timeout
	Memory    = record.Memory
	Crashed   = record.Crashed
	NonFinite = record.NonFinite
	Invalid   = record.Invalid
	Stateful  = record.Stateful
)

// Faultf returns a fault with a formatted detail.
func Faultf(kind FaultKind, format string, args ...any) *Fault {
	return record.Faultf(kind, format, args...)
}

// timedOut reports whether f is the fault of a program that exceeded a time limit.
func timedOut(f *Fault) bool { return f != nil && f.Kind == Timeout }

// sanitize prepares an outcome for JSON and for comparison: a score or a value that is not finite
// becomes a fault.
func sanitize(o Outcome) Outcome {
	finite := !math.IsNaN(o.Score) && !math.IsInf(o.Score, 0)
	for _, v := range o.Values {
		finite = finite && !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	if o.Fault == nil && !finite {
		o.Fault = Faultf(NonFinite, "the score is not a finite number")
	}
	if o.Fault != nil {
		fault := *o.Fault
		fault.Detail = strings.ToValidUTF8(fault.Detail, "\uFFFD")
		return Outcome{Fault: &fault, Evidence: o.Evidence}
	}
	return o
}
