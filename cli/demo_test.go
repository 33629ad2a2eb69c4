package cli

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// TestDemoIsFarFromLimits checks that no program of the recording comes near its time limit. A
// faster or slower machine would score such a program differently and ask for other answers.
func TestDemoIsFarFromLimits(t *testing.T) {
	dir := resultstest.Committed(t, filepath.Join("..", "data", "demo"))
	runs, _, err := results.RunDirs(dir)
	must.Do(t, err)
	for _, run := range runs {
		times := results.Times(run)
		for _, line := range times {
			if len(line.LimitShare) > 0 && slices.Max(line.LimitShare) > 0.1 {
				t.Errorf("%s: step %d used %.2f of a time limit", run, line.Step, line.LimitShare)
			}
		}
		l, err := record.Load(run)
		must.Do(t, err)
		if len(times) == 0 {
			t.Errorf("%s has no times", run)
		}
		for _, line := range l.Records {
			if line.Step == nil {
				continue
			}
			for _, e := range line.Step.Evaluations {
				if e.Fault != nil && e.Fault.Kind == record.Timeout {
					t.Errorf("%s: program %d exceeded its time limit", run, e.Evaluation)
				}
			}
		}
	}
	if len(runs) != 3 {
		t.Errorf("%d runs, want 3", len(runs))
	}
}

// TestDemoComparesScores: the demo fails if a program, a score, a fault or a test differs from the
// recording, and it accepts a smaller budget.
func TestDemoComparesScores(t *testing.T) {
	made := func(budget int, sources ...string) *record.Loaded {
		l := &record.Loaded{Dir: "runs/x", Header: record.Header{Budget: budget}}
		for i, source := range sources {
			e := record.Evaluation{Evaluation: i + 1, Source: source}
			if e.Score = -float64(len(source)); source == "" {
				e.Fault = record.Faultf(record.Timeout, "2 s")
			}
			l.Records = append(l.Records, record.Line{
				Step: &record.Step{Number: i, Evaluations: []record.Evaluation{e}},
			})
		}
		l.Result = &record.Result{Tests: map[string]*record.SplitOutcome{"test50": {Mean: 5}}}
		return l
	}
	score, fault, test := made(2, "a", ""), made(2, "a", ""), made(2, "a", "")
	score.Records[0].Step.Evaluations[0].Score = -1.5
	fault.Records[1].Step.Evaluations[0].Fault.Kind = record.Memory
	test.Result.Tests["test50"].Mean = 5.5
	for _, c := range []struct {
		name string
		now  *record.Loaded
		n    int
		err  string
	}{
		{"equal", made(2, "a", ""), 3, ""},
		{"shorter", made(1, "a"), 1, ""},
		{"score", score, 1, "runs/x: program 1: -1.5 here, -1 in the recording"},
		{"fault", fault, 2, "runs/x: program 2: memory here, timeout in the recording"},
		{"test", test, 3, "runs/x: test50: 5.5 here, 5 in the recording"},
		{"fewer", made(2, "a"), 0, "runs/x: 1 programs here, 2 in the recording"},
		{"program", made(2, "b", ""), 0, "runs/x: program 1 differs from the recording"},
	} {
		n := 0
		err := compareRuns(made(2, "a", ""), c.now, &n)
		if err == nil {
			err = errors.New("")
		}
		if n != c.n || err.Error() != c.err {
			t.Errorf("%s: %d compared, error %q, want %d and %q", c.name, n, err, c.n, c.err)
		}
	}
}
