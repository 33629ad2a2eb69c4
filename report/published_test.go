package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// paperTables are the tables of the paper that contain means of runs.
var paperTables = []string{
	"main-control", "main-tsp-construct", "main-tsp-aco", "ablation-pace", "models-pace", "tokens",
}

// everyRow returns a run for every row of these tables.
func everyRow() *results.Store {
	s, seen := &results.Store{}, map[string]bool{}
	for _, name := range paperTables {
		paper, _ := data.Published(name)
		for _, row := range paper.Rows {
			for column := range row.Cells {
				task, _, _ := strings.Cut(column, "/")
				if !slices.ContainsFunc(labels.Tasks, func(t *bench.Task) bool {
					return t.Name == task
				}) {
					task = strings.TrimPrefix(name, "main-")
				}
				r := finished("pace", "", 1, 6, 6, nil)
				r.Header.Task, r.Header.Models = task, map[string]string{"": "openai:gpt-4o-mini"}
				if algorithm, eap, ok := strings.Cut(row.ID, "|"); ok {
					r.Header.Models = map[string]string{
						"": "openai:" + algorithm, "eap": "openai:" + eap,
					}
				} else {
					r.Header.Method, r.Header.Variant, _ = strings.Cut(row.ID, "@")
				}
				if label := labels.group(&results.Group{Key: r.Key()}).method; label.Tasks != nil {
					r.Header.Models, r.Journal, r.Asked = nil, false, 0
				}
				if key := fmt.Sprint(r.Key()); !seen[key] {
					seen[key], s.Runs = true, append(s.Runs, r)
				}
			}
		}
	}
	return s
}

// TestEveryTableOfThePaper: in a report of runs, every table of the paper has all numbers that the
// paper prints.
func TestEveryTableOfThePaper(t *testing.T) {
	s := everyRow()
	for _, name := range paperTables {
		table := tableOf(t, s, name, everything)
		paper, _ := data.Published(name)
		for _, r := range paper.Rows {
			i := slices.IndexFunc(table.Rows, func(row Row) bool {
				return row.ID == r.ID && row.Published
			})
			if i < 0 {
				t.Errorf("%s has no row %s", name, r.ID)
				continue
			}
			for column, want := range r.Cells {
				if got := printed(t, table, table.Rows[i], column); got != want {
					t.Errorf("%s, %s, %s: %q, the paper prints %q", name, r.ID, column, got, want)
				}
			}
		}
		if !slices.ContainsFunc(table.Notes, func(n render.Note) bool {
			return n.Kind == render.Published && strings.Contains(n.Text, paper.Source)
		}) {
			t.Errorf("%s does not name its source, %s", name, paper.Source)
		}
	}
}

// TestOnlyWhatWasRun: by default, a report has no number of the paper, and no table without a run.
func TestOnlyWhatWasRun(t *testing.T) {
	if got := Tables(&results.Store{}, everything); len(got) > 0 {
		t.Errorf("no run, and a table %s", got[0].Name)
	}
	s := &results.Store{Runs: []*results.Run{
		finished("pace", "", 1, -6.3, 6.3, outcome(6.113)), finished("greedy", "", 1, -7, 7, nil),
	}}
	for _, o := range []Options{
		{Printed: data.Published, Labels: labels},
		{Printed: data.Published, Labels: labels, Published: true},
		{Printed: data.Published, Labels: labels, All: true},
	} {
		for _, table := range Tables(s, o) {
			if slices.ContainsFunc(table.Rows, func(r Row) bool {
				return r.Published && !o.Published
			}) || table.Rows[0].Published {
				t.Errorf("%+v: %s has a row of the paper", o, table.Name)
			}
		}
	}
}
