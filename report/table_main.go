package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// control are the tasks that the paper shows in one table.
var control = []string{"racing-car", "bipedal-walker"}

// mainTable returns the main table of one task, with training and test values over the seeds.
func (o Options) mainTable(groups []*group, t task) *Table {
	out := o.combinedTable("main-"+t.key, "Training and testing results on "+t.Title, groups, t)
	if out != nil {
		o.daggers(out, t, groups)
	}
	return out
}

// combinedTable returns the main table of one or more tasks side by side, or nil if a task has no
// results for it.
func (o Options) combinedTable(name, title string, groups []*group, tasks ...task) *Table {
	groups = where(groups, func(g *group) bool {
		return g.main() && slices.ContainsFunc(tasks, func(t task) bool { return t.id == g.Task })
	})
	title += o.chosen()
	controls := where(groups, func(g *group) bool { return g.method.Control })
	if len(controls) > 0 {
		title += " (controls: " + listed(controls) + ")"
	}
	var fields []field[*group]
	tested := false
	for _, task := range tasks {
		own := where(groups, func(g *group) bool { return g.Task == task.id })
		tested = tested || len(task.splitsOf(runsOf(own), nil)) > 0
		if len(own) == 0 {
			return nil
		}
		fields = append(fields, o.mainFields(own, task, name, len(tasks) > 1)...)
	}
	t := methodTable(name, title, groups, fields)
	complete(t, groups, slices.Concat(rowNotes(groups, func(g *group) string {
		return g.method.Footnote
	}), requestNotes(groups))...)
	if tested {
		t.Note(render.Tested, o.testedNote())
		t.Note(render.Seeds, o.untestedNotes(groups)...)
	}
	return t
}

// requestNotes returns a note with the number of evaluations for each row whose budget is in
// requests.
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
				"requests. The runs made %.0f evaluations (mean over the seeds).",
				g.title(), g.task.Title, requests, record.Mean(evaluations)))
		}
	}
	return notes
}

// mainFields returns the columns of one task in a main table.
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

// testCell returns a row's test on a split: the mean over the seeds, each with its own program, or
// with Options.Paper the value of one program, the best of all seeds.
func (o Options) testCell(g *group, split string) Cell {
	winner := g.WinnerBy(o.Select)
	if !o.Paper {
		c := over(func(r *results.Run) (float64, bool) { return r.Test(o.Select, split) })(g)
		if c.N > 0 {
			return c
		}
		return testOf(winner, o.Select, split) // no seed has a value: show a fault, if known
	}
	c := testOf(winner, o.Select, split)
	if c.N > 0 {
		c.Runs = digests([]*results.Run{winner})
	}
	return c
}

func (o Options) testedNote() string {
	by := "in training"
	if o.Select == results.ByValidation {
		by = "in training and validation"
	}
	if o.Paper {
		return "Tests: one program per row, the best of all seeds " + by + ", as in the paper."
	}
	return "Tests: mean over the seeds, each with its own best program " + by + "."
}

// untestedNotes names, for each row and test, the seeds without a result and the seeds whose
// program failed.
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
						seedsNamed(seeds)))
				}
			}
			say("was not tested on", untested)
			if !o.Paper { // otherwise the cell shows the failure
				say("leaves out the programs that failed on", failed)
			}
		}
	}
	return out
}

func anyRescored(runs []*results.Run) bool {
	return slices.ContainsFunc(runs, func(r *results.Run) bool {
		_, _, ok := r.Rescored()
		return ok
	})
}

// direction returns +1 and an arrow up if larger values of a task are better, otherwise -1 and an
// arrow down.
func (t task) direction(groups []*group) (better int, arrow string) {
	if t.minimize || slices.ContainsFunc(runsOf(groups), func(r *results.Run) bool {
		return r.Best != nil && r.Best.Minimized() // for an unknown task
	}) {
		return -1, " ↓"
	}
	return +1, " ↑"
}

// chosen returns the end of the title of a table of tests if validation helped to choose the
// programs.
func (o Options) chosen() string {
	if o.Select == results.ByValidation {
		return " (tests: chosen by validation)"
	}
	return ""
}

// noiseOf returns the standard deviation of one evaluation, pooled over seeds.
func noiseOf(g *group) Cell {
	noise, n := g.Noise()
	if n == 0 {
		return Cell{}
	}
	return Cell{Mean: noise, SD: math.NaN(), N: n}
}

// seedValues lists the training value of every run in the order of seeds; "…" marks an unfinished
// run.
func seedValues(g *group, digits int) Cell {
	var list valueList
	for _, r := range g.Runs {
		switch {
		case r.Best == nil:
			list.add("–", "nan")
		case !r.Finished():
			list.add(render.Fixed(r.Best.Value, digits)+"…", render.Precise(r.Best.Value))
		default:
			list.add(render.Fixed(r.Best.Value, digits), render.Precise(r.Best.Value))
		}
	}
	return list.cell()
}
