package bench

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// Finish completes the run in dir after its search. It re-evaluates the best programs of a noisy
// task, scores the best program on the test splits, and writes result.json. If splits contains
// record.Val, Finish validates the best programs and scores the chosen program on the test splits,
// too. Finish skips splits that result.json already contains, and replaces a torn result.json.
// During a run, only Finish evaluates test and validation instances.
func Finish(
	ctx context.Context, dir string, e *TaskEvaluator, splits []string,
) (*record.Result, error) {
	l, err := record.Load(dir)
	if errors.Is(err, record.ErrTorn) {
		l, err = record.LoadJournal(dir)
	}
	if err == nil {
		err = l.CheckResult()
	}
	if err != nil {
		return nil, err
	}
	tests := l.Result.Tested()
	tests.Val = tests.Val || slices.Contains(splits, record.Val)
	for _, all := range []*[]string{&tests.Best, &tests.Chosen} {
		for _, s := range splits {
			if s != record.Val && !slices.Contains(*all, s) {
				*all = append(*all, s)
			}
		}
	}
	r, err := l.Finish(ctx, tests, &tester{e: e, was: record.Recorded{Result: l.Result}})
	// After an error of ctx, another process may have taken over the directory.
	if err = cmp.Or(err, context.Cause(ctx)); err != nil {
		return nil, err
	}
	return r, record.WriteResult(dir, r)
}

// A tester computes the scores that are not yet in result.json.
type tester struct {
	e   *TaskEvaluator
	was record.Recorded
}

func (t *tester) Rescore(ctx context.Context, programs []Scored) (*record.RescoreResult, error) {
	if known, err := t.was.Rescore(ctx, programs); known != nil || t.e.Task.Rescore == nil {
		return known, err
	}
	fresh, err := t.e.rescore(ctx, programs)
	return fresh.RescoreResult, err
}

func (t *tester) Test(ctx context.Context, all []record.Tested) ([]*record.SplitOutcome, error) {
	return onEach(ctx, all,
		func(ctx context.Context, one record.Tested) (*record.SplitOutcome, error) {
			if known := t.was.Outcome(one); known != nil {
				return known, nil
			}
			return t.e.Test(ctx, one.Split, one.Program)
		})
}

func (t *tester) ValData() string {
	if t.was.Result != nil && t.was.Validation != nil {
		return t.was.Validation.Data
	}
	return t.e.Task.Digest(record.Val)
}

// onEach runs test on all elements concurrently. The loader bounds how many programs run at a time.
func onEach[T any](
	ctx context.Context, all []T,
	test func(ctx context.Context, one T) (*record.SplitOutcome, error),
) ([]*record.SplitOutcome, error) {
	outcomes := make([]*record.SplitOutcome, len(all))
	g, ctx := errgroup.WithContext(ctx)
	for i, one := range all {
		g.Go(func() (err error) {
			outcomes[i], err = test(ctx, one)
			return err
		})
	}
	return outcomes, g.Wait()
}

// A rescored is a re-evaluation, the number of programs that exceeded a time limit, and the largest
// Spent.Share.
type rescored struct {
	*record.RescoreResult
	late  int
	share float64
}

// rescore evaluates the best distinct programs on replicates that the search never saw.
func (e *TaskEvaluator) rescore(ctx context.Context, programs []Scored) (rescored, error) {
	t := e.Task
	ranked := record.Leaders(programs, t.Rescore.Top)

	all := make([]replicates, len(ranked))
	g, gctx := errgroup.WithContext(ctx)
	for i, s := range ranked {
		g.Go(func() (err error) {
			all[i], err = e.replicate(gctx, s.Program)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return rescored{}, err
	}
	out := rescored{RescoreResult: &record.RescoreResult{Replicates: t.Rescore.Replicates}}
	squares, freedom := 0.0, 0
	for i, s := range ranked {
		r := all[i]
		out.share = max(out.share, r.share)
		if timedOut(r.fault) {
			out.late++
		}
		if r.fault != nil {
			continue // a candidate that draws random numbers may fail only here
		}
		mean := record.Mean(r.values)
		for _, v := range r.values {
			squares += (v - mean) * (v - mean)
		}
		freedom += len(r.values) - 1
		out.Programs = append(out.Programs, record.RescoredProgram{
			Evaluation: s.Evaluation, Program: s.Program.ID(),
			Searched: record.Mean(s.Outcome.Values), Fresh: mean,
		})
	}
	if freedom > 0 {
		out.Noise = math.Sqrt(squares / float64(freedom))
	}
	return out, nil
}

// replicates contains one training value for each fresh replicate of a program, or a fault, and the
// largest Spent.Share.
type replicates struct {
	values []float64
	fault  *Fault
	share  float64
}

func (e *TaskEvaluator) replicate(ctx context.Context, p program.Program) (r replicates, _ error) {
	for k := 1; k <= e.Task.Rescore.Replicates; k++ {
		d := e.replicated(p, k)
		o, err := d.run(ctx)
		if err != nil {
			return replicates{}, err
		}
		r.share, r.fault = max(r.share, d.spent.Share), o.Fault
		if r.fault != nil {
			break
		}
		r.values = append(r.values, record.Mean(o.Values))
	}
	return r, nil
}

// Fresh scores a program on the training split of a task with a Rescore. It uses the replicates
// from 1 on, which the search never saw. Each value of the outcome belongs to one instance, and is
// its mean over the replicates.
// All programs get the same random streams, so that their differences have less noise.
func (e *TaskEvaluator) Fresh(ctx context.Context, p program.Program, replicates int) (
	*record.SplitOutcome, error) {
	out := &record.SplitOutcome{Values: make([]float64, e.Task.Splits[0].Instances)}
	for k := 1; k <= replicates; k++ {
		o, err := e.replicated(p, k).run(ctx)
		if err != nil {
			return nil, err
		}
		if o.Fault != nil {
			return &record.SplitOutcome{Fault: o.Fault}, nil
		}
		for i, v := range o.Values {
			out.Values[i] += v / float64(replicates)
		}
	}
	out.Mean = record.Mean(out.Values)
	return out, nil
}

// replicated returns the evaluation of a program on one replicate.
func (e *TaskEvaluator) replicated(p program.Program, k int) *evaluation {
	d := e.begin(e.Task.Splits[0], p)
	d.score = func(ctx context.Context, in Instance, f Target) (m Measure, err error) {
		m.Value, err = e.Task.Rescore.Score(ctx, k, in, f)
		return m, err
	}
	return d
}
