package bench

import (
	"context"
	"iter"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
)

// A Search is a method's handle on one run. Only the goroutine that runs Method.Run uses
// it; jobs use their own Step.
type Search struct{}

// Problem is all that a method may know of the task.
func (s *Search) Problem() Problem { panic("todo") }

// Rand returns the named stream of this run, the same generator at every call with the same purpose.
func (s *Search) Rand(purpose string) *rand.Rand { panic("todo") }

// Best returns the best program of the history so far, the earliest among equals.
func (s *Search) Best() (Scored, bool) { panic("todo") }

// Left is the number of evaluations neither spent nor reserved.
func (s *Search) Left() int { panic("todo") }

// Note writes a method's own remark into the journal. v must encode to JSON.
func (s *Search) Note(kind string, v any) { panic("todo") }

// A Job is the work of one step. It runs beside others and uses only what it was given and its own step.
type Job[T any] func(ctx context.Context, st *Step) (T, error)

// A Step is a job's handle on the world.
type Step struct{}

// Number is the step's place in the run, from 0, in the order proposed.
func (st *Step) Number() int { panic("todo") }

// Ask sends a request. The engine sets Request.Draw from the step's own stream.
func (st *Step) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) { panic("todo") }

// Evaluate scores a program on the training split. A step evaluates at most what it
// reserved (one in Stream and Do, none in Consult); more is a programmer's mistake and panics.
func (st *Step) Evaluate(ctx context.Context, p program.Program) (Outcome, error) { panic("todo") }

// Analyze says what CPython sees in a source. It costs nothing and is not journalled.
func (st *Step) Analyze(ctx context.Context, source string) (program.Analysis, error) { panic("todo") }

// Rand is the step's own stream.
func (st *Step) Rand() *rand.Rand { panic("todo") }

// Note adds a remark to the step's record, e.g. the verdict on one structural attempt.
func (st *Step) Note(kind string, v any) { panic("todo") }

// Evaluation is the 1-based index of the step's evaluation among the charged ones; it is known
// once the step is committed, that is in the loop body: Stream passes results in order. See Search.Evaluations.

// Evaluations is the number of evaluations charged so far, in commit order.
func (s *Search) Evaluations() int { panic("todo") }

// Stream keeps up to window jobs in flight and yields their results in the order proposed.
// Every step reserves one evaluation when proposed and settles at commit. It ends when the
// budget is spent, when the request limit is reached, or when propose returns nil and all in
// flight are done. propose and the loop body run on the caller's goroutine, never at once: proposal k is made after
// proposal k-window was committed and its loop body has run. Breaking out of the loop still
// commits what is in flight. An error is yielded once, as the last pair.
func Stream[T any](ctx context.Context, s *Search, window int, propose func() Job[T]) iter.Seq2[T, error] {
	panic("todo")
}

// Do runs one job with one reserved evaluation and waits. ErrSpent when no evaluation is left.
// Inside a Stream's loop body it is committed at once.
func Do[T any](ctx context.Context, s *Search, job Job[T]) (T, error) { panic("todo") }

// Consult runs one job that may ask but not evaluate: a reflection, an EAP proposal. It needs no budget.
// Inside a Stream's loop body it is committed at once. ErrSpent once the request limit is reached.
func Consult[T any](ctx context.Context, s *Search, job Job[T]) (T, error) { panic("todo") }
