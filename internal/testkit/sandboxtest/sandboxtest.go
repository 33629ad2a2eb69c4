// Package sandboxtest has the attacks that a sandbox must stop, for the tests of the sandbox and of
// the tasks. Start at Attacks.
package sandboxtest

import (
	"slices"

	"github.com/pacebench/pacebench/bench"
)

// An Attack is a hostile or broken candidate. Tests call the function f of its source without
// arguments.
type Attack struct {
	Name   string
	Stop   string // the part of the sandbox that stops it
	Source string
	Kinds  []bench.FaultKind // one of these; empty: f returns Value
	Value  bench.Value       // nil: any
	Detail string            // part of the fault's detail
}

var (
	raised  = []bench.FaultKind{bench.Raised}
	timeup  = []bench.FaultKind{bench.Timeout}
	memory  = []bench.FaultKind{bench.Memory}
	crashed = []bench.FaultKind{bench.Crashed}
	syntax  = []bench.FaultKind{bench.Syntax}
	iface   = []bench.FaultKind{bench.Interface}
)

// Attacks returns all attacks.
func Attacks() []Attack {
	return slices.Concat(Files, Network, Processes, Resources, Endings, Forging, Tampering, Sources)
}
