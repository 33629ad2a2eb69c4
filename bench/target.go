package bench

import (
	"context"
	"errors"
	"time"
)

// Limits bound the whole life of a candidate process.
type Limits struct {
	CPU    time.Duration // CPU time of the process; zero: 30 s
	Wall   time.Duration // elapsed time of calls; zero: 3 times CPU plus 10 s
	Memory int64         // bytes of address space in addition to the interpreter's own; zero: 1 GiB
	Scale  float64       // the run's factor on CPU and Wall (Header.TimeScale); zero: 1
}

// ErrInterrupted means that the machine ended an evaluation: a process was killed from outside, or
// the sandbox's own process has ended. The candidate may be correct, and the evaluation can be
// repeated.
var ErrInterrupted = errors.New("evaluation interrupted")

// A Loader makes candidates callable. sandbox.Workers implements it. Load blocks until a worker is
// free; the number of workers depends on the machine (--jobs), never on the method.
type Loader interface {
	// Load starts a confined process, runs prelude and then source in it as a module, and returns
	// the function with the given name as a Target. An error of the candidate (syntax, an exception
	// at import, a missing function, time, memory) is a *Fault error.
	Load(ctx context.Context, source, prelude, name string, limits Limits) (Target, error)
}

// A Target is a loaded candidate in a confined process. Only one goroutine may use it at a time.
type Target interface {
	// Call calls the function with positional arguments. A *Fault error (Raised, Timeout, Memory,
	// Crashed) ends the target: later calls return the same fault.
	Call(ctx context.Context, args ...Value) (Value, error)
	// Upload copies an array into the process once and returns a handle for use in Call. The
	// candidate sees its own writable object, which is the same object in every call.
	Upload(ctx context.Context, a Array) (Handle, error)
	// Close ends the process and waits for it. It may be called twice.
	Close() error
	// CPU is the CPU time that the candidate has used so far, and Limit is its limit; 0 if unknown.
	// A display may call both at any time before Close.
	CPU() time.Duration
	Limit() time.Duration
	// Pin keeps the process, the calling goroutine and h, which may be nil, on one CPU until
	// release is called. It only makes calls faster. Candidates without a process embed Unmeasured.
	Pin(h Host) (release func())
}

// A Looper is a Target that can ask its candidate many questions at the cost of one call. The
// prelude defines a generator, questions(*args), which yields the arguments of a call and receives
// the integer that the candidate returned. The loop ends with the generator, or with an answer that
// is not an integer. One process contains the questions and the candidate, and the candidate may
// rewrite the questions, so a task must check the answers as if it had asked each question itself.
type Looper interface {
	Target
	// Loop returns all answers: first contains the earlier answers, which are integers, and last is
	// the last answer, as Call returns it. A *Fault error ends the target, as in Call. The error is
	// the fault of the first call that fails; the earlier answers are lost.
	Loop(ctx context.Context, args ...Value) (first []int64, last Value, err error)
}

// Unmeasured implements part of Target for a candidate without its own process.
type Unmeasured struct{}

func (Unmeasured) CPU() time.Duration        { return 0 }
func (Unmeasured) Limit() time.Duration      { return 0 }
func (Unmeasured) Pin(Host) (release func()) { return func() {} }
