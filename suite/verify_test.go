package suite

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks"
)

// TestCheckSplits: plain verify checks the tests against the splits of the task.
func TestCheckSplits(t *testing.T) {
	task, _ := tasks.Lookup("tsp-construct")
	all := task.Splits[1].Instances
	for name, o := range map[string]*record.SplitOutcome{
		"":        {Values: make([]float64, all)},
		"fewer":   {Values: make([]float64, all-1)},
		"more":    {Values: make([]float64, all+1)},
		"renamed": {Values: make([]float64, all)},
	} {
		split := task.Splits[1].Name
		if name == "renamed" {
			split = "test49"
		}
		tests := map[string]*record.SplitOutcome{split: o}
		l := &record.Loaded{Result: &record.Result{Tests: tests}}
		if err := checkSplits(task, l); (err != nil) != (name != "") {
			t.Errorf("%q: %v", name, err)
		}
	}
	split := task.Splits[1].Name
	failed := &record.SplitOutcome{Fault: record.Faultf("timeout", "")}
	if err := checkSplits(task, &record.Loaded{Result: &record.Result{
		Tests: map[string]*record.SplitOutcome{split: failed}}}); err != nil {
		t.Error(err)
	}
}

// A header may name any file as its task, and no such file is opened.
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
