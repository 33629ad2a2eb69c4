//go:build linux

package host

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
)

// descent is a task with a scorer in Python: a walker on a slope, which a candidate steers.
func descent(steps int) *bench.Task {
	return &bench.Task{
		Problem: bench.Problem{
			Name: "descent", Goal: bench.Minimize, Template: program.Function{Name: "step"},
		},
		Splits:   []bench.Split{{Name: "train", Instances: 3, Limits: bench.Limits{CPU: 1e12}}},
		Isolated: true,
		Scorer: &bench.Scorer{Main: "slope", Modules: map[string]string{"slope": `
def walk(job, ask):
    x = float(job["start"])
    for _ in range(job["steps"]):
        [change] = ask(x)
        x += change
    return [x * x]
`}},
		Score: func(
			ctx context.Context, in bench.Instance, f bench.Target,
		) (m bench.Measure, err error) {
			n := 0
			job := map[string]int{"start": 10 * in.Number, "steps": steps}
			ask := func(ctx context.Context, list []bench.Value) ([]bench.Value, error) {
				n++
				v, err := f.Call(ctx, list...)
				if err != nil {
					return nil, err
				}
				change, ok := v.(bench.Float)
				if !ok {
					return nil, bench.Faultf(
						bench.Interface, "start %d, step %d: no float", in.Number, n)
				}
				return []bench.Value{change}, nil
			}
			list, err := in.Host.Call(ctx, "walk", job, ask)
			if err == nil {
				m.Value = float64(list[0].(bench.Float))
			}
			return m, err
		},
	}
}

func confined(tb testing.TB, workers int) *sandbox.Workers {
	tb.Helper()
	cfg := sandbox.Config{Python: pyenv.ForTest(tb).Python, Workers: workers}
	p, err := sandbox.Open(tb.Context(), cfg)
	if err != nil {
		tb.Skip(err)
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// TestCandidatesBetweenGoAndAScorer: a real scorer asks real candidates. The fault of one candidate
// does not affect other candidates, and all are scored in the same two processes.
func TestCandidatesBetweenGoAndAScorer(t *testing.T) {
	p := open(t, Config{Workers: 2})
	e := &bench.TaskEvaluator{Task: descent(40), Loader: confined(t, 2), Hosts: p}
	for range 2 {
		for _, c := range []struct {
			source string
			values []float64
			fault  string
		}{
			{"def step(x): return -0.5 * x", []float64{0, 0, 0}, ""},
			{"n = 0\ndef step(x):\n    global n\n    n += 1\n    return n / 1000",
				[]float64{0.6724, 117.0724, 433.4724}, ""},
			{"def step(x):\n    if x > 5: raise ValueError(x)\n    return 0.5", nil,
				"raised: line 2: ValueError: 5.5"},
			{"def step(x):\n    return x if x > 15 else 1.0 if x < 5 else None", nil,
				"interface: start 0, step 6: no float"},
			{"import os\ndef step(x): os._exit(3)", nil, "crashed: exited with status 3"},
		} {
			o, err := e.Evaluate(t.Context(), program.Program{Source: c.source})
			fault := ""
			if o.Fault != nil {
				fault = fmt.Sprint(o.Fault)
			}
			if err != nil || fault != c.fault {
				t.Errorf("%s\n%+v, %v, want fault %q", c.source, o, err, c.fault)
			}
			golden.Same(t, c.source,
				c.values, o.Values, cmpopts.EquateApprox(0, 1e-9))
		}
	}
	if len(p.alive) > 2 || len(p.idle) != len(p.alive) {
		t.Errorf("%d processes, of which %d are idle", len(p.alive), len(p.idle))
	}
}

// TestAnEpisodeIsOnOneCPU: a scorer is pinned to the CPU of its candidate, for a limited time, and
// is free afterwards.
func TestAnEpisodeIsOnOneCPU(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("one CPU")
	}
	p := open(t, Config{})
	scorer := &bench.Scorer{Main: "a", Modules: map[string]string{"a": `
import os, time
def cpus(job, ask):
    return [len(os.sched_getaffinity(0))]
def counts(job, ask):
    seen, end = [], time.monotonic() + job
    while time.monotonic() < end:
        ask()
        seen += cpus(job, ask)
    return [seen[0], max(seen)]
`}}
	var seen []bench.Value
	task := &bench.Task{
		Problem:  bench.Problem{Template: program.Function{Name: "step"}},
		Splits:   []bench.Split{{Instances: 1, Limits: bench.Limits{CPU: 1e12}}},
		Isolated: true, Scorer: scorer,
		Score: func(
			ctx context.Context, in bench.Instance, f bench.Target,
		) (m bench.Measure, err error) {
			seen, err = in.Host.Call(ctx, "counts", 2,
				func(ctx context.Context, _ []bench.Value) ([]bench.Value, error) {
					_, err := f.Call(ctx)
					return nil, err
				})
			return m, err
		},
	}
	e := &bench.TaskEvaluator{Task: task, Loader: confined(t, 1), Hosts: p}
	source := program.Program{Source: "def step(): return 0\n"}
	if o, err := e.Evaluate(t.Context(), source); err != nil || !o.OK() {
		t.Fatal(o, err)
	}
	err := p.Lend(t.Context(), scorer, func(h bench.Host) error {
		after, err := h.Call(t.Context(), "cpus", nil, nil)
		seen = append(seen, after...)
		return err
	})
	all := bench.Int(runtime.NumCPU())
	if want := []bench.Value{bench.Int(1), all, all}; err != nil || !slices.Equal(seen, want) {
		t.Errorf("CPUs at first, at most, afterwards: %v, %v, want %v", seen, err, want)
	}
}
