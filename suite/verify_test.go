package suite

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks"
)

// TestCheckSplits: verify without flags checks the tests against the splits of the task.
func TestCheckSplits(t *testing.T) {
	task, _ := tasks.Lookup("tsp-construct")
	split, all := task.Splits[1].Name, task.Splits[1].Instances
	values := func(n int) *record.SplitOutcome {
		return record.NewSplitOutcome(make([]float64, n), nil, nil)
	}
	valid := map[string]bool{"": true, "failed": true}
	for name, tests := range map[string]map[string]*record.SplitOutcome{
		"":        {split: values(all)},
		"failed":  {split: record.NewSplitOutcome(nil, record.Faultf("timeout", ""), nil)},
		"fewer":   {split: values(all - 1)},
		"more":    {split: values(all + 1)},
		"renamed": {"test49": values(all)},
		"val":     {record.Val: values(all)},
		"a mean":  {split: {Mean: 1, Values: make([]float64, all)}},
	} {
		l := &record.Loaded{Journal: true, Records: []record.Line{{Step: &record.Step{
			Evaluations: []record.Evaluation{{Evaluation: 1, Outcome: record.Outcome{Score: -1}}},
		}}}}
		l.Result = l.Summarize()
		l.Result.Tests = tests
		if err := l.CheckAgainst(recordedOf(task, l)); (err == nil) != valid[name] {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A header can name any file as its task, but verify opens no such file.
func TestARunOpensNoFile(t *testing.T) {
	o := Options{Files: &Files{load: func(path string) (*bench.Task, error) {
		t.Errorf("%s was opened", path)
		return nil, nil
	}}}
	for _, h := range []record.Header{
		{Task: "evil.py"}, {Task: "evil.py", Files: map[string]string{"evil.py": "0"}},
		{Task: "evil", Files: map[string]string{"evil.py": "0"}},
	} {
		if task, err := o.taskOf(&record.Loaded{Header: h}); err == nil {
			t.Errorf("%s is %v", h.Task, task)
		}
	}
}
