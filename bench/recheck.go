package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// Timeouts counts the differences between a run and its recheck that only a time limit causes,
// because one of the two machines is slower.
type Timeouts struct {
	// Unseen counts results that cannot be compared: of programs that exceed a limit here, and of
	// test instances that exceed a limit here or exceeded one in the run.
	Unseen int
	Then   int // results that exceeded a limit in the run; here, the program takes long but ends
}

// Add adds more to t.
func (t *Timeouts) Add(more Timeouts) { t.Unseen, t.Then = t.Unseen+more.Unseen, t.Then+more.Then }

// slowest is the largest factor by which a machine may be slower than another. If a program needs
// less than 1/slowest of its limit here, the run's timeout had another reason.
const slowest = 16

// times returns the same evaluator with time limits multiplied by factor.
func (e *TaskEvaluator) times(factor float64) *TaskEvaluator {
	longer := *e
	longer.TimeScale = factor * max(e.TimeScale, 1)
	return &longer
}

// Recheck evaluates a program of a journal again, and compares the score, the values and the kind
// of fault. e has the limits of the run; a program that exceeds a time limit only here is repeated
// with limits multiplied by more.
func (e *TaskEvaluator) Recheck(ctx context.Context, old record.Evaluation, more float64) (
	t Timeouts, err error) {
	p := program.Program{Source: old.Source}
	now, err := e.Evaluate(ctx, p)
	share := now.Spent.Share
	if err == nil && more > 1 && timedOut(now.Fault) && !timedOut(old.Fault) {
		now, err = e.times(more).Evaluate(ctx, p)
	}
	switch {
	case err != nil:
		return t, err
	case timedOut(now.Fault) && !timedOut(old.Fault):
		t.Unseen++
	case timedOut(old.Fault) && !timedOut(now.Fault) && slowest*share >= 1:
		t.Then++
	case (old.Fault == nil) != (now.Fault == nil) ||
		old.Fault != nil && old.Fault.Kind != now.Fault.Kind:
		err = fmt.Errorf("evaluation %d: the journal says %s, now it is %s",
			old.Evaluation, ending(old.Outcome), ending(now.Outcome))
	case old.Score != now.Score || !slices.Equal(old.Values, now.Values):
		err = fmt.Errorf("evaluation %d: score %v in the journal, %v now%s",
			old.Evaluation, old.Score, now.Score, firstOther(old.Values, now.Values))
	}
	return t, err
}

// firstOther names the first instance, from 0, on which two lists of values differ. It prints
// enough digits to show the difference; the scores may be equal.
func firstOther(was, now []float64) string {
	for i, v := range was {
		if i < len(now) && v != now[i] {
			return fmt.Sprintf("; instance %d: %v in the journal, %v now", i, v, now[i])
		}
	}
	if len(was) == len(now) {
		return ", although all values are equal"
	}
	return fmt.Sprintf("; %d values in the journal, %d now", len(was), len(now))
}

// CheckTests calls CheckResult, repeats the work of Finish for the test values, the validation and
// the re-evaluation in result.json, and compares the results. e has the limits of the run; a
// program that exceeds a time limit only here is repeated with limits multiplied by more.
// CheckTests returns the number of test splits.
func (e *TaskEvaluator) CheckTests(ctx context.Context, l *record.Loaded, more float64) (
	splits int, sum Timeouts, err error) {
	if err := l.CheckResult(); err != nil || l.Result == nil || l.Result.Best == nil {
		return 0, sum, err
	}
	if e.Task.Rescore != nil && l.Result.Rescored == nil {
		return 0, sum, hint.Add(
			fmt.Errorf("%s: result.json has no re-evaluation, but every run on %s ends with one",
				l.Dir, e.Task.Name), "remove result.json and repeat the run's command")
	}
	again := &retester{tester: tester{e, record.Recorded{Result: l.Result}}, more: more}
	now, err := l.Finish(ctx, l.Result.Tested(), again)
	if err != nil {
		return 0, sum, err
	}
	type evaluated struct {
		Tests      map[string]*record.SplitOutcome `json:"tests,omitempty"`
		Rescored   *record.RescoreResult           `json:"rescored,omitempty"`
		Validation *record.Validation              `json:"validation,omitempty"`
	}
	was := evaluated{l.Result.Tests, l.Result.Rescored, l.Result.Validation}
	d := record.Difference(was, evaluated{now.Tests, now.Rescored, now.Validation})
	if d != "" {
		return 0, sum, fmt.Errorf("%s: result.json %s", l.Dir, d)
	}
	return len(was.Tests), again.sum, nil
}

