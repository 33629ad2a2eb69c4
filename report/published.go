package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/report/render"
)

// paperModel is the model of all searches in the paper's comparisons (section "Baselines").
const paperModel = "gpt-4o-mini"

// paperSeeds is the number of runs behind a printed mean with a deviation.
const paperSeeds = 3

// printed returns the paper's table with the given name, or an empty table.
func (o Options) printed(table string) data.Table {
	if o.Printed == nil {
		return data.Table{}
	}
	t, _ := o.Printed(table)
	return t
}

// hasColumn reports whether any row of the paper's table has the column.
func hasColumn(t data.Table, column string) bool {
	return slices.ContainsFunc(t.Rows, func(r data.Row) bool { return r.Cells[column] != "" })
}

// publish adds, below each row, the paper's numbers for the row and the differences from them.
func (o Options) publish(t *Table) {
	name := cmp.Or(t.Paper, t.Name)
	printed := o.printed(name)
	place := map[string]int{} // by ID: the row with the paper's model, otherwise the first row
	for i, row := range t.Rows {
		if _, ok := place[row.ID]; !ok || plainModel(row.Models) == paperModel {
			place[row.ID] = i
		}
	}
	var out []Row
	any := false
	for i, row := range t.Rows {
		out = append(out, row)
		p := slices.IndexFunc(printed.Rows, func(r data.Row) bool { return r.ID == row.ID })
		if p < 0 || place[row.ID] != i { // the paper has one number for all models of a row
			continue
		}
		theirs := Row{ID: row.ID, Section: row.Section, Published: true,
			Remarks: []string{"published"}, Cells: make([]Cell, len(t.Columns))}
		difference := theirs
		difference.Remarks, difference.Cells = []string{"difference"}, slices.Clone(theirs.Cells)
		found, differs := false, false
		for j, col := range t.Columns {
			text, ok := printed.Rows[p].Cells[col.ID]
			if !ok {
				continue
			}
			found = true
			c := printedCell(text)
			theirs.Cells[j] = c
			// Columns without decimals are counts, which are not compared.
			if own := row.Cells[j]; !printed.Elsewhere && own.N > 0 && c.N > 0 && col.Digits > 0 {
				difference.Cells[j] = render.Number(own.Mean - c.Mean)
				difference.Cells[j].Signed = true
				differs = true
			}
		}
		theirs.Cells[0].Words, difference.Cells[0].Words = "  published", "  difference"
		if found {
			out, any = append(out, theirs), true
		}
		if differs {
			out = append(out, difference)
		}
	}
	t.Rows = out
	if any {
		text := "Published: " + printed.Source + " of " + cmp.Or(printed.Paper, "the PACE paper")
		switch {
		case printed.Elsewhere:
			text += ", " + printed.About + ": other instances"
		case printed.About != "":
			text += ", " + printed.About
		case !strings.HasPrefix(name, "models-") && t.AnyCell(func(c Cell) bool { return c.N > 0 }):
			text += ", searches with GPT-4o-mini"
		}
		t.Note(render.Published, text+".")
	}
}

// printedCell reads "5.805 ± 0.014" or "12.064"; any other text becomes words.
func printedCell(text string) Cell {
	mean, sd, spread := strings.Cut(text, " ± ")
	x, err := strconv.ParseFloat(mean, 64)
	if err != nil {
		return render.Words(text)
	}
	c := render.Number(x)
	if spread {
		if c.SD, err = strconv.ParseFloat(sd, 64); err != nil {
			return render.Words(text)
		}
		c.N = paperSeeds
	}
	return c
}
