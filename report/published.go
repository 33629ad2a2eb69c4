package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// paperModel is what all searches of the paper's comparisons ran on (section "Baselines").
const paperModel = "gpt-4o-mini"

// paperSeeds is how many runs stand behind a printed mean with a deviation.
const paperSeeds = 3

// printed is the paper's table of that name; empty where it has none.
func (o Options) printed(table string) data.Table {
	if o.Paper == nil {
		return data.Table{}
	}
	t, _ := o.Paper(table)
	return t
}

// hasColumn reports whether any row of the paper's table has the column.
func hasColumn(t data.Table, column string) bool {
	return slices.ContainsFunc(t.Rows, func(r data.Row) bool { return r.Cells[column] != "" })
}

// absent are the rows of a table that nobody has run, where these are shown: those that ask no
// model and stand in it, and the paper's.
func (o Options) absent(groups []*group, table string, tasks []task) []*group {
	if !o.AllTables {
		return nil
	}
	models := homeModels(groups)
	var out []*group
	add := func(method string, task task) {
		same := func(g *group) bool { return g.Method == method && g.Variant == "" }
		if !slices.ContainsFunc(groups, same) && !slices.ContainsFunc(out, func(g *group) bool {
			return same(g) && g.Task == task.id
		}) {
			out = append(out,
				o.absentGroup(results.Key{Task: task.id, Method: method, Models: models}, nil))
		}
	}
	for _, task := range tasks {
		if strings.HasPrefix(table, "main-") {
			for _, m := range o.Labels.Methods {
				if m.Absent != "" && slices.Contains(m.Tasks, task.id) {
					add(m.Name, task)
				}
			}
		}
		for _, r := range o.printed(table).Rows {
			for column := range r.Cells {
				if len(tasks) == 1 || column == task.id || strings.HasPrefix(column, task.id+"/") {
					add(r.ID, task)
				}
			}
		}
	}
	return out
}

// absentVariants are the rows of the paper's ablation that nobody has run.
func (o Options) absentVariants(groups []*group, table, models string) []*group {
	if !o.AllTables {
		return nil
	}
	var out []*group
	for _, r := range o.printed(table).Rows {
		method, variant, _ := strings.Cut(r.ID, "@")
		if slices.ContainsFunc(groups, func(g *group) bool { return g.Variant == variant }) {
			continue
		}
		for _, l := range o.Labels.Tasks {
			if r.Cells[l.Name] != "" {
				out = append(out, o.absentGroup(results.Key{
					Task: l.Name, Method: method, Variant: variant, Models: models,
				}, nil))
			}
		}
	}
	return out
}

// absentModels are the rows of the paper's table of models that nobody has run.
func (o Options) absentModels(groups []*group, table, method string) []*group {
	if !o.AllTables {
		return nil
	}
	var out []*group
	for _, r := range o.printed(table).Rows {
		algorithm, eap, _ := strings.Cut(r.ID, "|")
		for _, l := range o.Labels.Tasks {
			there := func(g *group) bool {
				return g.Task == l.Name && g.modelRow([]string{"eap"}) == r.ID
			}
			if r.Cells[l.Name] != "" && !slices.ContainsFunc(groups, there) {
				roles := map[string]string{"": algorithm, "eap": eap}
				out = append(out, o.absentGroup(results.Key{
					Task: l.Name, Method: method, Models: results.Models(roles),
				}, roles))
			}
		}
	}
	return out
}

func (o Options) absentGroup(k results.Key, roles map[string]string) *group {
	g := o.Labels.group(&results.Group{Key: k})
	g.roles = roles
	return g
}

// homeModels are those among whose rows the paper's stand: its own, or the first.
func homeModels(groups []*group) string {
	all := append(models(groups), paperModel)
	i := slices.IndexFunc(all, func(m string) bool { return plainModel(m) == paperModel })
	if i == len(all)-1 {
		i = 0
	}
	return all[i]
}

// absentNotes say which rows have no run, and how to get one.
func absentNotes(absent []*group) []string {
	notes := rowNotes(absent, func(g *group) string { return g.method.Absent })
	others := where(absent, func(g *group) bool { return g.method.Absent == "" && g.roles == nil })
	if len(others) > 0 {
		notes = append(notes, "Not run: "+listed(others)+".")
	}
	return notes
}

// sayNotRun says in the rows without a run that they have none.
func sayNotRun(t *Table) {
	for i, row := range t.Rows {
		first := slices.IndexFunc(t.Columns, func(c Column) bool { return !c.Text && !c.Data })
		if slices.Contains(row.Remarks, render.NotRun) && first >= 0 && row.Cells[first].Missing() {
			t.Rows[i].Cells[first] = render.Words(render.NotRun)
		}
	}
}

// publish adds below each row the numbers that the paper prints for it and our difference from
// them.
func (o Options) publish(t *Table) {
	name := cmp.Or(t.Paper, t.Name)
	printed := o.printed(name)
	place := map[string]int{} // of the row that has the paper's model, else of the first
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
		if p < 0 || place[row.ID] != i { // another model of the same row: the paper has one number
			continue
		}
		theirs := Row{ID: row.ID, Published: true, Remarks: []string{"published"},
			Cells: make([]Cell, len(t.Columns))}
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
			// Counts are not compared.
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

// printedCell reads "5.805 ± 0.014" or "12.064"; anything else is words.
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
