package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/record"
)

// Finish does what comes after the search in dir: fresh scores for a stochastic task's best
// programs, the test splits for the best program, and result.json. Splits that result.json already
// has are not evaluated again; a torn result.json is written anew. Test instances are evaluated
// here and in CheckTests, and nowhere else.
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
	r := l.Summarize()
	if l.Result != nil {
		r.Tests, r.Rescored = l.Result.Tests, l.Result.Rescored
	}
	if r.Tests == nil {
		r.Tests = map[string]*record.SplitOutcome{}
	}
	if programs := l.Programs(); len(programs) > 0 {
		if e.Task.Rescore != nil && r.Rescored == nil {
			fresh, err := e.rescore(ctx, programs)
			if err != nil {
				return nil, err
			}
			r.Rescored = fresh.RescoreResult
		}
		best := l.Winner(programs).Program
		missing := slices.DeleteFunc(slices.Clone(splits), func(s string) bool {
			return r.Tests[s] != nil
		})
		tests, _, err := onSplits(ctx, missing,
			func(ctx context.Context, s string) (o *record.SplitOutcome, t Timeouts, err error) {
				o, err = e.Test(ctx, s, best)
				return o, t, err
			})
		if err != nil {
			return nil, err
		}
		maps.Copy(r.Tests, tests)
	}
	if err := context.Cause(ctx); err != nil { // also: the directory is another process's
		return nil, err
	}
	return r, record.WriteResult(dir, r)
}

// CheckTests does anew what Finish did for the test values and the re-evaluation in result.json,
// and compares, after CheckResult. e has the limits of the run; a program that meets one of time
// here alone gets more times as long. It returns how many splits there are.
func (e *TaskEvaluator) CheckTests(ctx context.Context, l *record.Loaded, more float64) (
	splits int, sum Timeouts, err error) {
	if err := l.CheckResult(); err != nil || l.Result == nil || l.Result.Best == nil {
		return 0, sum, err
	}
	was := struct {
		Tests    map[string]*record.SplitOutcome `json:"tests,omitempty"`
		Rescored *record.RescoreResult           `json:"rescored,omitempty"`
	}{l.Result.Tests, l.Result.Rescored}
	now := was
	programs := l.Programs()
	best := l.Winner(programs).Program
	now.Tests, sum, err = onSplits(ctx, slices.Collect(maps.Keys(was.Tests)),
		func(ctx context.Context, s string) (*record.SplitOutcome, Timeouts, error) {
			return e.retest(ctx, s, best, was.Tests[s], more)
		})
	if err != nil {
		return 0, sum, err
	}
	if was.Rescored != nil && e.Task.Rescore != nil {
		var t Timeouts
		if now.Rescored, t, err = e.rescoreAgain(ctx, programs, was.Rescored, more); err != nil {
			return 0, sum, err
		}
		sum.Add(t)
	}
	if d := record.Difference(was, now); d != "" {
		return 0, sum, fmt.Errorf("%s: result.json %s", l.Dir, d)
	}
	return len(was.Tests), sum, nil
}

// onSplits tests a program on several splits at once; the loader bounds how many run.
func onSplits(
	ctx context.Context, splits []string,
	test func(ctx context.Context, split string) (*record.SplitOutcome, Timeouts, error),
) (outcomes map[string]*record.SplitOutcome, sum Timeouts, err error) {
	outcomes = map[string]*record.SplitOutcome{}
	var mu sync.Mutex // guards outcomes and sum
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range splits {
		g.Go(func() error {
			o, t, err := test(ctx, s)
			mu.Lock()
			defer mu.Unlock()
			outcomes[s] = o
			sum.Add(t)
			return err
		})
	}
	err = g.Wait()
	return outcomes, sum, err
}

// A rescored is a re-evaluation, with how many programs met a limit of time, and the largest
// Spent.Share.
type rescored struct {
	*record.RescoreResult
	late  int
	share float64
}

// rescore evaluates the best distinct programs on replicates that the search never saw.
func (e *TaskEvaluator) rescore(ctx context.Context, programs []Scored) (rescored, error) {
	t := e.Task
	ranked := slices.Clone(programs)
	slices.SortStableFunc(ranked, func(a, b Scored) int {
		return cmp.Compare(b.Outcome.Score, a.Outcome.Score)
	})
	seen := map[string]bool{}
	ranked = slices.DeleteFunc(ranked, func(s Scored) bool {
		dup := seen[s.Program.ID()]
		seen[s.Program.ID()] = true
		return dup
	})
	ranked = ranked[:min(len(ranked), t.Rescore.Top)]

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
			continue // it failed this time: a candidate that draws on its own randomness
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

// replicates are one training value for each fresh replicate of a program, or a fault, and the
// largest Spent.Share.
type replicates struct {
	values []float64
	fault  *Fault
	share  float64
}

func (e *TaskEvaluator) replicate(ctx context.Context, p program.Program) (r replicates, _ error) {
	for k := 1; k <= e.Task.Rescore.Replicates; k++ {
		d := e.drive(e.Task.Splits[0], p)
		d.score = func(ctx context.Context, in Instance, f Target) (m Measure, err error) {
			m.Value, err = e.Task.Rescore.Score(ctx, k, in.Number, f)
			return m, err
		}
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
