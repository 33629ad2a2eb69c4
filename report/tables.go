package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// Options shape a report. The zero value is a usable one.
type Options struct {
	Labels Labels
	// Printed, when not nil, gives the paper's table of a name (Table.Name), in which rows and
	// columns are named as here (Row.ID, Column.ID).
	Printed   func(table string) (data.Table, bool)
	Published bool   // the paper's numbers are below the rows, and the differences from them
	Paper     bool   // one program a row is tested, the best of all seeds, as in the paper
	All       bool   // every table and figure, and not only what papers show
	Bold      string // BoldSeparated when empty
	// Pools are the control runs against which the rows of their tasks are tested.
	Pools []*results.Pool
	// Separations are the comparisons that suites declared.
	Separations []results.Separation
	// Frontier shows seeds against evaluations for few seeds, too.
	Frontier bool
	// Select is the rule by which tested programs are chosen; empty: results.ByTraining.
	Select results.Choice
}

// chosen ends the title of a table of tests whose programs training alone did not choose.
func (o Options) chosen() string {
	if o.Select == results.ByValidation {
		return " (tests: chosen by validation)"
	}
	return ""
}

// control are the tasks that the paper shows in one table.
var control = []string{"racing-car", "bipedal-walker"}

// Tables returns what papers show of the runs, and what somebody asked for: per task the main
// table, pools, paired runs, tuned constants, declared comparisons and validation; then methods ×
// tasks, ablations, models and tokens. With Options.All it returns every table.
func Tables(s *results.Store, o Options) []*Table {
	o.Paper = o.Paper || o.Published // the paper's numbers are of one program a row
	var out []*Table
	add := func(task string, tables ...*Table) {
		for _, t := range tables {
			if t == nil || len(t.Rows) == 0 {
				continue
			}
			t.Task = task
			t.Mark(o.Bold)
			if o.Published {
				o.publish(t)
			}
			out = append(out, t)
		}
	}
	groups := o.Labels.groups(s)
	for _, own := range byTask(groups) {
		task := own[0].task
		add(task.id, o.mainTable(own, task), o.nullTable(task, own), pairedTable(task, s, own))
		if o.All || slices.ContainsFunc(runsOf(own), o.validated) {
			add(task.id, o.testsTable(task, own))
		}
		if o.All {
			add(task.id, o.seedsTable(task, own), usageTable(task, own))
			add(task.id, statsTables(task, own)...)
			add(task.id, targetsTable(task, own), equalTable(task, own))
		}
		if o.All || o.Frontier {
			add(task.id, frontierTable(task, own, o.fewestSeeds()))
		}
		add(task.id, o.separateTables(task)...)
		add(task.id, tuneTable(task, own))
	}
	add("", o.combinedTable("main-control",
		"Training and testing performance on the control tasks",
		groups, o.Labels.task(control[0]), o.Labels.task(control[1])))
	all := tournaments(groups)
	for _, p := range all {
		add("", p.finish(p.methodsTable(), len(all) > 1))
		if o.All {
			add("", p.finish(p.improvementTable(), len(all) > 1))
		}
	}
	add("", o.ablationTables(groups)...)
	add("", o.modelTables(groups)...)
	add("", o.tokensTable(groups))
	if o.All {
		add("", rolesTable(groups), settingsTable(groups), programsTable(groups),
			statusTable(groups))
	}
	return out
}

// direction is the sign of better values of a task and its arrow.
func (t task) direction(groups []*group) (better int, arrow string) {
	if t.minimize || slices.ContainsFunc(runsOf(groups), func(r *results.Run) bool {
		return r.Best != nil && r.Best.Minimized() // where the task is unknown here
	}) {
		return -1, " ↓"
	}
	return +1, " ↑"
}

// mainTable is the table of one task: training and tests over seeds.
func (o Options) mainTable(groups []*group, t task) *Table {
	out := o.combinedTable("main-"+t.key, "Training and testing results on "+t.Title, groups, t)
	if out != nil {
		o.daggers(out, t, groups)
	}
	return out
}

