package report

import (
	"cmp"
	"slices"
	"strings"
)

// Options shape a report. The zero value is a usable one.
type Options struct {
	Title string // of the page; "pacebench report" when empty
	// Published, when not nil, gives the number that the paper prints for a table (Table.Name), a row (Row.ID) and a
	// column (Column.ID), e.g. "main-tsp-construct", "pace", "test200": "12.064". It is shown below the row, labelled.
	Published func(table, row, column string) (string, bool)
}

// Tables returns all tables that the runs give, as Write writes them. Order: per task the main table, the tests of
// each seed's own best, the seeds and the usage; then the tables over tasks.
func (s *Store) Tables(o Options) []*Table {
	var out []*Table
	groups := s.Groups()
	for _, task := range s.Tasks() {
		own := where(groups, func(g *Group) bool { return g.Task == task })
		out = append(out, mainTable(task, own), testsTable(task, own), seedsTable(task, own), usageTable(task, own))
	}
	out = append(out, combinedTable("main-control", "Training and testing performance on the control tasks", groups, "car-racing", "bipedal-walker"))
	out = append(out, ablationTables(groups)...)
	out = append(out, modelTables(groups)...)
	out = append(out, tokensTable(groups))
	out = slices.DeleteFunc(out, func(t *Table) bool { return t == nil || len(t.Rows) == 0 })
	for _, t := range out {
		t.publish(o)
	}
	return out
}

// Main returns the main table of one task, nil when the store has no row for it.
func (s *Store) Main(task string, o Options) *Table {
	for _, t := range s.Tables(o) {
		if t.Name == "main-"+task {
			return t
		}
	}
	return nil
}

// direction is the sign of better values of a task and its arrow.
func direction(groups []*Group) (better int, arrow string) {
	var runs []*Run
	for _, g := range groups {
		runs = append(runs, g.Runs...)
	}
	minimize, known := minimizes(runs)
	if !known && len(groups) > 0 {
		minimize = taskOf(groups[0].Task).minimize
	}
	if minimize {
		return -1, " ↓"
	}
	return +1, " ↑"
}

// mainTable is the paper's table of one task: training over seeds, and the tests of the best program of all seeds.
func mainTable(task string, groups []*Group) *Table {
	return combinedTable("main-"+task, "Training and testing results on "+taskOf(task).title, groups, task)
}

// combinedTable is the main table of several tasks side by side; nil when one of them has no row.
func combinedTable(name, title string, groups []*Group, tasks ...string) *Table {
	groups = where(groups, func(g *Group) bool { return g.Variant == "" && slices.Contains(tasks, g.Task) })
	l := newLayout(groups)
	t := &Table{Name: name, Title: title}
	var fields []field
	for _, task := range tasks {
		own := where(groups, func(g *Group) bool { return g.Task == task })
		if len(own) == 0 {
			return nil
		}
		fields = append(fields, mainFields(task, own, len(tasks) > 1)...)
	}
	l.fill(t, fields)
	t.complete(groups, "Test columns: the program with the best training score of all seeds, as in the paper's protocol.")
	return t
}

// A field is a column together with how a group fills it.
type field struct {
	Column
	cell func(*Group) Cell
}

