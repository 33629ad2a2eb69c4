package report

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
)

// TestUsersTasksHaveTheirOwnTables: a task in Python may have any name. Its tables never have the
// name of a table of the paper, of another task or of another kind.
func TestUsersTasksHaveTheirOwnTables(t *testing.T) {
	s, tasks := &results.Store{}, resultstest.Tasks
	for _, name := range []string{"control", "tsp-construct-fresh", "tsp-construct"} {
		r := finished("pace", "", 1, -6, 6, nil)
		r.Header.Task = name
		s.Runs = append(s.Runs, r)
		if name != "tsp-construct" {
			own := &bench.Task{}
			own.Name, own.Files = name, map[string]string{name + ".py": "0"}
			own.Splits = []bench.Split{{Name: "train"}}
			tasks = append(tasks, own)
		}
	}
	seen := map[string]bool{}
	for _, table := range Tables(s, Options{
		Printed: data.Published, All: true, Labels: Labels{tasks, resultstest.Methods},
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
