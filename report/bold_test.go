package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// TestBoldOfSomeModels: a column with marks of one model does not say that nothing is marked.
func TestBoldOfSomeModels(t *testing.T) {
	table := &Table{Columns: []Column{
		{ID: "train", Title: "Training", Spread: true, Digits: 3, Better: -1},
	}}
	for _, rivals := range []string{"a", "b"} {
		for i, values := range [][]float64{{1, 2, 3}, {4, 5, 6}} {
			c := spread(results.NewSample(values))
			c.Chosen = rivals == "b" && i == 1
			table.Rows = append(table.Rows, Row{Rivals: rivals, Cells: []Cell{c}})
		}
	}
	table.Mark(render.BoldSeparated)
	noted(t, table,
		"The rows of some models are not marked in Training: seeds may have been chosen.")
	if !table.Rows[0].Cells[0].Best || table.Rows[2].Cells[0].Best {
		t.Errorf("marks: %v", table.Rows)
	}
}

func TestBold(t *testing.T) {
	for _, c := range []struct {
		name             string
		better           int
		rows             [][]float64
		separated, paper []int // places of the marked rows
	}{
		{"all seeds before all others", -1, [][]float64{{6, 6.1, 6.2}, {6.3, 6.4, 6.5}, {7, 7, 7}},
			[]int{0}, []int{0}},
		{"larger is better", +1, [][]float64{{6, 6.1, 6.2}, {6.3, 6.4, 6.5}}, []int{1}, []int{1}},
		{"the issue's example: 6.375 ± 0.103 and 6.381 ± 0.081", -1,
			[][]float64{{6.272, 6.375, 6.478}, {6.300, 6.381, 6.462}}, nil, []int{0}},
		{"one seed crosses", -1, [][]float64{{6, 6.1, 6.35}, {6.3, 6.4, 6.5}}, nil, []int{0}},
		{"two that cannot be told apart, apart from the third", -1,
			[][]float64{{6, 6.2, 6.4}, {7, 7.1, 7.2}, {6.1, 6.3, 6.5}}, []int{0, 2}, []int{0}},
		{"the second is not separated from the third", -1,
			[][]float64{{6, 6, 6}, {6.1, 6.2, 6.5}, {6.4, 6.6, 6.7}}, []int{0}, []int{0}},
		{"nothing separates the second from the first, which the third loses to", +1,
			[][]float64{{318, 319, 320}, {200, 310, 322}, {90, 96, 100}, {1, 2, 3}}, []int{0, 1},
			[]int{0}},
		{"a row between two that are apart", -1,
			[][]float64{{1, 2, 3}, {2.5, 3.5, 4.5}, {4, 5, 6}}, []int{0, 1}, []int{0}},
		{"one seed cannot be told apart, and is no best row", -1,
			[][]float64{{5}, {6, 6.1, 6.2}, {7, 7.1, 7.2}}, []int{1}, []int{0}},
		{"equal but for the last bit", -1, [][]float64{{2.1666666666666665, 2.1666666666666665,
			2.1666666666666665}, {2.166666666666666, 2.166666666666666, 2.166666666666666}}, nil,
			[]int{0, 1}},
		{"two seeds separate nothing", -1, [][]float64{{6, 6.1}, {7, 7.1}}, nil, []int{0}},
		{"equal", -1, [][]float64{{6, 6, 6}, {6, 6, 6}}, nil, []int{0, 1}},
		{"a row without a value", -1, [][]float64{{6, 6, 6}, nil, {7, 7, 7}}, []int{0}, []int{0}},
		{"no rival", -1, [][]float64{{6, 6, 6}, nil}, nil, nil},
	} {
		for rule, want := range map[string][]int{
			"": c.separated, render.BoldSeparated: c.separated, render.BoldPaper: c.paper,
		} {
			table := &Table{Columns: []Column{
				{ID: "train", Title: "Training", Spread: true, Digits: 3, Better: c.better},
			}}
			for _, values := range c.rows {
				table.Rows = append(table.Rows,
					Row{Rivals: "all", Cells: []Cell{spread(results.NewSample(values))}})
			}
			table.Mark(rule)
			var got []int
			for i, row := range table.Rows {
				if row.Cells[0].Best {
					got = append(got, i)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, rule %q: rows %v are marked, want %v", c.name, rule, got, want)
			}
			if len(want) == 0 && c.name != "no rival" &&
				!strings.Contains(table.Notes[0].Text, "Nothing is marked in Training") {
				t.Errorf("%s, rule %q: the notes do not say why nothing is marked: %v",
					c.name, rule, table.Notes)
			}
		}
	}
}
