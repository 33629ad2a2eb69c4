// Package benchtest offers package kit to tests: the checks that every method must pass (Method),
// and helpers for tests of methods. Start at Run and Method.
package benchtest

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
	"github.com/pacebench/pacebench/suite/kit"
	"github.com/pacebench/pacebench/tasks"
)

// A Config contains the conditions under which Run executes a method.
type Config = kit.Config

// An Evaluator scores programs without running them.
type Evaluator = kit.Evaluator

// Problem returns a small problem for tests, with the function of TSP-Construct.
func Problem() bench.Problem { return kit.Problem() }

// Picture returns the evidence of a program for tests.
func Picture(source string) []record.Blob { return kit.Picture(source) }

// Blob returns a piece of evidence.
func Blob(mediaType string, data []byte) record.Blob { return kit.Blob(mediaType, data) }

// Prepare makes the bench.Run of a method under a configuration.
func Prepare(tb testing.TB, m bench.Method, c Config) *bench.Run {
	tb.Helper()
	return kit.Prepare(tb, m, c)
}

// Run executes a method to its end and returns the run as read back from its directory.
func Run(tb testing.TB, m bench.Method, c Config) *record.Loaded {
	tb.Helper()
	return kit.Run(tb, m, c)
}

// Long reports whether scripts/test-long runs the tests. Otherwise, this is the quick tier, which
// runs only samples.
func Long() bool { return tasktest.Long() }

// Sampled reports whether a test of many cases runs case i, from 0: the quick tier runs the first
// of every n cases, and the long tier, which follows the quick tier, runs the other cases.
func Sampled(i, n int) bool { return tasktest.Sampled(i, n) }

// Method runs the checks that every method must pass. It skips the test if there is no Python.
func Method(t *testing.T, new func() bench.Method) {
	k := &kit.Kit{New: new, Analyzer: programtest.Analyzer(t), Long: Long(),
		Leaks: func(t kit.T) func() {
			before := goleak.IgnoreCurrent()
			return func() { goleak.VerifyNone(t, before) }
		}}
	for _, c := range k.Checks(t) {
		t.Run(c.Name, func(t *testing.T) { c.Run(t) })
	}
	t.Run("a program without a score is no parent", func(t *testing.T) { parents(t, new()) })
}

// parents runs a method whose programs often fail. Notes on offspring and on populations may name
// only parents with a score. HSEvo's populations also contain failed programs, but HSEvo never
// chooses them as parents.
func parents(t *testing.T, m bench.Method) {
	l := Run(t, m, Config{
		Model: offline.New(tasks.All(), offline.StatedRates()), Budget: 150,
		Analyzer: programtest.Analyzer(t), Evaluator: &Evaluator{FailShare: 0.4},
	})
	if l.Summarize().Faults[record.Raised] == 0 {
		t.Error("no program failed")
	}
	scored := map[int]bool{}
	for _, p := range l.Programs() {
		scored[p.Evaluation] = true
	}
	kinds := bench.NotesOf(m)
	for _, rec := range l.Records {
		var notes []record.Note
		if rec.Step != nil {
			notes = rec.Step.Notes
		} else {
			notes = append(notes, *rec.Note)
		}
		for _, n := range notes {
			var members []int
			switch n, _ := kinds.Decode(n.Kind, n.Value); n := n.(type) {
			case note.Offspring:
				members = n.Parents
			case note.Population:
				if m.Name() != "hsevo" {
					members = n.Parents()
				}
			}
			for _, program := range members {
				if !scored[program] {
					t.Errorf("program %d has no score: %s %s", program, n.Kind, n.Value)
				}
			}
		}
	}
}