// mainFields are the columns of one task in a main table.
func mainFields(task string, groups []*Group, joined bool) []field {
	label := taskOf(task)
	better, arrow := direction(groups)
	span := label.title + arrow
	var runs []*Run
	for _, g := range groups {
		runs = append(runs, g.Runs...)
	}
	id := func(name string) string {
		if joined {
			return task + "/" + name
		}
		return name
	}
	col := Column{Span: span, Digits: label.digits}
	add := func(out []field, c Column, cell func(*Group) Cell) []field {
		return append(out, field{c, func(g *Group) Cell {
			if g.Task != task {
				return Cell{}
			}
			return cell(g)
		}})
	}

	train := col
	train.ID, train.Title, train.Spread, train.Better = id("train"), "Training", true, better
	out := add(nil, train, func(g *Group) Cell { return spread(trainValues(g)) })
	if slices.ContainsFunc(runs, func(r *Run) bool { _, _, ok := r.Rescored(); return ok }) {
		fresh, noise := col, col
		fresh.ID, fresh.Title, fresh.Spread, fresh.Better = id("fresh"), "Re-evaluated", true, better
		noise.ID, noise.Title = id("noise"), "Noise"
		out = add(out, fresh, func(g *Group) Cell { return spread(freshValues(g)) })
		out = add(out, noise, noiseOf)
	}
	if !joined {
		seeds := Column{ID: "seeds", Title: "Seeds", Span: span, Text: true, Wide: true}
		out = add(out, seeds, func(g *Group) Cell { return seedValues(g, label.digits) })
	}
	for _, split := range label.splitsOf(runs) {
		test := col
		test.ID, test.Title, test.Better, test.Underline = id(split.id), split.title, better, split.inDomain
		out = add(out, test, func(g *Group) Cell { return testOf(g.Winner(), split.id) })
	}
	return out
}

// testsTable is our addition: the mean over seeds of what each seed's own best program does on the tests.
func testsTable(task string, groups []*Group) *Table {
	groups = where(groups, func(g *Group) bool { return g.Variant == "" })
	label := taskOf(task)
	better, arrow := direction(groups)
	t := &Table{Name: "tests-" + task, Title: "Tests of each seed's own best program on " + label.title}
	var runs []*Run
	for _, g := range groups {
		runs = append(runs, g.Runs...)
	}
	var fields []field
	for _, s := range label.splitsOf(runs) {
		c := Column{
			ID: s.id, Title: s.title, Span: label.title + arrow, Spread: true, Digits: label.digits, Better: better, Underline: s.inDomain,
		}
		fields = append(fields, field{c, func(g *Group) Cell { return spread(testValues(g, s.id)) }})
	}
	if len(fields) == 0 {
		return nil
	}
	newLayout(groups).fill(t, fields)
	t.complete(groups, "Mean ± standard deviation over seeds, not the paper's protocol. A seed whose program fails on a test is left out of that column.")
	return t
}

