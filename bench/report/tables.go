package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/results"
)

// Options shape a report. The zero value is a usable one.
type Options struct {
	Labels Labels
	// Published, when not nil, gives the number that the paper prints for a table (Table.Name), a
	// row (Row.ID) and a column (Column.ID), e.g. "main-tsp-construct", "pace", "test200":
	// "12.064". It is shown below the row, labelled.
	Published func(table, row, column string) (string, bool)
}

// Tables returns all tables that the runs give, as Write writes them. Order: per task the main
// table, the tests of each seed's own best, the seeds and the usage; then the tables over tasks.
func Tables(s *results.Store, o Options) []*Table {
	var out []*Table
	groups := o.Labels.groups(s)
	for _, task := range tasksOf(groups) {
		own := where(groups, func(g *group) bool { return g.Task == task.id })
		out = append(out, mainTable(task, own, o.Labels.Methods), testsTable(task, own), seedsTable(task, own), usageTable(task, own))
	}
	out = append(out, combinedTable("main-control", "Training and testing performance on the control tasks", groups, o.Labels.Methods, "racing-car", "bipedal-walker"))
	out = append(out, ablationTables(groups)...)
	out = append(out, modelTables(groups)...)
	out = append(out, tokensTable(groups))
	out = slices.DeleteFunc(out, func(t *Table) bool { return t == nil || len(t.Rows) == 0 })
	for _, t := range out {
		t.publish(o)
	}
	return out
}

// direction is the sign of better values of a task and its arrow.
func direction(groups []*group) (better int, arrow string) {
	minimize, known := results.Minimizes(runsOf(groups))
	if !known && len(groups) > 0 {
		minimize = groups[0].task.minimize
	}
	if minimize {
		return -1, " ↓"
	}
	return +1, " ↑"
}

// mainTable is the paper's table of one task: training over seeds, and the tests of the best
// program of all seeds.
func mainTable(t task, groups []*group, labels []bench.Label) *Table {
	return combinedTable("main-"+t.id, "Training and testing results on "+t.Title, groups, labels, t.id)
}

// combinedTable is the main table of several tasks side by side; nil when one of them has no row.
func combinedTable(name, title string, groups []*group, labels []bench.Label, tasks ...string) *Table {
	groups = where(groups, func(g *group) bool { return g.Variant == "" && slices.Contains(tasks, g.Task) })
	l := newLayout(groups)
	t := &Table{Name: name, Title: title}
	var fields []field[*group]
	for _, id := range tasks {
		own := where(groups, func(g *group) bool { return g.Task == id })
		if len(own) == 0 {
			return nil
		}
		fields = append(fields, mainFields(own, len(tasks) > 1)...)
	}
	l.fill(t, fields)
	notes := append(t.fillAbsent(labels, tasks), requestNotes(groups)...)
	t.complete(groups, "Test columns: the program with the best training score of all seeds, as in the paper's protocol.", notes...)
	return t
}

// requestNotes say of the rows whose budget is requests how many evaluations they came to.
func requestNotes(groups []*group) (notes []Note) {
	for _, g := range groups {
		requests, evaluations := 0, []float64{}
		for _, r := range g.Finished() {
			if h := r.Header; h.Requests > 0 && h.Requests <= h.Budget {
				requests = h.Requests
				evaluations = append(evaluations, float64(r.Evaluations))
			}
		}
		if requests > 0 {
			notes = append(notes, Note{Footnote, fmt.Sprintf("%s on %s: the budget is %d requests, which came to %.0f evaluations, mean over the seeds.",
				g.title(), g.task.Title, requests, bench.Mean(evaluations))})
		}
	}
	return notes
}

// fillAbsent keeps the place of rows that have no run, at the head of the table, and says why.
func (t *Table) fillAbsent(labels []bench.Label, tasks []string) (notes []Note) {
	var rows []Row
	for _, m := range labels {
		there := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.ID == m.Name })
		foreign := func(task string) bool { return !slices.Contains(m.Tasks, task) }
		if m.Absent == "" || there || slices.ContainsFunc(tasks, foreign) {
			continue
		}
		row := Row{ID: m.Name, Cells: make([]Cell, len(t.Columns)), Remarks: []string{"not run"}}
		row.Cells[0] = words("%s", m.Title)
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return !c.Text })
		row.Cells[i] = words("not run")
		rows = append(rows, row)
		notes = append(notes, Note{Footnote, m.Title + ": " + m.Absent + "."})
	}
	if len(rows) > 0 && len(t.Rows) > 0 {
		t.Rows[0].Rule = t.Rows[0].Models != ""
	}
	t.Rows = append(rows, t.Rows...)
	return notes
}

