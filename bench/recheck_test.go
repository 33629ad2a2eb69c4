package bench_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// A paced machine uses the same number of seconds of CPU time for every program.
type paced float64

func (p paced) Load(_ context.Context, text, _, _ string, l bench.Limits) (bench.Target, error) {
	limit := time.Duration(max(l.Scale, 1) * float64(l.CPU))
	return &pacedTarget{source(text), time.Duration(float64(p) * float64(time.Second)), limit}, nil
}

type pacedTarget struct {
	source
	need, limit time.Duration
}

func (p *pacedTarget) CPU() time.Duration   { return min(p.need, p.limit) }
func (p *pacedTarget) Limit() time.Duration { return p.limit }

// pacedTask returns a task with limits of 30 s; an isolated task has a process for each instance.
func pacedTask(isolated bool) *bench.Task {
	limits := bench.Limits{CPU: 30 * time.Second}
	score := func(n int, f bench.Target) (float64, error) {
		if p := f.(*pacedTarget); p.need > p.limit {
			return p.limit.Seconds(), record.Faultf(record.Timeout, "time limit exceeded")
		}
		return float64(5 + n), nil
	}
	return &bench.Task{
		Problem: benchtest.Problem(), Isolated: isolated,
		Splits: []bench.Split{
			{Name: "train", Instances: 2, Limits: limits},
			{Name: "test", Instances: 2, Limits: limits},
		},
		Score: func(_ context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
			v, err := score(in.Number, f)
			return bench.Measure{Value: v}, err
		},
		Rescore: &bench.Rescore{Top: 3, Replicates: 2,
			Score: func(_ context.Context, _ int, in bench.Instance, f bench.Target) (
				float64, error) {
				return score(in.Number, f)
			}},
	}
}

// TestRecheckTellsTimeFromContradiction checks that differences that only a time limit causes are
// counted separately, in evaluations and in result.json. If a program takes almost no time here, a
// slow machine does not explain the timeout in the run.
func TestRecheckTellsTimeFromContradiction(t *testing.T) {
	unseen := func(n int) bench.Timeouts { return bench.Timeouts{Unseen: n} }
	then := func(n int) bench.Timeouts { return bench.Timeouts{Then: n} }
	for _, c := range []struct {
		name        string
		isolated    bool // each instance has its own process
		scale, more float64
		then, here  float64        // seconds that the program takes in the run, and here
		want        bench.Timeouts // of an evaluation
		tests       bench.Timeouts // of a test and the re-evaluation of three programs
		wrong       bool
	}{
		{name: "as it was", then: 20, here: 29},
		{name: "endless in both", then: 1e9, here: 1e9, more: 3},
		{name: "a slower machine", then: 20, here: 40, want: unseen(1), tests: unseen(1 + 3)},
		{name: "which gets more time", then: 20, here: 40, more: 2},
		{
			name: "which gets too little", then: 20, here: 40, more: 1.2,
			want: unseen(1), tests: unseen(1 + 3),
		},
		{name: "a run with more time", scale: 2, then: 50, here: 55},
		{name: "and more still", scale: 2, then: 50, here: 70, more: 1.5},
		{name: "a faster machine", then: 40, here: 20, want: then(1), tests: then(1 + 3)},
		{name: "the end of what is believed", then: 40, here: 2, want: then(1), tests: then(1 + 3)},
		{name: "a timeout that is none", then: 40, here: 1.8, wrong: true},
		{
			name: "instances, on a faster machine", isolated: true, then: 40, here: 20,
			want: then(1), tests: bench.Timeouts{Unseen: 2, Then: 3},
		},
		{
			name: "instances, on a slower machine", isolated: true, then: 20, here: 40,
			want: unseen(1), tests: unseen(2 + 3),
		},
		{name: "which gets more time, too", isolated: true, then: 20, here: 40, more: 2},
	} {
		told := func(got, want bench.Timeouts, err error, wrong string) {
			t.Helper()
			if (err != nil) != c.wrong || err == nil && got != want ||
				err != nil && !strings.Contains(err.Error(), wrong) {
				t.Errorf("%s: %+v, %v; want %+v or %q", c.name, got, err, want, wrong)
			}
		}
		e := &bench.TaskEvaluator{
			Task: pacedTask(c.isolated), Loader: paced(c.then), TimeScale: c.scale,
		}
		dir := t.TempDir()
		benchtest.Run(t, &climber{Window: 4}, benchtest.Config{Model: model(), Budget: 5, Dir: dir})
		o, err := e.Evaluate(t.Context(), program.Program{Source: "x"})
		must.Do(t, err)
		_, err = bench.Finish(t.Context(), dir, e, []string{"test"})
		must.Do(t, err)
		l, err := record.Load(dir)
		must.Do(t, err)
		e.Loader = paced(c.here)
		old := record.Evaluation{Evaluation: 1, Source: "x", Outcome: o.Outcome}
		got, err := e.Recheck(t.Context(), old, max(c.more, 1))
		told(got, c.want, err, "the journal says timeout: time limit exceeded, now it is")
		_, got, err = e.CheckTests(t.Context(), l, max(c.more, 1))
		told(got, c.tests, err, "result.json says rescored")
	}
}

// TestRecheckNamesTheInstance checks values that differ while their means are equal, and values
// that differ by one bit.
func TestRecheckNamesTheInstance(t *testing.T) {
	e := &bench.TaskEvaluator{Task: pacedTask(false), Loader: paced(1)}
	old := record.Evaluation{Evaluation: 30, Source: "x", Outcome: record.Outcome{
		Score: -5.5, Values: []float64{5, math.Nextafter(6, 7)},
	}}
	_, err := e.Recheck(t.Context(), old, 1)
	want := "evaluation 30: score -5.5 in the journal, -5.5 now; " +
		"instance 1: 6.000000000000001 in the journal, 6 now"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