// combinedTable is the main table of several tasks side by side; nil when one of them has no row.
func (o Options) combinedTable(name, title string, groups []*group, tasks ...task) *Table {
	groups = where(groups, func(g *group) bool {
		return g.main() && slices.ContainsFunc(tasks, func(t task) bool { return t.id == g.Task })
	})
	t := &Table{Name: name, Title: title + o.chosen()}
	controls := where(groups, func(g *group) bool { return g.method.Control })
	if len(controls) > 0 {
		t.Title += " (controls: " + listed(controls) + ")"
	}
	var fields []field[*group]
	tested := false
	for _, task := range tasks {
		own := where(groups, func(g *group) bool { return g.Task == task.id })
		tested = tested || len(task.splitsOf(runsOf(own), nil)) > 0
		if len(own) == 0 {
			return nil
		}
		fields = append(fields, o.mainFields(own, task, t.Name, len(tasks) > 1)...)
	}
	methodRows(t, groups, fields)
	complete(t, groups, slices.Concat(rowNotes(groups, func(g *group) string {
		return g.method.Footnote
	}), requestNotes(groups))...)
	if tested {
		t.Note(render.Tested, o.testedNote())
		t.Note(render.Seeds, o.untestedNotes(groups)...)
	}
	return t
}

// rowNotes are what of says of each row, one note for all rows of which it says the same.
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

// requestNotes say of the rows whose budget is requests how many evaluations they came to.
func requestNotes(groups []*group) (notes []string) {
	for _, g := range groups {
		requests, evaluations := 0, []float64{}
		for _, r := range g.Finished() {
			if h := r.Header; h.Requests > 0 && h.Requests <= h.Budget {
				requests = h.Requests
				evaluations = append(evaluations, float64(r.Evaluations))
			}
		}
		if requests > 0 {
			notes = append(notes, fmt.Sprintf("%s on %s: the budget is %d "+
				"requests, which came to %.0f evaluations, mean over the seeds.",
				g.title(), g.task.Title, requests, record.Mean(evaluations)))
		}
	}
	return notes
}

// mainFields are the columns of one task in a main table.
func (o Options) mainFields(
	groups []*group, label task, table string, joined bool,
) []field[*group] {
	better, arrow := label.direction(groups)
	runs := runsOf(groups)
	var out []field[*group]
	id := func(column string) string {
		if joined {
			return label.id + "/" + column
		}
		return column
	}
	add := func(c Column, cell func(*group) Cell) {
		c.ID, c.Span, c.Digits = id(c.ID), label.Title+arrow, label.Digits
		c.Equal = results.Tolerance(label.Tolerance)
		out = append(out, field[*group]{c, onTask(label, cell)})
	}
	add(Column{ID: "train", Title: "Training", Spread: true, Better: better},
		over((*results.Run).Train))
	if anyRescored(runs) {
		add(Column{ID: "fresh", Title: "Re-evaluated", Spread: true, Better: better},
			over((*results.Run).Fresh))
		add(Column{ID: "noise", Title: "Noise"}, noiseOf)
	}
	printed := o.printed(table)
	published := func(split string) bool {
		return o.Published && hasColumn(printed, id(split))
	}
	for _, s := range label.splitsOf(runs, published) {
		add(Column{ID: s.Name, Title: s.Title, Spread: !o.Paper, Better: better,
			Underline: s.InDomain}, func(g *group) Cell { return o.testCell(g, s.Name) })
	}
	if !joined {
		add(Column{ID: "seeds", Title: "Seeds", Text: true, Wide: true}, func(g *group) Cell {
			return seedValues(g, label.Digits)
		})
	}
	return out
}

// testCell is a row's test on a split: the mean over the seeds, each with its own program, or what
// one program of all seeds does.
func (o Options) testCell(g *group, split string) Cell {
	winner := g.WinnerBy(o.Select)
	if !o.Paper {
		c := over(func(r *results.Run) (float64, bool) { return r.Test(o.Select, split) })(g)
		if c.N > 0 {
			return c
		}
		return testOf(winner, o.Select, split) // its fault, if it is not known
	}
	c := testOf(winner, o.Select, split)
	if c.N > 0 {
		c.Runs = digests([]*results.Run{winner})
	}
	return c
}