// mainFields are the columns of one task in a main table.
func mainFields(groups []*group, joined bool) []field[*group] {
	label := groups[0].task
	better, arrow := direction(groups)
	runs := runsOf(groups)
	var out []field[*group]
	add := func(c Column, cell func(*group) Cell) {
		c.Span, c.Digits = label.Title+arrow, label.Digits
		if joined {
			c.ID = label.id + "/" + c.ID
		}
		out = append(out, field[*group]{c, onTask(label, cell)})
	}
	add(Column{ID: "train", Title: "Training", Spread: true, Better: better}, over((*results.Run).Train))
	if anyRescored(runs) {
		add(Column{ID: "fresh", Title: "Re-evaluated", Spread: true, Better: better}, over((*results.Run).Fresh))
		add(Column{ID: "noise", Title: "Noise"}, noiseOf)
	}
	if !joined {
		add(Column{ID: "seeds", Title: "Seeds", Text: true, Wide: true}, func(g *group) Cell { return seedValues(g, label.Digits) })
	}
	for _, s := range label.splitsOf(runs) {
		add(Column{ID: s.Name, Title: s.Title, Better: better, Underline: s.InDomain},
			func(g *group) Cell { return testOf(g.Winner(), s.Name) })
	}
	return out
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

func anyRescored(runs []*results.Run) bool {
	return slices.ContainsFunc(runs, func(r *results.Run) bool { _, _, ok := r.Rescored(); return ok })
}

// testsTable is our addition: the mean over seeds of what each seed's own best program does on the
// tests.
func testsTable(label task, groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return g.Variant == "" })
	better, arrow := direction(groups)
	t := &Table{Name: "tests-" + label.id, Title: "Tests of each seed's own best program on " + label.Title}
	var fields []field[*group]
	for _, s := range label.splitsOf(runsOf(groups)) {
		c := Column{
			ID: s.Name, Title: s.Title, Span: label.Title + arrow, Spread: true, Digits: label.Digits, Better: better, Underline: s.InDomain,
		}
		fields = append(fields, field[*group]{c, over(func(r *results.Run) (float64, bool) { return r.Test(s.Name) })})
	}
	if len(fields) == 0 {
		return nil
	}
	newLayout(groups).fill(t, fields)
	t.complete(groups, "Mean ± standard deviation over seeds, not the paper's protocol. A seed whose program fails on a test is left out of that column.")
	return t
}

// ablationTables has one table for every method with variants, every model and every lock: the
// paper's table mechanism-ablation.
func ablationTables(groups []*group) []*Table {
	type base struct{ method, models, lock string }
	var bases []base
	for _, g := range groups {
		if b := (base{g.Method, g.Models, g.Lock}); g.Variant != "" && !slices.Contains(bases, b) {
			bases = append(bases, b)
		}
	}
	var out []*Table
	for _, b := range bases {
		own := where(groups, func(g *group) bool { return g.Method == b.method && g.Models == b.models && g.Lock == b.lock })
		own = where(own, func(g *group) bool { // a task on which no variant was run has nothing to compare
			return slices.ContainsFunc(own, func(h *group) bool { return h.Task == g.Task && h.Variant != "" })
		})
		name := "ablation-" + b.method
		if slices.ContainsFunc(bases, func(c base) bool { return c.method == b.method && c.models != b.models }) {
			name += "-" + fileName(modelTitle(b.models))
		}
		if own[0].lock != "" {
			name += "-" + fileName(own[0].lock)
		}
		t := &Table{Name: name, Title: "Ablation of " + own[0].method.Title, Columns: []Column{{ID: "row", Title: "Method", Text: true}}}
		fields := taskFields(own)
		t.Columns = append(t.Columns, columns(fields)...)
		var variants []*group // the first of each
		for _, g := range own {
			if !slices.ContainsFunc(variants, func(v *group) bool { return v.Variant == g.Variant }) {
				variants = append(variants, g)
			}
		}
		slices.SortFunc(variants, compareVariants)
		var footnotes []Note
		for i, v := range variants {
			if text := v.variant.Footnote; text != "" {
				footnotes = append(footnotes, Note{Footnote, v.variant.Title + ": " + text})
			}
			title := v.variant.Title
			if v.Variant == "" {
				title = v.method.Title
			}
			row := Row{ID: v.Row(), Models: b.models, Rivals: "all", Cells: []Cell{words("%s", title)}}
			row.Rule = i > 0 && switchOf(v.Variant) != switchOf(variants[i-1].Variant)
			row.Cells = append(row.Cells, fill(fields, own, func(g *group) bool { return g.Variant == v.Variant })...)
			t.Rows = append(t.Rows, row)
		}
		t.complete(own, "Best training scores.", footnotes...)
		out = append(out, t)
	}
	return out
}