// ablationTables has one table for every method with variants and every model: the paper's table mechanism-ablation.
func ablationTables(groups []*Group) []*Table {
	type base struct{ method, models string }
	var bases []base
	for _, g := range groups {
		if b := (base{g.Method, g.Models}); g.Variant != "" && !slices.Contains(bases, b) {
			bases = append(bases, b)
		}
	}
	var out []*Table
	for _, b := range bases {
		own := where(groups, func(g *Group) bool { return g.Method == b.method && g.Models == b.models })
		own = where(own, func(g *Group) bool { // a task on which no variant was run has nothing to compare
			return slices.ContainsFunc(own, func(h *Group) bool { return h.Task == g.Task && h.Variant != "" })
		})
		name := "ablation-" + b.method
		if slices.ContainsFunc(bases, func(c base) bool { return c.method == b.method && c.models != b.models }) {
			name += "-" + fileName(modelTitle(b.models))
		}
		t := &Table{Name: name, Title: "Ablation of " + methodTitle(b.method), Columns: []Column{{ID: "row", Title: "Method", Text: true}}}
		fields := taskFields(own)
		for _, f := range fields {
			t.Columns = append(t.Columns, f.Column)
		}
		var variants []string
		for _, g := range own {
			if !slices.Contains(variants, g.Variant) {
				variants = append(variants, g.Variant)
			}
		}
		slices.SortFunc(variants, compareVariants)
		for i, v := range variants {
			key := Key{Method: b.method, Variant: v, Models: b.models}
			title := variantTitle(v)
			if v == "" {
				title = methodTitle(b.method)
			}
			row := Row{ID: key.Row(), Models: b.models, Rivals: "all", Cells: []Cell{words("%s", title)}}
			row.Rule = i > 0 && switchOf(v) != switchOf(variants[i-1])
			row.Cells = append(row.Cells, fill(fields, own, func(g *Group) bool { return g.Variant == v })...)
			t.Rows = append(t.Rows, row)
		}
		t.complete(own, append([]string{"Best training scores."}, variantNotes(variants)...)...)
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
func taskFields(groups []*Group) []field {
	var out []field
	for _, task := range tasksOf(groups) {
		own := where(groups, func(g *Group) bool { return g.Task == task })
		for _, f := range mainFields(task, own, false) {
			switch f.ID {
			case "train":
				f.ID, f.Title = task, "Training"
			case "fresh":
				f.ID = task + "/fresh"
			default:
				continue
			}
			out = append(out, f)
		}
	}
	return out
}

func tasksOf(groups []*Group) []string {
	var out []string
	for _, g := range groups {
		if !slices.Contains(out, g.Task) {
			out = append(out, g.Task)
		}
	}
	slices.SortFunc(out, compareTasks)
	return out
}

// fill makes the cells of one row: for every field the one of the chosen groups that has a value.
func fill(fields []field, groups []*Group, chosen func(*Group) bool) []Cell {
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

// modelTables has one table for every method that was run with several models: the paper's table model-allocation.
func modelTables(groups []*Group) []*Table {
	var out []*Table
	var methods []string
	for _, g := range groups {
		if g.Variant == "" && !g.Baseline() && !slices.Contains(methods, g.Method) {
			methods = append(methods, g.Method)
		}
	}
	for _, method := range methods {
		own := where(groups, func(g *Group) bool { return g.Method == method && g.Variant == "" && !g.Baseline() })
		own = where(own, func(g *Group) bool { // only tasks where there is something to compare
			return slices.ContainsFunc(own, func(h *Group) bool { return h.Task == g.Task && h.Models != g.Models })
		})
		models, roles := modelsOf(own)
		if len(models) < 2 {
			continue
		}
		t := &Table{Name: "models-" + method, Title: "Models for " + methodTitle(method), Columns: []Column{{ID: "row", Title: "Algorithm", Text: true}}}
		for _, role := range roles {
			t.Columns = append(t.Columns, Column{ID: "model-" + role, Title: roleTitle(role), Text: true})
		}
		fields := taskFields(own)
		for _, f := range fields {
			t.Columns = append(t.Columns, f.Column)
		}
		for _, key := range models {
			g := own[slices.IndexFunc(own, func(g *Group) bool { return g.Models == key })]
			names := []string{shortModel(g.Runs[0].Header.Models[""])}
			for _, role := range roles {
				names = append(names, shortModel(cmp.Or(g.Runs[0].Header.Models[role], g.Runs[0].Header.Models[""])))
			}
			row := Row{ID: strings.ToLower(strings.Join(names, "|")), Models: key, Rivals: "all"}
			for _, n := range names {
				row.Cells = append(row.Cells, words("%s", n))
			}
			row.Cells = append(row.Cells, fill(fields, own, func(g *Group) bool { return g.Models == key })...)
			t.Rows = append(t.Rows, row)
		}
		t.complete(own, "Best training scores.")
		out = append(out, t)
	}
	return out
}

// modelsOf lists the models of the groups, and the roles beside the algorithm's that were asked or have a model of their own.
func modelsOf(groups []*Group) (models, roles []string) {
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
		for _, r := range g.Runs {
			for role := range r.Header.Models {
				add(role)
			}
			for p := range r.Usage {
				add(p.Role())
			}
		}
	}
	slices.Sort(models)
	slices.Sort(roles)
	return models, roles
}

func roleTitle(role string) string {
	if role == "eap" {
		return "EAP"
	}
	return oneLine(strings.ToUpper(role[:1]) + role[1:])
}
