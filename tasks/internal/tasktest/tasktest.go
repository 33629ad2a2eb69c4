// Package tasktest is what the tests of all tasks share: confined interpreters, and the programs
// that the paper prints.
package tasktest

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/python"
	"github.com/pacebench/pacebench/bench/sandbox"
)

// Main is TestMain of a package whose tests open a sandbox: a test binary is the sandbox's launcher
// too.
func Main(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	os.Exit(m.Run())
}

// Pool opens a sandbox with as many workers as there are cores, until the test ends. It skips the
// test where there is no Python.
func Pool(t *testing.T) *sandbox.Pool {
	t.Helper()
	env := python.ForTest(t)
	p, err := sandbox.Open(context.Background(), sandbox.Config{Python: env.Python, Workers: runtime.NumCPU()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Printed is the program that the paper prints under a label, with the task's imports before it. It
// skips the test where the paper's source, a path relative to the test's package, is not at hand.
func Printed(t *testing.T, task *bench.Task, paper, label string) string {
	t.Helper()
	tex, err := os.ReadFile(paper)
	if err != nil {
		t.Skipf("the paper's source is not here: %v", err)
	}
	_, rest, ok := strings.Cut(string(tex), "label={"+label+"}\n]\n")
	listing, _, ok2 := strings.Cut(rest, `\end{lstlisting}`)
	if !ok || !ok2 {
		t.Fatalf("the paper has no listing %s", label)
	}
	return strings.Join(task.Imports, "\n") + "\n" + listing
}

// Slow reports whether PACEBENCH_SLOW asks for a case that takes minutes.
func Slow(name string) bool { return strings.Contains(os.Getenv("PACEBENCH_SLOW"), name) }
