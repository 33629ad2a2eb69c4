package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/results"
)

// The rules by which cells of a column are marked as the best, among the rows with the same rivals:
// bold print in LaTeX and on the page, an asterisk in text.
const (
	// BoldSeparated marks the first rows of a column when the seeds separate each of them from each
	// row behind them (results.Separated); otherwise nothing.
	BoldSeparated = "separated"
	// BoldPaper marks the best mean and the means that are written alike, as the paper does. A
	// number without a rival is not marked.
	BoldPaper = "paper"
)

// Bolds lists the rules, the default first.
var Bolds = []string{BoldSeparated, BoldPaper}

// Mark marks the best cells and says below the table by which rule.
func (t *Table) Mark(rule string) {
	choose := (*Table).separated
	if rule == BoldPaper || t.Choice != "" {
		choose = (*Table).largest
	}
	var unmarked []string
	any := false
	for j, col := range t.Columns {
		if col.Better == 0 {
			continue
		}
		rivals, marked := 0, 0
		for _, class := range t.classes() {
			rows := t.ranked(j, class)
			best := 0
			if len(rows) > 1 {
				best = choose(t, j, rows)
			}
			for _, i := range rows[:best] {
				t.Rows[i].Cells[j].Best = true
			}
			rivals, marked = max(rivals, len(rows)), marked+best
		}
		heading := strings.ReplaceAll(t.heading(col), "\n", " ")
		any = any || marked > 0
		if rivals > 1 && marked == 0 && col.Spread {
			unmarked = append(unmarked, heading)
		}
	}
	if any {
		t.Note(BestMark, t.bestNote(rule))
	}
	if rule != BoldPaper && t.Choice == "" && len(unmarked) > 0 {
		t.Note(Unmarked, fmt.Sprintf("Nothing is marked in %s: the seeds do not separate the best "+
			"rows.", strings.Join(unmarked, ", ")))
	}
}

// classes are the rivals of the rows, without those that have none.
func (t *Table) classes() []string {
	var out []string
	for _, row := range t.Rows {
		if row.Rivals != "" && !slices.Contains(out, row.Rivals) {
			out = append(out, row.Rivals)
		}
	}
	return out
}

// ranked are the rows of a class that have a number in column j, the best mean first.
func (t *Table) ranked(j int, class string) []int {
	var out []int
	for i, row := range t.Rows {
		if row.Rivals == class && row.Cells[j].N > 0 {
			out = append(out, i)
		}
	}
	goodness := func(i int) float64 {
		return t.Rows[i].Cells[j].Mean * float64(t.Columns[j].Better)
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(goodness(b), goodness(a)) })
	return out
}

// largest is how many of the rows are written like the first one.
func (t *Table) largest(j int, rows []int) int {
	written := func(i int) string { return Fixed(t.Rows[i].Cells[j].Mean, t.Columns[j].Digits) }
	n := 1
	for n < len(rows) && written(rows[n]) == written(rows[0]) {
		n++
	}
	return n
}

// separated is the smallest number of rows that are each separated from each of the rest; 0 when
// only all of them are.
func (t *Table) separated(j int, rows []int) int {
	apart := func(i, k int) bool {
		x, y := t.Rows[i].Cells[j].Values, t.Rows[k].Cells[j].Values
		if t.Columns[j].Better < 0 {
			x, y = y, x
		}
		return t.Columns[j].Equal.Separated(x, y)
	}
	for n := 1; n < len(rows); n++ {
		if !slices.ContainsFunc(rows[:n], func(i int) bool {
			return slices.ContainsFunc(rows[n:], func(k int) bool { return !apart(i, k) })
		}) {
			return n
		}
	}
	return 0
}

// bestNote says what the marks mean.
func (t *Table) bestNote(rule string) string {
	if t.Choice != "" {
		return t.Choice
	}
	rows := "rows"
	switch {
	case len(t.classes()) > 1:
		rows = "rows with the same model"
	case slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Rivals == "" && !r.Published }):
		rows = "rows that search with a model"
	}
	if rule == BoldPaper {
		return "the best mean among the " + rows + ", as the paper marks it."
	}
	return fmt.Sprintf("its seeds separate it from the unmarked %s (p ≤ %g).", rows, results.Alpha)
}
