package bench_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// choice returns the evaluator of a task whose programs are texts with three values: the value of
// every training instance, of every validation instance and of every test instance.
func choice() *bench.TaskEvaluator {
	task := &bench.Task{
		Problem: benchtest.Problem(), // the task minimises
		Splits:  []bench.Split{{Name: "train", Instances: 1}, {Name: "test", Instances: 2}},
		Val:     &bench.Split{Name: record.Val, Instances: 3},
		Digest:  func(split string) string { return "digest of " + split },
		Score: func(_ context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
			var train, val, test float64
			fmt.Sscan(string(f.(source)), &train, &val, &test)
			v := map[string]float64{"train": train, record.Val: val, "test": test}[in.Split]
			if v < 0 {
				return bench.Measure{}, record.Faultf(record.Raised, "negative")
			}
			return bench.Measure{Value: v}, nil
		},
	}
	return &bench.TaskEvaluator{Task: task, Loader: sources{}}
}

// TestValidationChooses has a best program that is poor on the validation split, so another program
// is chosen and tested. A run that was finished without validation is validated later, and its
// journal does not change.
func TestValidationChooses(t *testing.T) {
	answers := []string{"3 3 30", "1 9 10", "1 9 10", "2 2 20", "2 -1 5", "9 1 90"}
	dir := t.TempDir()
	next := 0
	benchtest.Run(t, &climber{Window: 1}, benchtest.Config{
		Model: llm.NewScripted(func(llm.Request) string {
			next++
			return answers[next-1]
		}), Evaluator: choice(), Budget: len(answers), Dir: dir,
	})
	before := journalOf(t, dir)
	r, err := bench.Finish(t.Context(), dir, choice(), []string{"test"})
	if err != nil || r.Validation != nil || r.Tests["test"].Mean != 10 {
		t.Fatalf("without validation: %+v, %v", r, err)
	}
	golden.Same(t, "what it lacks", []string{record.Val}, r.Lacks([]string{record.Val, "test"}))
	r, err = bench.Finish(t.Context(), dir, choice(), []string{record.Val, "test"})
	must.Do(t, err)
	outcome := func(v float64, n int) *record.SplitOutcome {
		o := &record.SplitOutcome{Mean: v}
		for range n {
			o.Values = append(o.Values, v)
		}
		return o
	}
	validated := func(evaluation int, source string, train float64, val *record.SplitOutcome,
		both float64) record.ValidatedProgram {
		return record.ValidatedProgram{
			Evaluation: evaluation, Program: program.Program{Source: source}.ID(),
			Train: train, Val: val, Both: both,
		}
	}
	want := &record.Validation{
		Data: "digest of val", Chosen: 4,
		Programs: []record.ValidatedProgram{ // equal programs count once
			validated(2, "1 9 10", 1, outcome(9, 3), (1+27.)/4),
			validated(4, "2 2 20", 2, outcome(2, 3), 2),
			validated(5, "2 -1 5", 2, &record.SplitOutcome{
				Fault: &record.Fault{Kind: record.Raised, Detail: "negative"},
			}, 0),
			validated(1, "3 3 30", 3, outcome(3, 3), 3),
			validated(6, "9 1 90", 9, outcome(1, 3), (9+3.)/4),
		},
		Tests: map[string]*record.SplitOutcome{"test": outcome(20, 2)},
	}
	golden.Same(t, "validation", want, r.Validation)
	if r.Best.Evaluation != 2 || r.Tests["test"].Mean != 10 || r.ChosenTest("test").Mean != 20 {
		t.Errorf("best %+v, its test %v", r.Best, r.Tests["test"])
	}
	if string(before) != string(journalOf(t, dir)) {
		t.Error("validation changed the journal")
	}
	l, err := record.Load(dir)
	must.Do(t, err)
	if n, late, err := choice().CheckTests(t.Context(), l, 1); n != 1 || err != nil {
		t.Errorf("checked again: %d tests, %v, %v", n, late, err)
	}
	l.Result.Validation.Programs[1].Val.Values = []float64{1, 2, 3} // the same mean
	if _, _, err := choice().CheckTests(t.Context(), l, 1); err == nil {
		t.Error("no error for other values with the same mean")
	}
}
