//go:build linux

package pytask

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"testing"

	"go.uber.org/goleak"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/host"
	"github.com/pacebench/pacebench/python/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	goleak.VerifyTestMain(m)
}

// options find the Pythons of tests.
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

var example = regexp.MustCompile("(?ms)^### `([a-z_]+\\.py)`\n\n```python\n(.*?)^```$")

// examples are the files that the page shows, by name.
func examples(t testing.TB) map[string]string {
	t.Helper()
	text := must.Read(t, filepath.Join("..", "..", "docs", "your-task.md"))
	files := map[string]string{}
	for _, m := range example.FindAllStringSubmatch(string(text), -1) {
		files[m[1]] = m[2]
	}
	if len(files) != 5 {
		t.Fatalf("the page shows %d files", len(files))
	}
	return files
}

// evaluator scores programs on a task.
func evaluator(t testing.TB, task *bench.Task) *bench.TaskEvaluator {
	t.Helper()
	ctx := context.Background()
	pool, err := sandbox.Open(ctx, sandbox.Config{
		Python: pyenv.ForTestWith(t, task.Packages).Python, Workers: 2,
	})
	if err != nil {
		t.Skip(err)
	}
	hosts := host.Open(ctx, host.Config{
		Python: func(_ context.Context, packages string) (string, error) {
			return pyenv.ForTestWith(t, packages).Python, nil
		},
		Workers: 2,
	})
	t.Cleanup(func() {
		hosts.Close()
		pool.Close()
	})
	return &bench.TaskEvaluator{Task: task, Loader: pool, Hosts: hosts}
}

// outcome scores a source on the training split.
func outcome(t *testing.T, e *bench.TaskEvaluator, source string) bench.Outcome {
	t.Helper()
	o, err := e.Evaluate(t.Context(), program.Program{Source: source})
	must.Do(t, err)
	return o.Outcome
}

// Three files of the page have the values that the page of the contract names.
func TestExamples(t *testing.T) {
	files := examples(t)
	for name, want := range map[string]map[string]float64{
		"tsp_construct.py":      {"": 6.968234677950335},
		"online_bin_packing.py": {"": 2069.2, "best_fit": 2069.2},
		"cartpole.py":           {"": 9.333333333333334, "balance": 500},
	} {
		t.Run(name, func(t *testing.T) {
			task, err := load(t, name, files[name])
			must.Do(t, err)
			e := evaluator(t, task)
			programs := map[string]string{"": task.Default()}
			for _, r := range task.References {
				programs[r.Name] = r.Source
			}
			if len(want) != len(programs) {
				t.Errorf("%d programs", len(programs))
			}
			if name == "online_bin_packing.py" && !tasktest.Long() {
				delete(want, "best_fit") // 25,000 calls, as many as the template
			}
			for program, value := range want {
				o := outcome(t, e, programs[program])
				if o.Fault != nil || math.Abs(task.Goal.Value(o.Score)-value) > 1e-13 {
					t.Errorf("%s: %v, %v, want %v", program, o.Score, o.Fault, value)
				}
			}
			o := outcome(t, e, "def "+task.Template.Name+"(*a):\n    pass\n")
			if o.Fault == nil || o.Fault.Kind != bench.Invalid {
				t.Errorf("None: %+v", o)
			}
			t.Log(o.Fault)
		})
	}
}

// The recipes of the page run unchanged.
func TestRecipes(t *testing.T) {
	files := examples(t)
	want := map[string]string{"circles.py": "2.1667", "knapsack.py": "37.5798"}
	for name := range want {
		task, err := load(t, name, files[name])
		must.Do(t, err)
		o := outcome(t, evaluator(t, task), task.Default())
		if got := fmt.Sprintf("%.4f", task.Goal.Value(o.Score)); got != want[name] {
			t.Errorf("%s: %s, %v, want %s", name, got, o.Fault, want[name])
		}
	}
}
