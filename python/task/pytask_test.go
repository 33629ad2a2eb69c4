//go:build linux

package pytask

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	goleak.VerifyTestMain(m)
}

// options returns options with the Pythons of tests.
func options(t testing.TB) Options {
	return Options{Python: func(_ context.Context, packages string) (*pyenv.Env, error) {
		return pyenv.ForTestWith(t, packages), nil
	}}
}

// load writes a task file and makes its task.
func load(t testing.TB, name, source string) (*bench.Task, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Write(t, path, source)
	return Load(t.Context(), path, options(t))
}

// examples are the files that docs/your-task.md shows, by name.
func examples(t testing.TB) map[string]string {
	t.Helper()
	files := golden.Shown(t, "../../docs/your-task.md")
	if len(files) != 5 {
		t.Fatalf("the page shows %d files", len(files))
	}
	return files
}

// with scores programs on another task, with the processes of e.
func with(e *bench.TaskEvaluator, task *bench.Task) *bench.TaskEvaluator {
	return &bench.TaskEvaluator{Task: task, Loader: e.Loader, Hosts: e.Hosts}
}

// tasks makes tasks of sources, and scores programs on all of them with the same processes.
func tasks(t testing.TB) func(source string) *bench.TaskEvaluator {
	var first *bench.TaskEvaluator
	return func(source string) *bench.TaskEvaluator {
		t.Helper()
		task, err := load(t, "task.py", source)
		must.Do(t, err)
		if first == nil {
			first = tasktest.Control(t, task)
		}
		return with(first, task)
	}
}

// outcome scores a source on the training split.
func outcome(t *testing.T, e *bench.TaskEvaluator, source string) bench.Outcome {
	t.Helper()
	o, err := e.Evaluate(t.Context(), program.Program{Source: source})
	must.Do(t, err)
	return o.Outcome
}

// The programs in the files of docs/your-task.md have their known values.
func TestExamples(t *testing.T) {
	files, same := examples(t), map[string]*bench.TaskEvaluator{}
	for name, want := range map[string]map[string]float64{
		"tsp_construct.py":      {"": 6.968234677950335},
		"online_bin_packing.py": {"": 2069.2, "best_fit": 2069.2},
		"cartpole.py":           {"": 9.333333333333334, "balance": 500},
		"circles.py":            {"": 2.1667}, "knapsack.py": {"": 37.5798},
	} {
		task, err := load(t, name, files[name])
		must.Do(t, err)
		e, precise := same[task.Scorer.Packages], 1e-13
		if e == nil {
			e = tasktest.Control(t, task)
			same[task.Scorer.Packages] = e
		}
		e = with(e, task)
		if name == "circles.py" || name == "knapsack.py" {
			precise = 5e-5
		}
		programs := map[string]string{"": task.Default()}
		for _, r := range task.References {
			programs[r.Name] = r.Source
		}
		if name == "online_bin_packing.py" && !tasktest.Long() { // 25,000 calls
			clear(want)
		}
		for program, value := range want {
			o := outcome(t, e, programs[program])
			if o.Fault != nil || math.Abs(task.Goal.Value(o.Score)-value) > precise {
				t.Errorf("%s, %s: %v, %v, want %v", name, program, o.Score, o.Fault, value)
			}
		}
		o := outcome(t, e, "def "+task.Template.Name+"(*a):\n    pass\n")
		if o.Fault == nil || o.Fault.Kind != bench.Invalid {
			t.Errorf("%s: None: %+v", name, o)
		}
	}
}
