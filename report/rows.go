package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// Tables are made here and written by render.
type (
	Table  = render.Table
	Column = render.Column
	Row    = render.Row
	Cell   = render.Cell
)

// A field is a column with the function that fills it from the subject of a row: a group of runs, a
// run or an EAP.
type field[T any] struct {
	Column
	cell func(T) Cell
}

// of is the subject's cell, with the runs behind it: all of the subject's runs if it names no runs.
func (f field[T]) of(subject T) Cell {
	c := f.cell(subject)
	if c.N == 0 || c.Runs != nil {
		return c
	}
	switch from := any(subject).(type) {
	case *group:
		c.Runs = digests(from.Finished())
	case *results.Run:
		c.Runs = digests([]*results.Run{from})
	}
	return c
}

func digests(runs []*results.Run) (out []string) {
	for _, r := range runs {
		out = append(out, r.Digest[:min(len(r.Digest), render.DigestDigits)])
	}
	return out
}

// newTable makes a table with a column for every field and a row for every subject.
func newTable[T any](name, title string, subjects []T, fields ...field[T]) *Table {
	t := &Table{Name: name, Title: title, Columns: columns(fields)}
	for _, s := range subjects {
		row := Row{}
		for _, f := range fields {
			row.Cells = append(row.Cells, f.of(s))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func columns[T any](fields []field[T]) []Column {
	out := make([]Column, len(fields))
	for i, f := range fields {
		out[i] = f.Column
	}
	return out
}

// column is a column of cells with a number of decimals.
func column[T any](id, title string, digits int, cell func(T) Cell) field[T] {
	return field[T]{Column{ID: id, Title: title, Digits: digits}, cell}
}

// text is a column of words.
func text[T any](id, title string, of func(T) string) field[T] {
	return field[T]{Column{ID: id, Title: title, Text: true}, func(v T) Cell {
		return render.Words(of(v))
	}}
}

// number is a column of numbers.
func number[T any](id, title string, digits int, of func(T) float64) field[T] {
	return column(id, title, digits, func(v T) Cell { return render.Number(of(v)) })
}

// whole is a column of counts.
func whole[T any](id, title string, of func(T) int) field[T] {
	return number(id, title, 0, func(v T) float64 { return float64(of(v)) })
}

// share is a column of percentages: n of all; a dash if all is 0.
func share[T any](id, title string, of func(T) (n, all int)) field[T] {
	return column(id, title+" (%)", 1, func(v T) Cell {
		n, all := of(v)
		if all == 0 {
			return Cell{}
		}
		return render.Number(100 * float64(n) / float64(all))
	})
}

func (l looks) of(g *group) figure.Look { return figure.LookOf(l[g.Method]) }

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

// nameColumns begins a table with the columns that name a row: one for the model only if the
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
// without a model if it asked no model.
func rowKey(g *group) results.Key {
	k := g.Key
	k.Task, k.Lock = "", g.world
	if g.Baseline() {
		k.Models = ""
	}
	return k
}

// remarks are notes on a group for readers who see the data without the table's notes.
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

// gather groups values with equal keys; the keys have the order of their first values.
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

// where returns the elements to keep of a list, in its order.
func where[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return !keep(v) })
}

// with appends elements that are missing in a list.
func with[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// rowNotes are the notes of each row; rows with the same note share it.
func rowNotes(groups []*group, of func(*group) string) (notes []string) {
	noted := where(groups, func(g *group) bool { return of(g) != "" })
	for _, own := range gather(noted, of) {
		notes = append(notes, listed(own)+": "+of(own[0])+".")
	}
	return notes
}

// listed are the titles of some rows, each once.
func listed(groups []*group) string {
	var names []string
	for _, g := range groups {
		names = with(names, g.title())
	}
	return strings.Join(names, "; ")
}

// onTask leaves the cells of other tasks' groups empty.
func onTask(t task, cell func(*group) Cell) func(*group) Cell {
	return func(g *group) Cell {
		if g.Task != t.id {
			return Cell{}
		}
		return cell(g)
	}
}

// estimated marks a number of tokens that the server did not count.
func estimated(g *group, c Cell) Cell {
	return estimate(c, slices.ContainsFunc(g.Finished(), func(r *results.Run) bool {
		return r.Tokens().Estimated
	}))
}

// spread is a sample as a cell.
func spread(s results.Sample) Cell {
	return Cell{Mean: s.Mean, SD: s.SD, N: s.N, Values: s.Values, Runs: digests(s.Runs)}
}

// spread is a sample of the group's seeds as a cell.
func (g *group) spread(s results.Sample) Cell {
	c := spread(s)
	c.Chosen = g.Chosen() != ""
	return c
}

// over samples a number of the finished runs of a group.
func over(number func(*results.Run) (float64, bool)) func(*group) Cell {
	return func(g *group) Cell { return g.spread(g.Over(number)) }
}

// testOf is the result of a run's chosen program on a test split.
func testOf(r *results.Run, by results.Choice, split string) Cell {
	if r == nil {
		return Cell{}
	}
	switch o := r.Tested(by, split); {
	case o == nil:
		return Cell{}
	case o.Fault != nil:
		return render.Words("fault: " + string(o.Fault.Kind))
	default:
		return render.Number(o.Mean)
	}
}

// orMissing is the number x, or a missing cell.
func orMissing(x float64, ok bool) Cell {
	if !ok {
		return Cell{}
	}
	return render.Number(x)
}

// estimate marks a number that comes from a stand-in's count.
func estimate(c Cell, is bool) Cell {
	c.Estimated = is && c.N > 0
	return c
}