// switchOf is the class of an ablation, for the rules between them.
func switchOf(variant string) string {
	name, _, _ := strings.Cut(variant, "=")
	if name == "extraction" {
		name = "generation"
	}
	return name
}

// taskFields has the training value of each task, and its re-evaluation where there is one.
func taskFields(groups []*group) []field[*group] {
	var out []field[*group]
	for _, task := range tasksOf(groups) {
		own := where(groups, func(g *group) bool { return g.Task == task.id })
		for _, f := range mainFields(own, false) {
			switch f.ID {
			case "train":
				f.ID, f.Title = task.id, "Training"
			case "fresh":
				f.ID = task.id + "/fresh"
			default:
				continue
			}
			out = append(out, f)
		}
	}
	return out
}

// tasksOf lists the tasks of the groups in their order.
func tasksOf(groups []*group) []task {
	var out []task
	for _, g := range groups {
		if !slices.ContainsFunc(out, func(t task) bool { return t.id == g.Task }) {
			out = append(out, g.task)
		}
	}
	slices.SortFunc(out, compareTasks)
	return out
}

// fill makes the cells of one row: for every field the one of the chosen groups that has a value.
func fill(fields []field[*group], groups []*group, chosen func(*group) bool) []Cell {
	cells := make([]Cell, len(fields))
	for _, g := range groups {
		if !chosen(g) {
			continue
		}
		for j, f := range fields {
			if c := f.cell(g); cells[j].missing() {
				cells[j] = c
			}
		}
	}
	return cells
}

// modelTables has one table for every method that was run with several models under one lock: the
// paper's table model-allocation.
func modelTables(groups []*group) []*Table {
	var out []*Table
	type base struct{ method, lock string }
	var bases []base
	for _, g := range groups {
		if b := (base{g.Method, g.Lock}); g.Variant == "" && !g.Baseline() && !slices.Contains(bases, b) {
			bases = append(bases, b)
		}
	}
	for _, b := range bases {
		own := where(groups, func(g *group) bool {
			return g.Method == b.method && g.Lock == b.lock && g.Variant == "" && !g.Baseline()
		})
		own = where(own, func(g *group) bool { // only tasks where there is something to compare
			return slices.ContainsFunc(own, func(h *group) bool { return h.Task == g.Task && h.Models != g.Models })
		})
		models, roles := modelsOf(own)
		if len(models) < 2 {
			continue
		}
		name := "models-" + b.method
		if own[0].lock != "" {
			name += "-" + fileName(own[0].lock)
		}
		t := &Table{Name: name, Title: "Models for " + own[0].method.Title, Columns: []Column{{ID: "row", Title: "Algorithm", Text: true}}}
		for _, role := range roles {
			t.Columns = append(t.Columns, Column{ID: "model-" + role, Title: roleTitle(role), Text: true})
		}
		fields := taskFields(own)
		t.Columns = append(t.Columns, columns(fields)...)
		for _, key := range models {
			g := own[slices.IndexFunc(own, func(g *group) bool { return g.Models == key })]
			names := []string{shortModel(g.Runs[0].Header.Models[""])}
			for _, role := range roles {
				names = append(names, shortModel(cmp.Or(g.Runs[0].Header.Models[role], g.Runs[0].Header.Models[""])))
			}
			row := Row{ID: strings.ToLower(strings.Join(names, "|")), Models: key, Rivals: "all"}
			for _, n := range names {
				row.Cells = append(row.Cells, words("%s", n))
			}
			row.Cells = append(row.Cells, fill(fields, own, func(g *group) bool { return g.Models == key })...)
			t.Rows = append(t.Rows, row)
		}
		t.complete(own, "Best training scores.")
		out = append(out, t)
	}
	return out
}

// modelsOf lists the models of the groups, and the roles beside the algorithm's that were asked or
// have a model of their own.
func modelsOf(groups []*group) (models, roles []string) {
	seen := map[string]bool{"": true, "algorithm": true}
	add := func(role string) {
		if !seen[role] {
			seen[role] = true
			roles = append(roles, role)
		}
	}
	for _, g := range groups {
		if !slices.Contains(models, g.Models) {
			models = append(models, g.Models)
		}
	}
	for _, r := range runsOf(groups) {
		for role := range r.Header.Models {
			add(role)
		}
		for p := range r.Usage {
			add(p.Role())
		}
	}
	slices.Sort(models)
	slices.Sort(roles)
	return models, roles
}

// runsOf lists the runs of the groups, in their order.
func runsOf(groups []*group) []*results.Run {
	var out []*results.Run
	for _, g := range groups {
		out = append(out, g.Runs...)
	}
	return out
}

// where returns the groups that are to be kept, in their order.
func where(groups []*group, keep func(*group) bool) []*group {
	var out []*group
	for _, g := range groups {
		if keep(g) {
			out = append(out, g)
		}
	}
	return out
}
