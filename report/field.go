package report

import (
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// Tables are made here and written by render.
type (
	Table  = render.Table
	Column = render.Column
	Row    = render.Row
	Cell   = render.Cell
)

// A field is a column together with how the subject of a row fills it: a group of runs, a run, an
// EAP.
type field[T any] struct {
	Column
	cell func(T) Cell
}

// of is the subject's cell, with the runs behind it: all of the subject's where it names none.
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

// column is a column of cells with so many decimals.
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

// share is a column of percentages: n of all, a dash where there are none.
func share[T any](id, title string, of func(T) (n, all int)) field[T] {
	return column(id, title+" (%)", 1, func(v T) Cell {
		n, all := of(v)
		if all == 0 {
			return Cell{}
		}
		return render.Number(100 * float64(n) / float64(all))
	})
}