// testedNote says which programs the tests of a main table are of.
func (o Options) testedNote() string {
	by := "in training"
	if o.Select == results.ByValidation {
		by = "in training and validation"
	}
	if o.Paper {
		return "Tests: one program a row, the best of all seeds " + by + ", as in the paper."
	}
	return "Tests: mean over the seeds, each with its own best program " + by + "."
}

// untestedNotes name the seeds that lack a test of their row, or whose program fails on it.
func (o Options) untestedNotes(groups []*group) (out []string) {
	for _, g := range groups {
		seeds := g.Finished()
		if winner := g.WinnerBy(o.Select); o.Paper && winner != nil {
			seeds = []*results.Run{winner}
		}
		for _, s := range g.task.splitsOf(g.Runs, nil) {
			var untested, failed []string
			for _, r := range seeds {
				seed := fmt.Sprint(r.Header.Seed)
				switch x := r.Tested(o.Select, s.Name); {
				case x == nil:
					untested = append(untested, seed)
				case x.Fault != nil:
					failed = append(failed, fmt.Sprintf("%s (%s)", seed, x.Fault.Kind))
				}
			}
			say := func(what string, seeds []string) {
				if len(seeds) > 0 {
					out = append(out, fmt.Sprintf("%s %s %s: %s.", g.on(groups), what, s.Title,
						listOf("seed", seeds)))
				}
			}
			say("has no test on", untested)
			if !o.Paper { // else the cell says it
				say("is without a program that failed on", failed)
			}
		}
	}
	return out
}

// validated reports whether the chosen program of a run has a value in validation.
func (o Options) validated(r *results.Run) bool {
	_, ok := r.Validation(o.Select)
	return ok
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
	return slices.ContainsFunc(runs, func(r *results.Run) bool {
		_, _, ok := r.Rescored()
		return ok
	})
}

// testsTable is our addition: the mean over seeds of what each seed's own program does on the
// tests, and on the validation split.
func (o Options) testsTable(label task, groups []*group) *Table {
	groups = where(groups, (*group).main)
	better, arrow := label.direction(groups)
	t := &Table{Name: "tests-" + label.key,
		Title: "Tests of each seed's own best program on " + label.Title + o.chosen()}
	var fields []field[*group]
	for _, s := range label.splitsOf(runsOf(groups), nil) {
		c := Column{
			ID: s.Name, Title: s.Title, Span: label.Title + arrow, Spread: true,
			Digits: label.Digits, Better: better, Underline: s.InDomain,
			Equal: results.Tolerance(label.Tolerance),
		}
		fields = append(fields, field[*group]{c, over(func(r *results.Run) (float64, bool) {
			return r.Test(o.Select, s.Name)
		})})
	}
	validation := func(r *results.Run) (float64, bool) { return r.Validation(o.Select) }
	if slices.ContainsFunc(runsOf(groups), o.validated) {
		c := Column{
			ID: record.Val, Title: "Validation", Span: label.Title + arrow, Spread: true,
			Digits: label.Digits, Better: better, Equal: results.Tolerance(label.Tolerance),
		}
		d := Column{ID: "optimism", Title: "Optimism", Spread: true, Digits: label.Digits}
		fields = append(fields, field[*group]{c, over(validation)},
			field[*group]{d, over(func(r *results.Run) (float64, bool) {
				return r.Optimism(o.Select)
			})})
	}
	if len(fields) == 0 {
		return nil
	}
	methodRows(t, groups, fields)
	complete(t, groups)
	t.Note(render.Seeds, Options{Select: o.Select}.untestedNotes(groups)...)
	return t
}

