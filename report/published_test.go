package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// paperTables are the tables of the paper that hold means of runs.
var paperTables = []string{
	"main-control", "main-tsp-construct", "main-tsp-aco", "ablation-pace", "models-pace", "tokens",
}

// everyRow is a run for every row of these tables.
func everyRow() *results.Store {
	s, seen := &results.Store{}, map[string]bool{}
	for _, name := range paperTables {
		printed, _ := data.Published(name)
		for _, row := range printed.Rows {
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

// Beside runs, every table of the paper has all that it prints.
func TestEveryTableOfThePaper(t *testing.T) {
	s := everyRow()
	for _, name := range paperTables {
		table := tableOf(t, s, name, everything)
		printed, _ := data.Published(name)
		for _, r := range printed.Rows {
			i := slices.IndexFunc(table.Rows, func(row Row) bool {
				return row.ID == r.ID && row.Published
			})
			if i < 0 {
				t.Errorf("%s has no row %s", name, r.ID)
				continue
			}
			for column, text := range r.Cells {
				j := slices.IndexFunc(table.Columns, func(c Column) bool { return c.ID == column })
				if j < 0 {
					t.Errorf("%s has no column %s", name, column)
					continue
				}
				got := table.Rows[i].Cells[j].Plain(table.Columns[j])
				if got != text {
					t.Errorf("%s, %s, %s: %q, the paper prints %q", name, r.ID, column, got, text)
				}
			}
		}
		if !slices.ContainsFunc(table.Notes, func(n render.Note) bool {
			return n.Kind == render.Published && strings.Contains(n.Text, printed.Source)
		}) {
			t.Errorf("%s does not name its source, %s", name, printed.Source)
		}
	}
}

// Without being asked, a report has no number of the paper, and no table without a run.
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

// The difference is ours minus published, and stands where both are.
func TestDifference(t *testing.T) {
	s := &results.Store{Runs: []*results.Run{finished("pace", "", 1, -6.3, 6.3, outcome(6.113))}}
	table := tableOf(t, s, "main-tsp-construct", everything)
	i := slices.IndexFunc(table.Rows, func(r Row) bool {
		return slices.Contains(r.Remarks, "difference")
	})
	j := slices.IndexFunc(table.Columns, func(c Column) bool { return c.ID == "test50" })
	if i < 2 || math.Abs(table.Rows[i].Cells[j].Mean-0.1) > 1e-9 ||
		table.Rows[i].Cells[j].Plain(table.Columns[j]) != "+0.100" {
		t.Fatalf("no difference of 6.113 from 6.013 in row %d", i)
	}
	for k, c := range table.Rows[i].Cells[1:] {
		if k+1 != j && !c.Missing() {
			t.Errorf("a difference in %s, where there is no number of ours or none of theirs",
				table.Columns[k+1].ID)
		}
	}
}

// In a CSV file a column of numbers holds numbers or nothing.
func TestCSVHasNumbersAsNumbers(t *testing.T) {
	for _, table := range Tables(collect(t, resultstest.Study),
		everything) {
		var b bytes.Buffer
		must.Do(t, render.WriteCSV(&b, table))
		lines, err := csv.NewReader(&b).ReadAll()
		must.Do(t, err)
		words := map[string]bool{"row": true, "models": true, "remarks": true}
		for _, c := range table.Columns {
			if c.Text {
				words[c.ID], words[c.ID+"_published"] = true, true
			}
		}
		words["name"] = true
		for _, line := range lines[1:] {
			for j, text := range line {
				if _, err := strconv.ParseFloat(text, 64); err != nil && text != "" &&
					!words[lines[0][j]] {
					t.Errorf("%s, %s: %q is no number", table.Name, lines[0][j], text)
				}
			}
		}
	}
}
