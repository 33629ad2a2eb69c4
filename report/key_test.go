package report

import (
	"maps"
	"slices"
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
	tables := Tables(s, Options{
		Printed: data.Published, All: true, Labels: Labels{tasks, resultstest.Methods},
	})
	for _, table := range tables {
		for _, row := range table.Rows {
			if strings.HasSuffix(table.Name, "control.py") && row.ID != "" &&
				!strings.Contains(row.ID, "pace") {
				t.Errorf("%s has a row of the paper: %s", table.Name, row.ID)
			}
		}
	}
	names := namesOf(tables)
	for _, name := range append(slices.Collect(maps.Keys(names)),
		"main-control.py", "stats-tsp-construct", "seeds-tsp-construct-fresh.py") {
		if names[name] != 1 {
			t.Errorf("%d tables are named %s", names[name], name)
		}
	}
}