// ablationTables has one table for every method with variants, every model and every lock: the
// paper's table mechanism-ablation. Variants that the method's label does not name are settings
// that somebody tried, and no ablation.
func (o Options) ablationTables(groups []*group) []*Table {
	type base struct{ method, models, world string }
	var bases []base
	for _, g := range groups {
		if !g.main() {
			bases = with(bases, base{g.Method, g.Models, g.world})
		}
	}
	var out []*Table
	for _, b := range bases {
		own := where(groups, func(g *group) bool {
			return g.Method == b.method && g.Models == b.models && g.world == b.world
		})
		own = where(own, func(g *group) bool { // without a variant on the task, nothing to compare
			return slices.ContainsFunc(own, func(h *group) bool {
				return h.Task == g.Task && !h.main()
			})
		})
		name, title := "settings-"+b.method, "Settings of "
		if slices.ContainsFunc(own, (*group).ablated) {
			name, title = "ablation-"+b.method, "Ablation of "
		}
		paper := name
		if slices.ContainsFunc(bases, func(c base) bool {
			return c.method == b.method && c.models != b.models
		}) {
			name += "-" + render.FileName(modelTitle(b.models))
		}
		if b.world != "" {
			name += "-" + render.FileName(b.world)
		}
		t := &Table{Name: name, Paper: paper, Title: title + own[0].method.Title,
			Columns: []Column{{ID: "row", Title: "Method", Text: true}}}
		fields := o.taskFields(own)
		slices.SortStableFunc(own, compareVariants)
		class := ""
		var footnotes []string
		byVariant := func(g *group) string { return g.Variant }
		fillRows(t, fields, own, byVariant, func(own []*group) Row {
			v := own[0]
			title := v.variant.Title
			if v.Variant == "" {
				title = v.method.Title
			}
			if text := v.variant.Footnote; text != "" {
				footnotes = append(footnotes, v.variant.Title+": "+text)
			}
			before := class
			class = v.class()
			return Row{
				ID: v.Row(), Models: b.models, Rivals: "all", Cells: []Cell{render.Words(title)},
				Rule: len(t.Rows) > 0 && class != before, Remarks: rowRemarks(own),
			}
		})
		complete(t, own, footnotes...)
		out = append(out, t)
		if o.All {
			out = append(out, mixTable(t, own))
		}
	}
	return out
}

// mixTable goes with a table of variants: what share of the charged evaluations each operator
// made, and its last one. A switch may change more than what it names.
func mixTable(variants *Table, groups []*group) *Table {
	_, name, _ := strings.Cut(variants.Name, "-")
	t := &Table{Name: "operators-" + name, Columns: variants.Columns[:1:1]}
	var fields []field[*group]
	operators := results.OperatorNames(runsOf(groups))
	for _, task := range tasksOf(groups) {
		add := func(c Column, number func(*results.Run) (float64, bool)) {
			c.ID, c.Span = task.id+"/"+c.ID, task.Title
			fields = append(fields, field[*group]{c, onTask(task, over(number))})
		}
		for _, op := range operators {
			c := Column{ID: op, Title: render.OneLine(op), Digits: 1}
			add(c, func(r *results.Run) (float64, bool) {
				evaluated := float64(r.Operator(op).Evaluated)
				return 100 * evaluated / float64(max(1, r.Evaluations)), r.Evaluations > 0
			})
		}
		for _, op := range operators {
			c := Column{ID: op + "/last", Title: "Last " + render.OneLine(op), Wide: true}
			add(c, func(r *results.Run) (float64, bool) {
				return float64(r.Operator(op).Last), r.Operator(op).Last > 0
			})
		}
	}
	t.Columns = append(t.Columns, columns(fields)...)
	rule := false
	for _, v := range variants.Rows {
		rule = rule || v.Rule
		if own := where(groups, func(g *group) bool { return g.Row() == v.ID }); len(own) > 0 {
			row := Row{
				ID: v.ID, Models: v.Models, Rule: rule, Remarks: v.Remarks, Cells: v.Cells[:1:1],
			}
			row.Cells = append(row.Cells, firstCells(fields, own)...)
			t.Rows, rule = append(t.Rows, row), false
		}
	}
	if len(fields) == 0 {
		return nil
	}
	t.Title = fmt.Sprintf("Evaluations by operator (%%) in the variants of %s on %s",
		groups[0].method.Title, strings.Join(titlesOf(groups), ", "))
	complete(t, groups)
	return t
}