// A retester recomputes the scores in a result.
type retester struct {
	tester
	more float64
	mu   sync.Mutex
	sum  Timeouts // guarded by mu
}

func (r *retester) add(t Timeouts) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sum.Add(t)
}

func (r *retester) Rescore(ctx context.Context, programs []Scored) (*record.RescoreResult, error) {
	if r.e.Task.Rescore == nil {
		return nil, nil
	}
	now, t, err := r.e.rescoreAgain(ctx, programs, r.was.Rescored, r.more)
	r.add(t)
	return now, err
}

func (r *retester) Test(ctx context.Context, all []record.Tested) ([]*record.SplitOutcome, error) {
	return onEach(ctx, all,
		func(ctx context.Context, one record.Tested) (*record.SplitOutcome, error) {
			was := r.was.Outcome(one)
			if was == nil { // the run did not test this program
				return r.e.Test(ctx, one.Split, one.Program)
			}
			now, t, err := r.e.retest(ctx, one.Split, one.Program, was, r.more)
			r.add(t)
			return now, err
		})
}

func (r *retester) ValData() string { return r.e.Task.Digest(record.Val) }

// retest repeats a test of a run. If only time limits make a difference, it returns the run's
// outcome and the number of results that differ.
func (e *TaskEvaluator) retest(ctx context.Context, split string, p program.Program,
	was *record.SplitOutcome, more float64) (now *record.SplitOutcome, t Timeouts, err error) {
	now, spent, err := e.test(ctx, split, p)
	if err != nil {
		return nil, t, err
	}
	t, alike := timeouts(was, now)
	if t.Unseen > 0 && more > 1 {
		if now, err = e.times(more).Test(ctx, split, p); err != nil {
			return nil, t, err
		}
		t, alike = timeouts(was, now)
	}
	if !alike || t == (Timeouts{}) || t.Then > 0 && slowest*spent.Share < 1 {
		return now, Timeouts{}, nil
	}
	return was, t, nil
}

// timeouts counts the differences that only a time limit causes, and reports whether everything
// else is equal. The value that an instance had reached at its limit cannot be reproduced. was must
// have passed CheckResult.
func timeouts(was, now *record.SplitOutcome) (t Timeouts, alike bool) {
	switch {
	case timedOut(now.Fault) && !timedOut(was.Fault):
		return Timeouts{Unseen: 1}, true
	case timedOut(was.Fault) && !timedOut(now.Fault):
		return Timeouts{Then: 1}, true
	case was.Fault != nil || now.Fault != nil || len(was.Values) != len(now.Values):
		return t, false
	}
	before, after := faults(was), faults(now)
	for i := range was.Values {
		switch a, b := before[i], after[i]; {
		case a == b && was.Values[i] == now.Values[i]:
		case a == b && a.Kind == Timeout, (a.Kind == Timeout) != (b.Kind == Timeout):
			t.Unseen++
		default:
			return t, false
		}
	}
	return t, true
}

// faults returns the faults of an outcome by instance.
func faults(o *record.SplitOutcome) map[int]Fault {
	all := map[int]Fault{}
	for _, f := range o.Failed {
		all[f.Instance] = f.Fault
	}
	return all
}

// rescoreAgain repeats the re-evaluation of a run. A re-evaluation omits programs that exceed a
// time limit. If such programs, in the run or here, can explain a difference, only the programs in
// the run's re-evaluation are compared, with limits multiplied by more.
func (e *TaskEvaluator) rescoreAgain(
	ctx context.Context, programs []Scored, was *record.RescoreResult, more float64,
) (now *record.RescoreResult, t Timeouts, err error) {
	again, err := e.rescore(ctx, programs)
	now = again.RescoreResult
	if err != nil || record.Difference(was, now) == "" {
		return now, t, err
	}
	for _, p := range now.Programs {
		if was.Program(p.Evaluation) == nil {
			t.Then++
		}
	}
	if again.late == 0 && (t.Then == 0 || slowest*again.share < 1) {
		return now, Timeouts{}, nil
	}
	programs = slices.DeleteFunc(slices.Clone(programs), func(s Scored) bool {
		return was.Program(s.Evaluation) == nil
	})
	again, err = e.times(more).rescore(ctx, programs)
	if t.Unseen = again.late; t.Unseen > 0 {
		return was, t, err
	}
	return again.RescoreResult, t, err
}

// ending describes how an evaluation ended.
func ending(o record.Outcome) string {
	switch {
	case o.Fault == nil:
		return fmt.Sprintf("score %v", o.Score)
	case o.Fault.Detail == "":
		return string(o.Fault.Kind)
	}
	return o.Fault.Error()
}
