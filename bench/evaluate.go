package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pacebench/pacebench/bench/program"
)

// A TaskEvaluator scores programs on a task's training split, each in a confined process of its
// own.
type TaskEvaluator struct {
	Task   *Task
	Loader Loader
}

var _ Evaluator = (*TaskEvaluator)(nil)

// Evaluate scores p on the training split.
func (t *TaskEvaluator) Evaluate(ctx context.Context, p program.Program) (Outcome, error) {
	return Score(ctx, t.Task, t.Task.Splits[0].Name, t.Loader, p)
}

// Score evaluates a program on one split: one process, the instances in order. A failing instance
// fails the whole evaluation; there is no partial score.
func Score(ctx context.Context, t *Task, split string, loader Loader, p program.Program) (Outcome, error) {
	sp, ok := t.Split(split)
	if !ok {
		return Outcome{}, fmt.Errorf("task %s has no split %q", t.Name, split)
	}
	return drive(ctx, t, sp, loader, p, func(ctx context.Context, i int, f Target) (float64, []Blob, error) {
		return t.Score(ctx, split, i, f)
	})
}

// A pinner is a Target that can be kept on one CPU with the goroutine that calls it, for speed
// alone.
type pinner interface{ Pin() (release func()) }

// Waits before an interrupted evaluation is repeated: a machine that was out of memory needs a
// moment. Ours.
var interruptedWaits = []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second}

// drive scores a program on every instance, and again from the start when the machine interrupted
// it.
func drive(ctx context.Context, t *Task, sp Split, loader Loader, p program.Program,
	score func(ctx context.Context, i int, f Target) (float64, []Blob, error)) (Outcome, error) {
	for try := 0; ; try++ {
		o, err := driveOnce(ctx, t, sp, loader, p, score)
		if !errors.Is(err, ErrInterrupted) || try == len(interruptedWaits) {
			return o, err
		}
		select {
		case <-time.After(interruptedWaits[try]):
		case <-ctx.Done():
			return Outcome{}, ctx.Err()
		}
	}
}

func driveOnce(ctx context.Context, t *Task, sp Split, loader Loader, p program.Program,
	score func(ctx context.Context, i int, f Target) (float64, []Blob, error)) (o Outcome, err error) {
	f, err := loader.Load(ctx, p.Source, t.Prelude, t.Template.Name, sp.Limits)
	if err != nil {
		return faultOrError(ctx, err)
	}
	defer func() {
		if cerr := f.Close(); cerr != nil && err == nil {
			err = cerr
		}
	}()
	if p, ok := f.(pinner); ok {
		defer p.Pin()()
	}
	for i := range sp.Instances {
		v, blobs, err := score(ctx, i, f)
		if err != nil {
			return faultOrError(ctx, err)
		}
		o.Values = append(o.Values, v)
		o.Evidence = append(o.Evidence, blobs...)
	}
	o.Score = Mean(o.Values)
	if t.Goal == Minimize {
		o.Score = -o.Score
	}
	return sanitize(o), nil
}

// faultOrError sorts a candidate's failure from a broken world. While ctx is done everything is the
// latter: a candidate killed by Ctrl-C has not failed.
func faultOrError(ctx context.Context, err error) (Outcome, error) {
	if ctx.Err() != nil {
		return Outcome{}, ctx.Err()
	}
	var fault *Fault
	if errors.As(err, &fault) {
		return Outcome{Fault: fault}, nil
	}
	return Outcome{}, err
}
