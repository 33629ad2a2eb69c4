package report

import (
	"cmp"
	"slices"

	"github.com/pacebench/pacebench/bench/report/render"
	"github.com/pacebench/pacebench/bench/results"
)

// A layout orders the rows of a table: rows without a model first, then one section for every
// model, with a column for the model when there are several. A row may span tasks.
type layout struct {
	rows   []*group // the first group of each row
	models bool
	groups []*group
}

func newLayout(groups []*group) *layout {
	l := &layout{groups: groups}
	models := map[string]bool{}
	for _, g := range groups {
		if !slices.ContainsFunc(l.rows, func(r *group) bool { return rowKey(r) == rowKey(g) }) {
			l.rows = append(l.rows, g)
		}
		if !g.Baseline() {
			models[g.Models] = true
		}
	}
	l.models = len(models) > 1
	slices.SortStableFunc(l.rows, func(a, b *group) int {
		return cmp.Or(cmp.Compare(rowKey(a).Models, rowKey(b).Models), compareRows(a, b))
	})
	return l
}

// rowKey is a group's row: without its task, and without a model where none was asked.
func rowKey(g *group) results.Key {
	k := g.Key
	k.Task = ""
	if g.Baseline() {
		k.Models = ""
	}
	return k
}

// fill gives the table its naming columns, one column for every field, and a row for every key.
func (l *layout) fill(t *Table, fields []field[*group]) {
	t.Columns = []Column{{ID: "row", Title: "Method", Text: true}}
	if l.models {
		t.Columns = append(t.Columns, Column{ID: "model", Title: "Model", Text: true})
	}
	t.Columns = append(t.Columns, columns(fields)...)
	for i, first := range l.rows {
		row := l.row(i)
		row.Cells = append(row.Cells, fill(fields, l.groups, func(g *group) bool {
			return rowKey(g) == rowKey(first)
		})...)
		t.Rows = append(t.Rows, row)
	}
}

// row begins a row: its name, its rivals, the rule that parts it from another section.
func (l *layout) row(i int) Row {
	k := rowKey(l.rows[i])
	r := Row{ID: k.Row(), Models: k.Models, Rivals: k.Models,
		Cells: []Cell{render.Words(l.rows[i].title())}}
	if l.models {
		r.Cells = append(r.Cells, Cell{})
		if k.Models != "" {
			r.Cells[1] = render.Words(modelTitle(k.Models))
		}
	}
	if i > 0 {
		r.Rule = rowKey(l.rows[i-1]).Models != k.Models
	}
	for _, g := range l.groups {
		if rowKey(g) == k && len(g.Runs) == 0 {
			r.Remarks = append(r.Remarks, render.NotRun)
		} else if rowKey(g) == k {
			r.Remarks = append(r.Remarks, remarks(g.Group)...)
		}
	}
	slices.Sort(r.Remarks)
	r.Remarks = slices.Compact(r.Remarks)
	return r
}

// remarks are what a reader of the data alone must know of a row.
func remarks(g *results.Group) []string {
	var out []string
	if g.Offline() {
		out = append(out, "offline model")
	}
	if g.Unsafe() {
		out = append(out, "unsafe sandbox")
	}
	if len(g.Finished()) < len(g.Runs) {
		out = append(out, "unfinished seeds")
	}
	return out
}
