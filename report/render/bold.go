package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
)

// The rules for marking the best cells of a column among rows with the same rivals. Marked cells
// are bold in LaTeX and on the page, and have an asterisk in text.
const (
	// BoldSeparated marks each row with enough seeds for the rank test, unless the test says that
	// another row is better (results.Tolerance.Separated). It marks nothing if no row is better
	// than another.
	BoldSeparated = "separated"
	// BoldPaper marks the best mean and the means that are equal to it when rounded, as the paper
	// does. A number without a rival is not marked.
	BoldPaper = "paper"
)

// Bolds lists the rules, the default first.
var Bolds = []string{BoldSeparated, BoldPaper}

// Mark marks the best cells and names the rule below the table. A table with a Choice already has
// its marks.
func (t *Table) Mark(rule string) {
	if t.Choice != "" {
		if t.AnyCell(func(c Cell) bool { return c.Best }) {
			t.Note(BestMark, t.Choice)
		}
		return
	}
	choose := (*Table).leaders
	if rule == BoldPaper {
		choose = (*Table).largest
	}
	var unmarked, chosen, partly []string
	any := false
	for j, col := range t.Columns {
		if col.Better == 0 {
			continue
		}
		rivals, marked, picked := 0, 0, false
		for _, class := range t.classes() {
			rows := t.ranked(j, class)
			rivals = max(rivals, len(rows))
			if len(rows) < 2 {
				continue
			}
			if rule != BoldPaper && slices.ContainsFunc(rows, func(i int) bool {
				return t.Rows[i].Cells[j].Chosen
			}) {
				picked = true
				continue
			}
			for _, i := range choose(t, j, rows) {
				t.Rows[i].Cells[j].Best = true
				marked++
			}
		}
		heading := strings.ReplaceAll(t.heading(col), "\n", " ")
		any = any || marked > 0
		switch {
		case picked && col.Spread && marked > 0:
			partly = append(partly, heading)
		case picked && col.Spread:
			chosen = append(chosen, heading)
		case rivals > 1 && marked == 0 && col.Spread:
			unmarked = append(unmarked, heading)
		}
	}
	if any {
		t.Note(BestMark, t.bestNote(rule))
	}
	if rule == BoldPaper {
		return
	}
	if len(unmarked) > 0 {
		t.Note(Unmarked, fmt.Sprintf("Nothing is marked in %s: the seeds do not separate the best "+
			"rows.", strings.Join(unmarked, ", ")))
	}
	if len(partly) > 0 {
		t.Note(Unmarked, fmt.Sprintf("The rows of some models are not marked in %s: "+
			"seeds may have been chosen.", strings.Join(partly, ", ")))
	}
	if len(chosen) > 0 {
		t.Note(Unmarked, fmt.Sprintf("Nothing is marked in %s: seeds may have been chosen.",
			strings.Join(chosen, ", ")))
	}
}

// classes returns the different values of Rivals, without the empty one.
func (t *Table) classes() []string {
	var out []string
	for _, row := range t.Rows {
		if row.Rivals != "" && !slices.Contains(out, row.Rivals) {
			out = append(out, row.Rivals)
		}
	}
	return out
}

// ranked returns the rows of a class that have a number in column j, the best mean first.
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

// largest returns the rows whose rounded mean equals the rounded mean of the first row.
func (t *Table) largest(j int, rows []int) []int {
	written := func(i int) string { return Fixed(t.Rows[i].Cells[j].Mean, t.Columns[j].Digits) }
	n := 1
	for n < len(rows) && written(rows[n]) == written(rows[0]) {
		n++
	}
	return rows[:n]
}

// leaders returns the rows that have enough seeds for the test and that no other row beats in it;
// nil if no row beats another one.
func (t *Table) leaders(j int, rows []int) (out []int) {
	values := func(i int) []float64 { return t.Rows[i].Cells[j].Values }
	better := func(i, k int) bool {
		x, y := values(i), values(k)
		if t.Columns[j].Better < 0 {
			x, y = y, x
		}
		return t.Columns[j].Equal.Separated(x, y)
	}
	any := false
	for _, i := range rows {
		beaten, tested := false, false
		for _, k := range rows {
			if m, n := len(values(i)), len(values(k)); k != i && m > 0 && n > 0 &&
				results.SmallestP(m, n) <= results.Alpha {
				tested = true
				beaten = beaten || better(k, i)
			}
		}
		any = any || beaten
		if tested && !beaten {
			out = append(out, i)
		}
	}
	if !any {
		return nil
	}
	return out
}

func (t *Table) bestNote(rule string) string {
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
	return fmt.Sprintf("none of the other %s is better by the rank test (p ≤ %g).", rows,
		results.Alpha)
}
