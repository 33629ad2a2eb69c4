package bench

import (
	"context"
	"errors"
	"time"
)

// Limits bound one evaluation: a candidate's whole life on one split.
type Limits struct {
	CPU    time.Duration // used by the process itself; zero: 30 s
	Wall   time.Duration // while the candidate is asked; for sleepers; zero: 3 times CPU and 10 s
	Memory int64         // bytes of address space beyond the interpreter's own; zero: 1 GiB
	Scale  float64       // the run's factor on CPU and Wall (Header.TimeScale); zero: 1
}

// ErrInterrupted means that the machine ended an evaluation: a process was killed from outside, or
// the sandbox's own is gone. It says nothing about the candidate, and the evaluation can be
// repeated.
var ErrInterrupted = errors.New("evaluation interrupted")

// A Loader makes candidates callable. Implemented by sandbox.Pool. Load blocks until a worker
// is free; how many there are depends on the machine (--jobs), never on the method.
type Loader interface {
	// Load starts a confined process, runs prelude and then source in it as a module, and returns
	// its function name. What the candidate does wrong (syntax, raising at import, a missing
	// function, time, memory) is a *Fault error.
	Load(ctx context.Context, source, prelude, name string, limits Limits) (Target, error)
}

// A Target is a loaded candidate in a confined process: it can be called, nothing else. One
// goroutine uses it at a time.
type Target interface {
	// Call calls the function positionally. A *Fault error (Raised, Timeout, Memory, Crashed)
	// ends the target: later calls return the same fault.
	Call(ctx context.Context, args ...Value) (Value, error)
	// Upload hands over an array once and returns a handle for use in Call; the candidate
	// sees one writable object of its own behind it, the same at every call.
	Upload(ctx context.Context, a Array) (Handle, error)
	// Close ends the process and waits for it. It is safe to call twice.
	Close() error
	// CPU is the CPU time that the candidate has used so far, of Limit; 0: not known. A display may
	// ask for both at any time before Close.
	CPU() time.Duration
	Limit() time.Duration
	// Pin keeps the process on one CPU with the goroutine that calls it and with h, which may be
	// nil, until release is called, for speed alone. Candidates without a process are Unmeasured.
	Pin(h Host) (release func())
}

// A Looper is a Target that can put many questions to its candidate at the price of one. The
// prelude defines a generator, questions(*args), which yields the arguments of a call and is sent
// the integer that the candidate returned; the loop ends with the generator, or with an answer that
// is no integer. One process holds the questions and the candidate, and the candidate may rewrite
// them, so a task checks the answers as if it had asked each question itself.
type Looper interface {
	Target
	// Loop returns all answers: the last one as Call does, the ones before it, which are integers,
	// apart. A *Fault error ends the target, as Call's does; it is the fault of the first call that
	// fails, whatever the ones before it returned.
	Loop(ctx context.Context, args ...Value) (first []int64, last Value, err error)
}

// Unmeasured is the part of a Target that has no process of its own.
type Unmeasured struct{}

func (Unmeasured) CPU() time.Duration        { return 0 }
func (Unmeasured) Limit() time.Duration      { return 0 }
func (Unmeasured) Pin(Host) (release func()) { return func() {} }
