package bench

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// Timeouts counts what differs from a run in a limit of time alone, because one of two machines was
// slower than the other.
type Timeouts struct {
	Unseen int // of which a limit of time hides here what the run says: nothing is shown
	Then   int // that met a limit in the run, and none here, where they take long as well
}

// Add adds up.
func (t *Timeouts) Add(more Timeouts) { t.Unseen, t.Then = t.Unseen+more.Unseen, t.Then+more.Then }

// slowest is how many times slower than another a machine may be. A program that takes a smaller
// part of its limit here has met it for another reason.
const slowest = 16

// times is the same evaluator with longer limits of time.
func (e *TaskEvaluator) times(factor float64) *TaskEvaluator {
	longer := *e
	longer.TimeScale = factor * max(e.TimeScale, 1)
	return &longer
}

// Recheck evaluates a program of a journal again, and compares score, values and kind of fault. e
// has the limits of the run; a program that meets one of time here alone gets more times as long.
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

// firstOther names the first instance, from 0, on which two lists of values differ. Values that
// differ are printed with digits enough to differ, and their means need not.
func firstOther(was, now []float64) string {
	for i, v := range was {
		if i < len(now) && v != now[i] {
			return fmt.Sprintf("; instance %d has %v, and %v now", i, v, now[i])
		}
	}
	return fmt.Sprintf("; %d values, and %d now", len(was), len(now))
}

// CheckTests does anew what Finish did for the test values, the validation and the re-evaluation in
// result.json, and compares, after CheckResult. e has the limits of the run; a program that meets
// one of time here alone gets more times as long. It returns how many test splits there are.
func (e *TaskEvaluator) CheckTests(ctx context.Context, l *record.Loaded, more float64) (
	splits int, sum Timeouts, err error) {
	if err := l.CheckResult(); err != nil || l.Result == nil || l.Result.Best == nil {
		return 0, sum, err
	}
	type evaluated struct {
		Tests      map[string]*record.SplitOutcome `json:"tests,omitempty"`
		Rescored   *record.RescoreResult           `json:"rescored,omitempty"`
		Validation *record.Validation              `json:"validation,omitempty"`
	}
	was := evaluated{l.Result.Tests, l.Result.Rescored, l.Result.Validation}
	now := evaluated{maps.Clone(was.Tests), was.Rescored, nil}
	type retested struct { // an outcome to be had again
		split   string
		program Scored
		was     *record.SplitOutcome
		put     func(now *record.SplitOutcome)
	}
	var again []retested
	programs := l.Programs()
	add := func(evaluation int, tests map[string]*record.SplitOutcome) {
		i := slices.IndexFunc(programs, func(s Scored) bool { return s.Evaluation == evaluation })
		for split, o := range tests {
			again = append(again, retested{split, programs[i], o, func(o *record.SplitOutcome) {
				tests[split] = o
			}})
		}
	}
	add(l.Result.Best.Evaluation, now.Tests)
	if v := was.Validation; v != nil {
		next := *v
		next.Programs, next.Tests = slices.Clone(v.Programs), maps.Clone(v.Tests)
		next.Data = e.Task.Digest(record.Val)
		for i, s := range l.Result.Candidates(programs) {
			again = append(again, retested{record.Val, s, v.Programs[i].Val,
				func(o *record.SplitOutcome) { next.Programs[i].Val = o }})
		}
		if len(v.Tests) > 0 {
			add(v.Chosen, next.Tests)
		}
		now.Validation = &next
	}
	var mu sync.Mutex // guards sum
	outcomes, err := onEach(ctx, again,
		func(ctx context.Context, r retested) (*record.SplitOutcome, error) {
			o, t, err := e.retest(ctx, r.split, r.program.Program, r.was, more)
			mu.Lock()
			defer mu.Unlock()
			sum.Add(t)
			return o, err
		})
	if err != nil {
		return 0, sum, err
	}
	for i, r := range again {
		r.put(outcomes[i])
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

// retest does a test of a run again. Where it differs in limits of time alone, it returns what the
// run says, and how much of it that concerns.
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

// timeouts counts what differs in a limit of time alone, and reports whether the rest is alike. A
// value that an instance had reached at its limit is never seen again. was has passed CheckResult.
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

// faults are the faults of an outcome by instance.
func faults(o *record.SplitOutcome) map[int]Fault {
	all := map[int]Fault{}
	for _, f := range o.Failed {
		all[f.Instance] = f.Fault
	}
	return all
}

// rescoreAgain does the re-evaluation of a run again. A program that met a limit of time then or
// now is left out; where that is the difference, the programs of the run are compared alone.
func (e *TaskEvaluator) rescoreAgain(
	ctx context.Context, programs []Scored, was *record.RescoreResult, more float64,
) (now *record.RescoreResult, t Timeouts, err error) {
	again, err := e.rescore(ctx, programs)
	now = again.RescoreResult
	if err != nil || record.Difference(was, now) == "" {
		return now, t, err
	}
	in := func(r *record.RescoreResult, evaluation int) bool {
		return slices.ContainsFunc(r.Programs, func(p record.RescoredProgram) bool {
			return p.Evaluation == evaluation
		})
	}
	for _, p := range now.Programs {
		if !in(was, p.Evaluation) {
			t.Then++
		}
	}
	if again.late == 0 && (t.Then == 0 || slowest*again.share < 1) {
		return now, Timeouts{}, nil
	}
	programs = slices.DeleteFunc(programs, func(s Scored) bool { return !in(was, s.Evaluation) })
	again, err = e.times(more).rescore(ctx, programs)
	if t.Unseen = again.late; t.Unseen > 0 {
		return was, t, err
	}
	return again.RescoreResult, t, err
}

// ending says how an evaluation ended.
func ending(o record.Outcome) string {
	switch {
	case o.Fault == nil:
		return fmt.Sprintf("score %v", o.Score)
	case o.Fault.Detail == "":
		return string(o.Fault.Kind)
	}
	return o.Fault.Error()
}
