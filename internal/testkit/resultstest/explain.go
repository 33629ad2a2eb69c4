package resultstest

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

// Explain writes the file that the command explain would write for a run of a minimized task: the
// first part of its best program has an effect of about 1, the second one changes nothing, and the
// third one is needed.
func Explain(t testing.TB, r *results.Run) {
	t.Helper()
	var lines [][]byte
	add := func(v any) {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	plan := explain.Plan{
		Format: record.FormatVersion, Journal: r.Digest, Evaluation: r.Best.Evaluation,
		Task: r.Header.Task, Splits: []string{"train", "val"}, Top: 2, Most: 3,
	}
	for i, text := range []string{"a", "<b>", "return c"} {
		plan.Parts.Parts = append(plan.Parts.Parts, program.Part{
			Kind: "term", Line: min(i+1, 2), Text: text,
			Ways: []program.Edit{{Start: i, End: i + 1}},
		})
	}
	add(plan)
	_, err := explain.Measure(plan, func(jobs []explain.Job) (all []explain.Measurement, _ error) {
		for _, j := range jobs {
			m := explain.Measurement{Job: j}
			for i := range 12 {
				m.Values = append(m.Values, 6+0.01*float64(i))
				if len(j.Out) > 0 && j.Out[0][0] == 0 {
					m.Values[i] += 1 + 0.01*float64(i%3)
				}
			}
			if len(j.Out) > 0 && j.Out[0][0] == 2 {
				m.Values, m.Fault = nil, record.Raised
			}
			add(m)
			all = append(all, m)
		}
		return all, nil
	})
	if err == nil {
		err = journal.Replace(filepath.Join(r.Dir, record.ExplainFile), lines)
	}
	if err != nil {
		t.Fatal(err)
	}
}
