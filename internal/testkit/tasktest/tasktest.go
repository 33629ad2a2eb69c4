// Package tasktest has the parts that the tasks' tests share: confined interpreters, and the
// programs that the paper prints.
package tasktest

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/host"
	"github.com/pacebench/pacebench/python/sandbox"
)

// Main is TestMain of a package whose tests open a sandbox, because the test binary is also the
// sandbox's launcher.
func Main(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	os.Exit(m.Run())
}

// Workers opens a sandbox with one worker for each core, until the test ends. It skips the test if
// there is no Python.
func Workers(t testing.TB) *sandbox.Workers {
	t.Helper()
	return open(t, pyenv.ForTest(t))
}

func open(t testing.TB, env *pyenv.Env) *sandbox.Workers {
	t.Helper()
	p, err := sandbox.Open(context.Background(),
		sandbox.Config{Python: env.Python, Workers: runtime.NumCPU()})
	must.Do(t, err)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Control opens the processes that score programs on a control task, until the test ends: confined
// interpreters with the task's packages, and processes for its environments. It skips the test if
// the packages are unavailable.
func Control(t testing.TB, task *bench.Task) *bench.TaskEvaluator {
	t.Helper()
	candidates := pyenv.ForTestWith(t, task.Packages)
	env := pyenv.ForTestWith(t, task.Scorer.Packages)
	hosts := host.Open(context.Background(), host.Config{
		Python: func(context.Context, string) (string, error) { return env.Python, nil },
		// One more than evaluations use, for the test's own scorer. Otherwise the scorers would
		// replace each other's processes.
		Workers: runtime.NumCPU() + 1,
	})
	t.Cleanup(func() {
		if err := hosts.Close(); err != nil {
			t.Error(err)
		}
	})
	return &bench.TaskEvaluator{Task: task, Loader: open(t, candidates), Hosts: hosts}
}

// Play scores a program on one instance of e's task. Control has made e.
func Play(
	t *testing.T, e *bench.TaskEvaluator, in bench.Instance, source string,
) (m bench.Measure, err error) {
	t.Helper()
	sp, ok := e.Task.Split(in.Split)
	if !ok {
		t.Fatalf("no split %s", in.Split)
	}
	prelude := e.Task.Prelude + e.Task.Seeding(in.Split, in.Number)
	f, err := e.Loader.Load(t.Context(), source, prelude, e.Task.Template.Name, sp.Limits)
	if err != nil {
		return m, err
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	err = e.Hosts.Lend(t.Context(), e.Task.Scorer, func(h bench.Host) (err error) {
		in.Host = h
		m, err = e.Task.Score(t.Context(), in, f)
		return err
	})
	return m, err
}

// Printed returns the program that the paper prints under a label, with the task's imports before
// it. It skips the test if it cannot read the paper's source at the path paper, which is relative
// to the test's package.
func Printed(t testing.TB, task *bench.Task, paper, label string) string {
	t.Helper()
	tex, err := os.ReadFile(paper)
	if err != nil {
		t.Skipf("the paper's source is missing: %v", err)
	}
	_, rest, ok := strings.Cut(string(tex), "label={"+label+"}\n]\n")
	listing, _, ok2 := strings.Cut(rest, `\end{lstlisting}`)
	if !ok || !ok2 {
		t.Fatalf("the paper has no listing %s", label)
	}
	return strings.Join(task.Imports, "\n") + "\n" + listing
}

// Slow reports whether to run a test split with 200 or more cities, which may take minutes.
// PACEBENCH_SLOW names the splits to run; scripts/test-long always runs the split with 200 cities.
func Slow(split string) bool {
	return strings.Contains(os.Getenv("PACEBENCH_SLOW"), split) || Long() && split == "test200"
}

// Long reports whether scripts/test-long runs the tests. benchtest.Long is the same, but package
// benchtest imports the tasks.
func Long() bool { return os.Getenv("PACEBENCH_LONG") != "" }

// Sampled reports whether a test of many cases runs case i, from 0: the quick tier runs the first
// of every n cases, and the long tier, which follows the quick tier, runs the other cases.
func Sampled(i, n int) bool { return (i%n == 0) != Long() }
