package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Scorer is trusted Python that scores candidates without seeing them: a Gymnasium environment, a
// simulator, a solver. It runs in its own process, which candidates cannot reach, and asks Go to
// call the candidate. Hosts identify a Scorer by Packages, Modules and Main.
type Scorer struct {
	// Packages names the Python packages that the scorer needs in addition to NumPy and SciPy:
	// "control" (python/env). Candidates do not have them. Empty: no additional packages.
	Packages string
	Modules  map[string]string // Python source by module name; imports find these modules
	Main     string            // the module whose functions Host.Call calls
	// Fork makes each Hosts.Lend lend a fork of the process, so that no state outlives the call.
	Fork bool
	// Probe is called with the first process, before the first evaluation. It returns an error if
	// the environment behaves differently from when the task was made. nil: no probe.
	Probe func(ctx context.Context, h Host) error
	// Decode returns a function that converts the values from an episode's View, a class of the
	// module "view", into observations. Each observation is valid until the next one. nil: the
	// scorer has no such module.
	Decode func() func(values []Value) (Array, error)
}

// A Host is a trusted Python process that has imported a Scorer's modules. Only one goroutine may
// use it at a time.
type Host interface {
	// Call calls function(job, ask) of Scorer.Main and returns its values. The function gets job,
	// which is encoded as JSON, and may call ask(*values) any number of times: ask in Go gets the
	// values, and Python gets the list that ask returns. Values are Int, Float, Bool, None and
	// Array; text and files are arrays of uint8. An error of ask, such as a candidate's fault, ends
	// Call with the same error: ask raises in Python, and the process is ready for the next Call.
	// Other Python exceptions, and a process that ends, give errors that wrap ErrScorer.
	Call(ctx context.Context, function string, job any,
		ask func(ctx context.Context, values []Value) ([]Value, error)) ([]Value, error)
	// CPU is the CPU time that the process has used so far; 0 if it is unknown.
	CPU() time.Duration
}

// Hosts lends processes of scorers. It is safe for concurrent use. host.Workers implements it.
type Hosts interface {
	// Lend waits until a process of s is free, calls use with it, and takes it back. It returns the
	// error of use, or the reason why no process is available.
	Lend(ctx context.Context, s *Scorer, use func(Host) error) error
}

// ErrScorer means that trusted Python failed: it raised an exception, or its process ended. The
// candidate may be correct. The evaluation is repeated once.
var ErrScorer = errors.New("the scorer failed")

// ErrScorerEnded is an ErrScorer whose process ended or stopped answering. A candidate's answer may
// be the cause.
var ErrScorerEnded = fmt.Errorf("%w", ErrScorer)

// An UnusableError is an ErrScorerEnded after the candidate's first answer. If the repeated
// evaluation fails in the same way, the candidate gets Fault.
type UnusableError struct {
	Err   error
	Fault *Fault
}

func (e *UnusableError) Error() string { return e.Err.Error() }
func (e *UnusableError) Unwrap() error { return e.Err }