// class groups the rows of a table of variants, for the rules between them.
func (g *group) class() string {
	setting, _, _ := strings.Cut(g.Variant, "=")
	return cmp.Or(g.variant.Class, setting)
}

// taskFields has the training value of each task, and its re-evaluation where there is one.
func (o Options) taskFields(groups []*group) []field[*group] {
	var out []field[*group]
	for _, own := range byTask(groups) {
		task := own[0].task
		for _, f := range o.mainFields(own, task, "", false) {
			switch f.ID {
			case "train":
				f.ID, f.Title = task.id, "Training"
			case "fresh":
				f.ID = task.id + "/fresh"
			default:
				continue
			}
			f.Digits = 3 // as the paper prints these tables
			out = append(out, f)
		}
	}
	return out
}

// modelTables has one table for every method that was run with several models under one lock: the
// paper's table model-allocation.
func (o Options) modelTables(groups []*group) []*Table {
	var out []*Table
	type base struct{ method, world string }
	var bases []base
	for _, g := range groups {
		if g.Variant == "" && !g.Baseline() {
			bases = with(bases, base{g.Method, g.world})
		}
	}
	for _, b := range bases {
		own := where(groups, func(g *group) bool {
			return g.Method == b.method && g.world == b.world && g.Variant == "" && !g.Baseline()
		})
		paper := "models-" + b.method
		own = where(own, func(g *group) bool { // only tasks where there is something to compare
			return slices.ContainsFunc(own, func(h *group) bool {
				return h.Task == g.Task && h.Models != g.Models
			})
		})
		byModels := func(g *group) string { return g.Models }
		if len(gather(own, byModels)) < 2 {
			continue
		}
		name := paper
		if b.world != "" {
			name += "-" + render.FileName(b.world)
		}
		t := &Table{Name: name, Paper: paper, Title: "Models for " + own[0].method.Title,
			Columns: []Column{{ID: "row", Title: "Algorithm", Text: true}}}
		roles := modelRoles(own)
		for _, role := range roles {
			t.Columns = append(t.Columns,
				Column{ID: "model-" + role, Title: roleTitle(role), Text: true})
		}
		fields, printed := o.taskFields(own), o.printed(paper)
		place := func(g *group) int { // in the paper's table; behind all where it has no such row
			i := slices.IndexFunc(printed.Rows, func(r data.Row) bool {
				return r.ID == g.modelRow(roles)
			})
			if i < 0 {
				return len(printed.Rows)
			}
			return i
		}
		slices.SortStableFunc(own, func(a, b *group) int {
			return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Models, b.Models))
		})
		fillRows(t, fields, own, byModels, func(own []*group) Row {
			g := own[0]
			row := Row{ID: g.modelRow(roles), Models: g.Models, Rivals: "all"}
			for _, name := range g.modelNames(roles) {
				row.Cells = append(row.Cells, render.Words(shortModel(name)))
			}
			return row
		})
		complete(t, own)
		out = append(out, t)
	}
	return out
}

// modelNames are the model of the algorithm and the models of the roles.
func (g *group) modelNames(roles []string) []string {
	models := g.Runs[0].Header.Models
	names := []string{models[""]}
	for _, role := range roles {
		names = append(names, cmp.Or(models[role], models[""]))
	}
	return names
}

// modelRow names a row by its models, as the paper does: "gpt-4o-mini|deepseek-v4-flash".
func (g *group) modelRow(roles []string) string {
	names := g.modelNames(roles)
	for i, n := range names {
		names[i] = plainModel(n)
	}
	return strings.Join(names, "|")
}

// modelRoles lists the roles next to the algorithm's that were asked or have a model of their own.
func modelRoles(groups []*group) []string {
	roles := rolesOf(groups)
	for _, g := range groups {
		for role := range g.Runs[0].Header.Models {
			roles = with(roles, role)
		}
	}
	roles = slices.DeleteFunc(roles, func(r string) bool { return r == "" || r == "algorithm" })
	slices.Sort(roles)
	return roles
}
