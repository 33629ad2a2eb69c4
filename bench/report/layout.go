package report

import (
	"cmp"
	"slices"
)

// A layout orders the rows of a table: rows without a model first, then one section for every model,
// with a column for the model when there are several.
type layout struct {
	keys   []Key // Task is empty: a row may span tasks
	models bool
	groups []*Group
}

func newLayout(groups []*Group) *layout {
	l := &layout{groups: groups}
	models := map[string]bool{}
	for _, g := range groups {
		if k := l.key(g); !slices.Contains(l.keys, k) {
			l.keys = append(l.keys, k)
		}
		if !g.Baseline() {
			models[g.Models] = true
		}
	}
	l.models = len(models) > 1
	slices.SortStableFunc(l.keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Models, b.Models), compareKeys(a, b))
	})
	return l
}

// key is a group's row: without its task, and without a model where none was asked.
func (l *layout) key(g *Group) Key {
	k := g.Key
	k.Task = ""
	if g.Baseline() {
		k.Models = ""
	}
	return k
}

// fill gives the table its naming columns, one column for every field, and a row for every key.
func (l *layout) fill(t *Table, fields []field) {
	t.Columns = []Column{{ID: "row", Title: "Method", Text: true}}
	if l.models {
		t.Columns = append(t.Columns, Column{ID: "model", Title: "Model", Text: true})
	}
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, k := range l.keys {
		row := l.row(k)
		row.Cells = append(row.Cells, fill(fields, l.groups, func(g *Group) bool { return l.key(g) == k })...)
		t.Rows = append(t.Rows, row)
	}
}

// row begins a row: its name, its rivals, the rule that parts it from another section.
func (l *layout) row(k Key) Row {
	r := Row{ID: k.Row(), Models: k.Models, Rivals: k.Models, Cells: []Cell{words("%s", rowTitle(k))}}
	if l.models {
		r.Cells = append(r.Cells, Cell{})
		if k.Models != "" {
			r.Cells[1] = words("%s", modelTitle(k.Models))
		}
	}
	if i := slices.Index(l.keys, k); i > 0 {
		r.Rule = l.keys[i-1].Models != k.Models
	}
	for _, g := range l.groups {
		if l.key(g) == k {
			r.Remarks = append(r.Remarks, remarks(g)...)
		}
	}
	slices.Sort(r.Remarks)
	r.Remarks = slices.Compact(r.Remarks)
	return r
}

// remarks are what a reader of the data alone must know of a row.
func remarks(g *Group) []string {
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
