package report

import (
	"cmp"
	"slices"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// fillRows gives a table a column for every field, and a row for every key of the groups, in their
// order. head begins the row of the groups of one key.
func fillRows[K comparable](t *Table, fields []field[*group], groups []*group,
	key func(*group) K, head func(own []*group) Row) {
	t.Columns = append(t.Columns, columns(fields)...)
	for _, own := range gather(groups, key) {
		row := head(own)
		row.Cells = append(row.Cells, firstCells(fields, own)...)
		t.Rows = append(t.Rows, row)
	}
}

// firstCells has for every field the cell of the first group that has a value.
func firstCells(fields []field[*group], groups []*group) []Cell {
	out := make([]Cell, len(fields))
	for j, f := range fields {
		for _, g := range groups {
			if out[j] = f.of(g); !out[j].Missing() {
				break
			}
		}
	}
	return out
}

// methodRows fills a table with a row for every method, variant, models and lock, which may span
// tasks: rows without a model first, then one section for every model.
func methodRows(t *Table, groups []*group, fields []field[*group]) {
	several := nameColumns(t, groups, "Method", 0)
	fillRows(t, fields, byModels(groups), rowKey, func(own []*group) Row {
		k := rowKey(own[0])
		r := Row{ID: k.Row(), Models: k.Models, Rivals: k.Models, Remarks: rowRemarks(own),
			Cells: []Cell{render.Words(own[0].title())}}
		if several {
			r.Cells = append(r.Cells, Cell{})
			if k.Models != "" {
				r.Cells[1] = render.Words(modelTitle(k.Models))
			}
		}
		r.Rule = len(t.Rows) > 0 && t.Rows[len(t.Rows)-1].Models != k.Models
		return r
	})
}

// nameColumns begins a table with the columns that name a row: one for the model only where the
// groups have several.
func nameColumns(t *Table, groups []*group, title string, share float64) (several bool) {
	t.Columns = []Column{{ID: "row", Title: title, Text: true}}
	if several = len(models(groups)) > 1; several {
		t.Columns = append(t.Columns,
			Column{ID: "model", Title: "Model", Text: true, Share: share})
	}
	return several
}

// byModels orders groups for tables over tasks.
func byModels(groups []*group) []*group {
	return slices.SortedStableFunc(slices.Values(groups), func(a, b *group) int {
		return cmp.Or(cmp.Compare(rowKey(a).Models, rowKey(b).Models), compareRows(a, b))
	})
}

// rowKey is a group's row: without its task, without a lock that all searches on it have, and
// without a model where none was asked.
func rowKey(g *group) results.Key {
	k := g.Key
	k.Task, k.Lock = "", g.world
	if g.Baseline() {
		k.Models = ""
	}
	return k
}

// remarks are what a reader of the data alone must know of a group.
func remarks(g *group) []string {
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

// rowRemarks are the remarks of all groups of a row, each once.
func rowRemarks(groups []*group) []string {
	var out []string
	for _, g := range groups {
		out = append(out, remarks(g)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gather puts what has one key together, keys in the order in which they come first.
func gather[T any, K comparable](list []T, key func(T) K) [][]T {
	var out [][]T
	place := map[K]int{}
	for _, v := range list {
		i, known := place[key(v)]
		if !known {
			i = len(out)
			place[key(v)], out = i, append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

// byTask are the groups of each task, in the order of tasks.
func byTask(groups []*group) [][]*group {
	out := gather(groups, func(g *group) string { return g.Task })
	slices.SortFunc(out, func(a, b []*group) int { return compareTasks(a[0].task, b[0].task) })
	return out
}

// tasksOf lists the tasks of the groups in their order.
func tasksOf(groups []*group) []task {
	var out []task
	for _, own := range byTask(groups) {
		out = append(out, own[0].task)
	}
	return out
}

// titlesOf are the titles of the groups' tasks in their order.
func titlesOf(groups []*group) []string {
	var out []string
	for _, t := range tasksOf(groups) {
		out = append(out, t.Title)
	}
	return out
}

// runsOf lists the runs of the groups, in their order.
func runsOf(groups []*group) []*results.Run {
	var out []*results.Run
	for _, g := range groups {
		out = append(out, g.Runs...)
	}
	return out
}

// where returns what is to be kept of a list, in its order.
func where[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return !keep(v) })
}

// with appends what a list lacks.
func with[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}
