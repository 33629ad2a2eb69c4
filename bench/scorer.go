package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Scorer is trusted Python that scores candidates without seeing them: an environment of
// Gymnasium, a simulator, a solver. It runs in a process of its own, which candidates cannot reach,
// and asks Go for whatever it wants of the candidate. It is a value; evaluators know it by its
// address.
type Scorer struct {
	// Packages names what it needs besides NumPy and SciPy: "control" (python/env). Candidates do
	// not have it. Empty: nothing.
	Packages string
	Modules  map[string]string // Python source by module name; imports of these names find it
	Main     string            // the module whose functions Host.Call calls
	// Fork has each Hosts.Lend lend a fork of the process: no state outlives it.
	Fork bool
	// Probe is called with the first process, before the first evaluation. Its error refuses a
	// world that behaves otherwise than the one that the task was made for. nil: no probe.
	Probe func(ctx context.Context, h Host) error
	// Decode makes what turns what one episode's View sends, a class of the module "view", into
	// observations, each of which is valid until the next one. nil: there is no such module.
	Decode func() func(values []Value) (Array, error)
}

// A Host is a trusted Python process that has imported a Scorer's modules. One goroutine uses it
// at a time.
type Host interface {
	// Call calls function(job, ask) of Scorer.Main and returns its values. The function gets job,
	// which travels as JSON, and may call ask(*values) as often as it likes: ask here gets the
	// values, and Python gets the list that it returns. Values are Int, Float, Bool, None and
	// Array; text and files travel as arrays of uint8. An error of ask, such as a candidate's
	// fault, ends Call with that very error: Python's ask raises, and the process is ready for the
	// next Call. An exception that Python raises by itself, and a process that ends, are errors of
	// ErrScorer.
	Call(ctx context.Context, function string, job any,
		ask func(ctx context.Context, values []Value) ([]Value, error)) ([]Value, error)
	// CPU is the CPU time that the process has used so far; 0 where it is not known.
	CPU() time.Duration
}

// Hosts lends the processes of scorers. It is safe for concurrent use. Implemented by host.Pool.
type Hosts interface {
	// Lend waits until a process of s is free, calls use with it, and takes it back. It returns the
	// error of use, or why there is no process.
	Lend(ctx context.Context, s *Scorer, use func(Host) error) error
}

// ErrScorer means that trusted Python failed: it raised, or its process ended. It says nothing
// about the candidate. The evaluation is repeated once.
var ErrScorer = errors.New("the scorer failed")

// ErrScorerEnded is an ErrScorer whose process ended by itself or fell silent: an answer may have
// done that.
var ErrScorerEnded = fmt.Errorf("%w", ErrScorer)

// An UnusableError is an ErrScorerEnded after the candidate's first answer. If it comes again when
// the evaluation is repeated, the candidate has the Fault.
type UnusableError struct {
	Err   error
	Fault *Fault
}

func (e *UnusableError) Error() string { return e.Err.Error() }
func (e *UnusableError) Unwrap() error { return e.Err }
