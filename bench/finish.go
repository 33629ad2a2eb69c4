package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	programs := l.Programs()
	if len(programs) > 0 {
		if e.Task.Rescore != nil && r.Rescored == nil {
			if r.Rescored, _, _, err = e.rescore(ctx, programs); err != nil {
				return nil, err
			}
		}
		best := l.Winner(programs)
		splits = slices.DeleteFunc(slices.Clone(splits), func(s string) bool {
			return r.Tests[s] != nil
		})
		outcomes, err := e.tests(ctx, best.Program, splits)
		if err != nil {
			return nil, err
		}
		for i, s := range splits {
			r.Tests[s] = outcomes[i]
		}
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
	now.Tests = map[string]*record.SplitOutcome{}
	programs := l.Programs()
	best := l.Winner(programs).Program
	var mu sync.Mutex // guards sum and now.Tests
	g, gctx := errgroup.WithContext(ctx)
	for s, old := range was.Tests {
		g.Go(func() error {
			o, t, err := e.retest(gctx, s, best, old, more)
			mu.Lock()
			defer mu.Unlock()
			sum.Add(t)
			now.Tests[s] = o
			return err
		})
	}
	if err := g.Wait(); err != nil {
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

// tests scores one program on several splits at once; the loader bounds how many run.
func (e *TaskEvaluator) tests(
	ctx context.Context, p program.Program, splits []string) ([]*record.SplitOutcome, error) {
	outcomes := make([]*record.SplitOutcome, len(splits))
	g, ctx := errgroup.WithContext(ctx)
	for i, s := range splits {
		g.Go(func() (err error) {
			outcomes[i], err = e.Test(ctx, s, p)
			return err
		})
	}
	return outcomes, g.Wait()
}

// rescore evaluates the best distinct programs on replicates that the search never saw. It also
// returns how many of them met a limit of time, and the largest Spent.Share.
func (e *TaskEvaluator) rescore(ctx context.Context, programs []Scored) (
	_ *record.RescoreResult, late int, share float64, err error) {
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

	fresh, faults := make([][]float64, len(ranked)), make([]*Fault, len(ranked))
	shares := make([]float64, len(ranked))
	g, gctx := errgroup.WithContext(ctx)
	for i, s := range ranked {
		g.Go(func() (err error) {
			fresh[i], faults[i], shares[i], err = e.replicates(gctx, s.Program)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, 0, 0, err
	}
	out := &record.RescoreResult{Replicates: t.Rescore.Replicates}
	squares, freedom := 0.0, 0
	for i, s := range ranked {
		share = max(share, shares[i])
		if timedOut(faults[i]) {
			late++
		}
		if faults[i] != nil {
			continue // it failed this time: a candidate that draws on its own randomness
		}
		mean := Mean(fresh[i])
		for _, v := range fresh[i] {
			squares += (v - mean) * (v - mean)
		}
		freedom += len(fresh[i]) - 1
		out.Programs = append(out.Programs, record.RescoredProgram{
			Evaluation: s.Evaluation, Program: s.Program.ID(),
			Searched: Mean(s.Outcome.Values), Fresh: mean,
		})
	}
	if freedom > 0 {
		out.Noise = math.Sqrt(squares / float64(freedom))
	}
	return out, late, share, nil
}

// replicates returns one training value for each fresh replicate of a program, or a fault, and the
// largest Spent.Share.
func (e *TaskEvaluator) replicates(ctx context.Context, p program.Program) (
	values []float64, _ *Fault, share float64, _ error) {
	for k := 1; k <= e.Task.Rescore.Replicates; k++ {
		d := e.drive(e.Task.Splits[0], p)
		d.score = func(ctx context.Context, in Instance, f Target) (m Measure, err error) {
			m.Value, err = e.Task.Rescore.Score(ctx, k, in.Number, f)
			return m, err
		}
		parts, err := d.run(ctx)
		if err != nil {
			return nil, nil, 0, err
		}
		share = max(share, d.spent.Share)
		o := e.outcome(parts)
		if o.Fault != nil {
			return nil, o.Fault, share, nil
		}
		values = append(values, Mean(o.Values))
	}
	return values, nil, share, nil
}
