package bench

import (
	"context"
	"iter"
	"math/rand/v2"
	"path/filepath"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// A Search is a method's handle on one run. Only the goroutine that runs Method.Run may use it;
// jobs use their own Step.
type Search struct {
	e    *engine
	pump func(head int)
	room func() bool // implements Room for the open Stream; nil outside of a Stream
}

// Pump sets f to be called whenever a Stream is about to wait for its oldest step, whose number is
// head. f runs on the run's goroutine, and may serve jobs that wait for it.
func (s *Search) Pump(f func(head int)) { s.pump = f }

// Room reports whether the open Stream would ask for a proposal if its loop body continued now.
func (s *Search) Room() bool { return s.room != nil && s.room() }

// Log returns the file to which a method's own process may print; "" in a replay, which writes no
// file.
func (s *Search) Log() string {
	if s.e.replayOnly {
		return ""
	}
	return filepath.Join(s.e.dir, record.MethodLog)
}

// Seed returns the seed of the run. All random numbers follow from it.
func (s *Search) Seed() uint64 { return s.e.Header.Seed }

// Problem returns everything that a method may know about the task, with the runtime from the
// header.
func (s *Search) Problem() Problem {
	p := s.e.Problem
	if text := s.e.Header.Runtime(); text != "" {
		p.Runtime = text
	}
	return p
}

// Rand returns the named random stream of this run. Every call with the same purpose returns the
// same generator.
func (s *Search) Rand(purpose string) *rand.Rand {
	r, ok := s.e.streams[purpose]
	if !ok {
		r = stream(s.e.Header.Seed, "method/"+purpose)
		s.e.streams[purpose] = r
	}
	return r
}

// Best returns the best program so far, or the earliest one if several are equal, and whether any
// program has a score.
func (s *Search) Best() (Scored, bool) {
	if s.e.best == nil {
		return Scored{}, false
	}
	return *s.e.best, true
}

// Note writes a note of the method into the journal.
func (s *Search) Note(n note.Note) { s.e.note(n) }

// A Job is the work of one step. Jobs run concurrently, and each job uses only its own values and
// its own step.
type Job[T any] func(ctx context.Context, st *Step) (T, error)

// flight is one job in progress.
type flight[T any] struct {
	step  *Step
	done  chan struct{} // closed when value and err are set
	value T
	err   error
}

func launch[T any](ctx context.Context, st *Step, job Job[T]) *flight[T] {
	f := &flight[T]{step: st, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		f.value, f.err = job(ctx, st)
	}()
	return f
}

// Stream keeps up to window jobs in flight and yields their results in the order of proposal.
//
// Every step reserves one evaluation when it is proposed, and settles the reservation at commit.
// The stream ends when the budget is spent, when the limit on requests is reached, or when propose
// has returned nil and all jobs in flight are done. propose and the loop body run on the caller's
// goroutine, never concurrently: proposal k is made after proposal k-window was committed and its
// loop body has run, so no proposal depends on speed. Breaking out of the loop still commits the
// jobs in flight. An error is yielded once, as the last pair; no job is running then.
func Stream[T any](
	ctx context.Context, s *Search, window int, propose func() Job[T],
) iter.Seq2[T, error] {
	if window < 1 {
		panic("bench: a stream's window must be at least 1")
	}
	return func(yield func(T, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var queue []*flight[T]
		defer func() {
			cancel()
			for _, f := range queue {
				<-f.done
			}
		}()
		fail := func(err error) {
			var none T
			yield(none, err)
		}
		closed, broken, begun := false, false, false
		room := func() bool {
			return !closed && len(queue) < window && !s.Spent() && !s.e.exhausted(len(queue))
		}
		s.room = room
		defer func() { s.room = nil }()
		for {
			for room() {
				job := propose()
				if job == nil {
					closed = true
					break
				}
				if !room() {
					break // propose has spent the rest of the budget
				}
				queue = append(queue, launch(ctx, s.e.newStep(1), job))
			}
			if len(queue) == 0 {
				if !begun {
					if err := s.e.atNoCost(); err != nil {
						fail(err)
					}
				}
				return
			}
			begun = true
			head := queue[0]
			if s.pump != nil {
				s.pump(head.step.Number())
			}
			<-head.done
			queue = queue[1:]
			err := head.err
			if err == nil && broken {
				err = ctx.Err() // a canceled context may be the reason for leaving the loop
			}
			if err == nil {
				err = s.e.commit(head.step)
			}
			if err != nil {
				cancel()
				for _, f := range queue {
					<-f.done
				}
				queue = nil
				if !broken {
					fail(stepError(head.step, err))
				} else {
					s.e.failed = stepError(head.step, err)
				}
				return
			}
			if !broken && !yield(head.value, nil) {
				closed, broken = true, true
			}
		}
	}
}

// Do runs one job with one reserved evaluation and waits for it. It returns ErrSpent if no
// evaluation is left or the limit on requests is reached. Inside a Stream's loop body the job is
// committed immediately, before the jobs in flight.
func Do[T any](ctx context.Context, s *Search, job Job[T]) (T, error) {
	if s.Spent() {
		var none T
		return none, s.e.refuse()
	}
	return do(ctx, s, 1, job)
}

// Consult runs one job that may ask the model but not evaluate a program: a reflection, an EAP
// proposal. It reserves no evaluation, and returns ErrSpent if the limit on requests is reached.
// Inside a Stream's loop body the job is committed immediately, before the jobs in flight.
func Consult[T any](ctx context.Context, s *Search, job Job[T]) (T, error) {
	return do(ctx, s, 0, job)
}

func do[T any](ctx context.Context, s *Search, evaluations int, job Job[T]) (T, error) {
	var none T
	if s.e.exhausted(0) {
		return none, s.e.refuse()
	}
	st := s.e.newStep(evaluations)
	value, err := job(ctx, st)
	if err == nil {
		err = s.e.commit(st)
	}
	if err != nil {
		// The run ends here. A stream around this call is about to end, too, and must not commit
		// its jobs in flight: an undisturbed run would have committed this step first.
		s.e.failed = stepError(st, err)
		return none, s.e.failed
	}
	return value, nil
}
