package report

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// paperTables are all tables of the paper that hold what runs give.
var paperTables = []string{
	"main-control", "main-tsp-construct", "main-tsp-aco", "ablation-pace", "models-pace",
	"tokens", "roles", "settings", "programs", "status",
}

// Without a run, every table of the paper is there with all that it prints and nothing else.
func TestEveryTableOfThePaper(t *testing.T) {
	byName := map[string]*Table{}
	for _, table := range Tables(&results.Store{},
		everything) {
		byName[table.Name] = table
	}
	for _, name := range paperTables {
		table := byName[name]
		if table == nil {
			t.Errorf("no table %s", name)
			continue
		}
		for _, r := range table.Rows {
			for j, c := range r.Cells {
				if !r.Published && c.N > 0 {
					t.Errorf("%s, %s, %s: the number %v of no run",
						name, r.ID, table.Columns[j].ID, c.Mean)
				}
			}
		}
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
				if name == "programs" && column == "train" { // nine decimals
					x, _ := strconv.ParseFloat(text, 64)
					text = render.Fixed(x, 3)
				}
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

// Without being asked, a report shows the rows and the tables that have runs, and no number of the
// paper.
func TestOnlyWhatWasRun(t *testing.T) {
	got := Tables(&results.Store{}, Options{Paper: data.Published, Labels: labels})
	if len(got) > 0 {
		t.Errorf("no run, and a table %s", got[0].Name)
	}
	s := &results.Store{Runs: []*results.Run{
		finished("pace", "", 1, -6.3, 6.3, outcome(6.113)), finished("greedy", "", 1, -7, 7, nil),
	}}
	for _, o := range []Options{
		{Paper: data.Published, Labels: labels},
		{Paper: data.Published, Labels: labels, Published: true},
		{Paper: data.Published, Labels: labels, AllTables: true},
	} {
		for _, table := range Tables(s, o) {
			empty := true
			for _, r := range table.Rows {
				absent := slices.Contains(r.Remarks, render.NotRun)
				empty = empty && (absent || r.Published)
				if r.Published && !o.Published || absent && !o.AllTables {
					t.Errorf("%+v: %s has the row %s %v", o, table.Name, r.ID, r.Remarks)
				}
			}
			if empty && !o.AllTables {
				t.Errorf("%+v: %s has no run", o, table.Name)
			}
		}
	}
}

// The difference is ours minus published, and stands where both are.
func TestDifference(t *testing.T) {
	s := &results.Store{Runs: []*results.Run{finished("pace", "", 1, -6.3, 6.3, outcome(6.113))}}
	for _, table := range Tables(s, everything) {
		if table.Name != "main-tsp-construct" {
			continue
		}
		i := slices.IndexFunc(table.Rows, func(r Row) bool {
			return slices.Contains(r.Remarks, "difference")
		})
		j := slices.IndexFunc(table.Columns, func(c Column) bool { return c.ID == "test50" })
		if i < 2 || math.Abs(table.Rows[i].Cells[j].Mean-0.1) > 1e-9 ||
			table.Rows[i].Cells[j].Plain(table.Columns[j]) != "+0.100" {
			t.Errorf("no difference of 6.113 from 6.013 in row %d", i)
		}
		for k, c := range table.Rows[i].Cells[1:] {
			if k+1 != j && !c.Missing() {
				t.Errorf("a difference in %s, where there is no number of ours or none of theirs",
					table.Columns[k+1].ID)
			}
		}
	}
}

// In a CSV file a column of numbers holds numbers or nothing.
func TestCSVHasNumbersAsNumbers(t *testing.T) {
	for _, table := range Tables(collect(t, resultstest.Study),
		everything) {
		var b bytes.Buffer
		if err := render.WriteCSV(&b, table); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
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
