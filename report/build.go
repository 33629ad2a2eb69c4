package report

import (
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// This package makes tables, and package render writes them.
type (
	Table  = render.Table
	Column = render.Column
	Row    = render.Row
	Cell   = render.Cell
)

// A field is a column with the function that makes its cell in a row. The function takes the
// subject of the row, such as a group of runs, a run or an EAP.
type field[T any] struct {
	Column
	cell func(T) Cell
}

// newTable makes every table: a column for each field, and a row for each subject. head returns the
// row without its cells.
func newTable[T any](name, title string, subjects []T, head func(T) Row,
	fields ...field[T]) *Table {
	t := &Table{Name: name, Title: title}
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, s := range subjects {
		row := head(s)
		for _, f := range fields {
			row.Cells = append(row.Cells, f.of(s))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// of returns the cell of a subject. A number without runs gets the subject's finished runs.
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

// A line is the groups of one row of a table over tasks.
type line = []*group

// joined turns fields of groups into fields of lines. Each cell comes from the first group of the
// line that has a value.
func joined(fields []field[*group]) (out []field[line]) {
	for _, f := range fields {
		out = append(out, field[line]{f.Column, func(own line) (c Cell) {
			for _, g := range own {
				if c = f.of(g); !c.Missing() {
					break
				}
			}
			return c
		}})
	}
	return out
}

// methodTable returns a table with a row for every combination of method, variant, models and lock.
// A row may span tasks. Rows without a model come first, then one section for every model.
func methodTable(name, title string, groups []*group, fields []field[*group]) *Table {
	head := func(own line) Row {
		k := rowKey(own[0])
		return Row{ID: k.Row(), Models: k.Models, Section: k.Models, Rivals: k.Models,
			Remarks: rowRemarks(own)}
	}
	names := nameFields(groups, "Method",
		func(own line) string { return own[0].title() },
		func(own line) string { return rowKey(own[0]).Models })
	return newTable(name, title, gather(byModels(groups), rowKey), head,
		append(names, joined(fields)...)...)
}

// nameFields returns the fields that name a row. The models have a column only if they differ
// between groups.
func nameFields[T any](groups []*group, title string, name, model func(T) string) []field[T] {
	out := []field[T]{text("row", title, name)}
	if len(models(groups)) > 1 {
		out = append(out, text("model", "Model", func(v T) string {
			if m := model(v); m != "" {
				return modelTitle(m)
			}
			return ""
		}))
	}
	return out
}

// nameOnce returns the fields that name a method above several rows: of returns the group of a row,
// and whether the row is the group's first one.
func nameOnce[T any](groups []*group, of func(T) (*group, bool)) []field[T] {
	named := func(name func(*group) string) func(T) string {
		return func(v T) string {
			if g, first := of(v); first {
				return name(g)
			}
			return ""
		}
	}
	return nameFields(groups, "Method", named((*group).title),
		named(func(g *group) string { return g.Models }))
}

// modelField returns the field of the models of a row. If all groups have the same models, the
// field is only in CSV.
func modelField[T any](groups []*group, of func(T) *group) field[T] {
	f := text("model", "Model", func(v T) string { return modelTitle(of(v).Models) })
	f.Data = len(models(groups)) < 2
	return f
}

func (g *group) row(id string) Row { return Row{ID: id, Models: g.Models, Remarks: remarks(g)} }

// column returns a column of cells with the given number of decimals.
func column[T any](id, title string, digits int, cell func(T) Cell) field[T] {
	return field[T]{Column{ID: id, Title: title, Digits: digits}, cell}
}

func text[T any](id, title string, of func(T) string) field[T] {
	return field[T]{Column{ID: id, Title: title, Text: true}, func(v T) Cell {
		return render.Words(of(v))
	}}
}

func number[T any](id, title string, digits int, of func(T) float64) field[T] {
	return column(id, title, digits, func(v T) Cell { return render.Number(of(v)) })
}

func whole[T any](id, title string, of func(T) int) field[T] {
	return number(id, title, 0, func(v T) float64 { return float64(of(v)) })
}

// share returns a column with n as a percentage of all, or a dash if all is 0.
func share[T any](id, title string, of func(T) (n, all int)) field[T] {
	return column(id, title+" (%)", 1, func(v T) Cell {
		n, all := of(v)
		if all == 0 {
			return Cell{}
		}
		return render.Number(100 * float64(n) / float64(all))
	})
}

// words returns a column of words that wrap in LaTeX. share is its part of the line width.
func words[T any](id, title string, share float64, of func(T) string) field[T] {
	f := text(id, title, of)
	f.Share = share
	return f
}

// column returns a column for values of the task. better is +1 if larger values are better, -1 if
// smaller values are better, and 0 for a column without marks.
func (t task) column(id, title string, better int) Column {
	return Column{ID: id, Title: title, Spread: true, Digits: t.Digits, Better: better,
		Equal: results.Tolerance(t.Tolerance)}
}
