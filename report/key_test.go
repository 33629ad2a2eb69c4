package report_test

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
)

// TestUsersTasksHaveTheirOwnTables: a task in Python may have any name. No table of the paper, of
// another task or of another kind has its tables' names.
func TestUsersTasksHaveTheirOwnTables(t *testing.T) {
	dir := t.TempDir()
	tasks := resultstest.Tasks
	for _, name := range []string{"control", "tsp-construct-fresh"} {
		own := &bench.Task{}
		own.Name, own.Files = name, map[string]string{name + ".py": "0"}
		own.Splits = []bench.Split{{Name: "train"}}
		tasks = append(tasks, own)
		resultstest.Run{Task: name, Method: "pace", Models: resultstest.Mini, Seed: 1, Budget: 40,
			Evaluations: 40, Start: 8, Floor: 6}.Write(t, dir)
	}
	resultstest.Run{Task: "tsp-construct", Method: "pace", Models: resultstest.Mini, Seed: 1,
		Budget: 40, Evaluations: 40, Start: 8, Floor: 6}.Write(t, dir)
	s, err := (&results.Reader{}).Read(dir)
	must.Do(t, err)
	seen := map[string]bool{}
	for _, table := range report.Tables(s, report.Options{
		Printed: data.Published, All: true,
		Labels: report.Labels{Tasks: tasks, Methods: resultstest.Methods},
	}) {
		if seen[table.Name] {
			t.Errorf("two tables are named %s", table.Name)
		}
		seen[table.Name] = true
		if strings.HasSuffix(table.Name, "control.py") {
			for _, row := range table.Rows {
				if row.ID != "" && !strings.Contains(row.ID, "pace") {
					t.Errorf("%s has a row of the paper: %s", table.Name, row.ID)
				}
			}
		}
	}
	for _, name := range []string{"main-control.py", "stats-tsp-construct",
		"seeds-tsp-construct-fresh.py"} {
		if !seen[name] {
			t.Errorf("no table %s", name)
		}
	}
}
