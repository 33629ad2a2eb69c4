package bench

import "github.com/pacebench/pacebench/bench/record"

// What methods and tasks know of a record. Readers of runs take them from bench/record.
type (
	Header    = record.Header
	Outcome   = record.Outcome
	Scored    = record.Scored
	Fault     = record.Fault
	FaultKind = record.FaultKind
	Blob      = record.Blob
)

// The kinds of faults, and why a candidate has one.
const (
	Syntax    = record.Syntax
	Interface = record.Interface
	Raised    = record.Raised
	Timeout   = record.Timeout
	Memory    = record.Memory
	Crashed   = record.Crashed
	NonFinite = record.NonFinite
	Invalid   = record.Invalid
)

// Faultf makes a fault with a formatted detail.
func Faultf(kind FaultKind, format string, args ...any) *Fault {
	return record.Faultf(kind, format, args...)
}
