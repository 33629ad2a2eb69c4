package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/pacebench/pacebench/bench/report/render"
	"github.com/pacebench/pacebench/bench/results"
)

// seedsTable lists every run of a task, unfinished ones and variants included: nothing is hidden in
// a mean.
func seedsTable(label task, groups []*group) *Table {
	type seed struct {
		*group
		*results.Run
	}
	better, _ := label.direction(groups)
	runs := runsOf(groups)
	value := func(c Column, of func(*results.Run) Cell) field[seed] {
		c.Digits = label.Digits
		return field[seed]{c, func(s seed) Cell { return of(s.Run) }}
	}
	fields := []field[seed]{
		text("row", "Method", func(s seed) string { return s.title() }),
		text("model", "Model", func(s seed) string { return modelTitle(s.Models) }),
		text("seed", "Seed", func(s seed) string { return fmt.Sprint(s.Header.Seed) }),
		value(Column{ID: "train", Title: "Training", Better: better}, func(r *results.Run) Cell {
			return orMissing(r.Train())
		}),
		{Column{ID: "found", Title: "Found at"}, func(s seed) Cell { return foundAt(s.Run) }},
	}
	fields[1].Data = len(models(groups)) < 2
	if anyRescored(runs) {
		fields = append(fields,
			value(Column{ID: "fresh", Title: "Re-evaluated"}, func(r *results.Run) Cell {
				return orMissing(r.Fresh())
			}),
			value(Column{ID: "noise", Title: "Noise"}, func(r *results.Run) Cell {
				_, noise, ok := r.Rescored()
				return orMissing(noise, ok)
			}))
	}
	for _, s := range label.splitsOf(runs, nil) {
		fields = append(fields, value(Column{ID: s.Name, Title: s.Title, Underline: s.InDomain},
			func(r *results.Run) Cell { return testOf(r, s.Name) }))
	}
	for i, c := range []Column{
		{ID: "evaluations", Title: "Evaluations"}, {ID: "faults", Title: "Faults (%)", Digits: 1},
		{ID: "requests", Title: "Requests", Wide: true},
		{ID: "tokens", Title: "Tokens", Wide: true},
	} {
		fields = append(fields, field[seed]{c, func(s seed) Cell { return totals(s.Run)[i] }})
	}
	if anyCost(groups) {
		fields = append(fields,
			field[seed]{Column{ID: "usd", Title: "USD", Digits: 4, Wide: true}, func(s seed) Cell {
				return estimate(orMissing(s.Cost()), s.Tokens().Estimated)
			}})
	}
	fields = append(fields,
		field[seed]{Column{ID: "ended", Title: "Ended by", Text: true, Wide: true},
			func(s seed) Cell { return render.Words(Ending(s.Run)) }},
		field[seed]{Column{ID: "path", Title: "Winner", Text: true, Data: true}, func(s seed) Cell {
			return winner(s.Run)
		}},
	)
	t := &Table{Name: "seeds-" + label.id, Title: "All runs on " + label.Title,
		Columns: columns(fields)}
	for i, g := range groups {
		for j, r := range g.Runs {
			row := Row{
				ID: g.Row(), Models: g.Models, Rule: i > 0 && j == 0,
				Cells:   cells(fields, seed{g, r}),
				Remarks: remarks(&results.Group{Key: g.Key, Runs: []*results.Run{r}}),
			}
			if r.Finished() {
				row.Rivals = g.Row() + " " + g.Models
			}
			t.Rows = append(t.Rows, row)
		}
	}
	complete(t, groups, "Found at: the evaluation that found the best program.")
	t.Choice = "of each row's seeds, the one whose program the main table tests."
	return t
}

// totals are evaluations, faults, requests and tokens; dashes for a row without programs.
func totals(r *results.Run) []Cell {
	if r.Evaluations == 0 && r.Asked == 0 || r.Learned() {
		return make([]Cell, 4)
	}
	u := r.Tokens()
	return []Cell{
		render.Number(float64(r.Evaluations)), render.Number(100 * r.FaultRate()),
		render.Number(float64(r.Asked)),
		estimate(render.Number(float64(u.Total())), u.Estimated),
	}
}

// anyCost reports whether one run's cost is known, costKnown whether that of all is that have a
// curve.
func anyCost(groups []*group) bool {
	return slices.ContainsFunc(runsOf(groups),
		func(r *results.Run) bool { _, known := r.Cost(); return known })
}

// Ending says why the run ended.
func Ending(r *results.Run) string {
	switch {
	case !r.Finished() && r.Header.Budget > 0:
		return fmt.Sprintf("unfinished (%d %%)", 100*r.Evaluations/r.Header.Budget)
	case !r.Finished():
		return "unfinished"
	case !r.Journal:
		return "–"
	}
	return r.Result.Stopped
}

// winner is the path of the best program's source, or of the best policy.
func winner(r *results.Run) Cell {
	if r.Best == nil || !r.Journal {
		return Cell{}
	}
	if r.Learned() {
		return render.Words(r.Path("blobs/" + r.Best.Program))
	}
	return render.Words(r.Path("best.py"))
}

// usageTable says what a task's runs asked, mean over the seeds: requests, tokens by role, faults.
func usageTable(label task, groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return !g.Baseline() })
	t := &Table{Name: "usage-" + label.id, Title: "Requests and tokens on " + label.Title}
	mean := func(f func(*results.Run) float64) func(*group) Cell {
		return over(func(r *results.Run) (float64, bool) { v := f(r); return v, !math.IsNaN(v) })
	}
	ratio := func(a, b int) float64 {
		if b == 0 {
			return math.NaN()
		}
		return float64(a) / float64(b)
	}
	scale, unit := tokenScale(groups)
	total := mean(func(r *results.Run) float64 { return float64(r.Tokens().Total()) / scale })
	fields := []field[*group]{
		{Column{ID: "requests", Title: "Requests per evaluation", Digits: 2},
			mean(func(r *results.Run) float64 { return ratio(r.Asked, r.Evaluations) })},
		{Column{ID: "total", Title: "Tokens (" + unit + ")", Digits: 2, Spread: true},
			func(g *group) Cell { return estimated(g, total(g)) }},
		{Column{ID: "prompt", Title: "Prompt", Digits: 2}, mean(func(r *results.Run) float64 {
			return float64(r.Tokens().Prompt) / scale
		})},
	}
	images := anyUsage(groups, func(r *results.Run) int { return r.Tokens().Images })
	if images {
		fields = append(fields, field[*group]{Column{ID: "images", Title: "Images", Digits: 2},
			mean(func(r *results.Run) float64 { return float64(r.Tokens().Images) / scale })})
	}
	fields = append(fields, field[*group]{Column{ID: "completion", Title: "Completion", Digits: 2},
		mean(func(r *results.Run) float64 { return float64(r.Tokens().Completion) / scale })})
	if anyCost(groups) {
		usd := over((*results.Run).Cost)
		fields = append(fields, field[*group]{Column{
			ID: "usd", Title: "USD", Digits: 4, Spread: true,
		}, func(g *group) Cell { return estimated(g, usd(g)) }})
	}
	if anyUsage(groups, func(r *results.Run) int { return r.Tokens().Cached }) {
		fields = append(fields, field[*group]{Column{ID: "cached", Title: "Cached (%)", Digits: 1},
			mean(func(r *results.Run) float64 {
				return 100 * ratio(r.Tokens().Cached, r.Tokens().Prompt)
			})})
	}
	if anyUsage(groups, func(r *results.Run) int { return r.Tokens().Reasoning }) {
		fields = append(fields, field[*group]{Column{
			ID: "reasoning", Title: "Reasoning (%)", Digits: 1,
		}, mean(func(r *results.Run) float64 {
			return 100 * ratio(r.Tokens().Reasoning, r.Tokens().Completion)
		})})
	}
	for _, role := range rolesOf(groups) {
		fields = append(fields, field[*group]{Column{
			ID: "share-" + role, Title: roleTitle(role) + " (%)", Digits: 1,
		}, mean(func(r *results.Run) float64 {
			return 100 * ratio(r.RoleTokens(role), r.Tokens().Total())
		})})
	}
	fields = append(fields, field[*group]{Column{ID: "faults", Title: "Faults (%)", Digits: 1},
		mean(func(r *results.Run) float64 {
			if r.Evaluations == 0 {
				return math.NaN()
			}
			return 100 * r.FaultRate()
		})})
	var notes []string
	if anyUsage(groups, func(r *results.Run) int { return r.Barren }) {
		fields = append(fields, field[*group]{
			Column{ID: "barren", Title: "Barren (%)", Digits: 1},
			mean(func(r *results.Run) float64 { return 100 * ratio(r.Barren, r.Evaluations) }),
		})
		notes = append(notes, "Barren: evaluations of harmony rounds in which no "+
			"program ran, as a share of the charged ones; "+
			"a run with refund=true made as many more than its budget.")
	}
	if images {
		notes = append(notes, "Images: tokens of the prompts' pictures, a part of "+
			"the prompt. Most servers do not count them apart: "+
			"then they are what is left of the prompt's count without the text, taken as four "+
			"bytes a token.")
	}
	newLayout(groups).fill(t, fields)
	complete(t, groups, "Means over the finished seeds. Prompt and completion in "+unit+
		" tokens, cached tokens are part of the prompt and reasoning tokens of the completion; "+
		"the columns of roles are shares of all tokens; faults are shares of the charged "+
		"evaluations.", notes...)
	t.Note(render.Remark, sharedNote(groups))
	return t
}

// tokensTable is the paper's table of token usage: total tokens by method and task.
func (o Options) tokensTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return g.Variant == "" && !g.Baseline() })
	t := &Table{Name: "tokens", Title: "Total tokens (×10⁶)"}
	tasks := tasksOf(groups)
	for _, l := range o.Labels.Tasks {
		there := slices.ContainsFunc(tasks, func(t task) bool { return t.id == l.Name })
		if !there && hasColumn(o.printed(t.Name), l.Name) {
			tasks = append(tasks, o.Labels.task(l.Name))
		}
	}
	slices.SortFunc(tasks, compareTasks)
	var fields []field[*group]
	for _, task := range tasks {
		c := Column{ID: task.id, Title: task.Title, Digits: 2, Spread: true}
		total := over(func(r *results.Run) (float64, bool) {
			return float64(r.Tokens().Total()) / 1e6, true
		})
		fields = append(fields, field[*group]{c, onTask(task, func(g *group) Cell {
			return estimated(g, total(g))
		})})
	}
	if len(fields) == 0 {
		return nil
	}
	absent := o.absent(groups, t.Name, tasks)
	newLayout(slices.Concat(groups, absent)).fill(t, fields)
	complete(t, groups, "Prompt and completion tokens of the whole search.", absentNotes(absent)...)
	t.Note(render.Remark, sharedNote(groups))
	return t
}

// estimated marks a number of tokens that the server did not count.
func estimated(g *group, c Cell) Cell {
	return estimate(c, slices.ContainsFunc(g.Finished(), func(r *results.Run) bool {
		return r.Tokens().Estimated
	}))
}

// tokenScale is the paper's unit, a million tokens, or a thousand where all runs are small.
func tokenScale(groups []*group) (float64, string) {
	most := 0
	for _, r := range runsOf(groups) {
		most = max(most, r.Tokens().Total())
	}
	if most < 500_000 { // our choice: below, two decimals of a million would show little
		return 1e3, "×10³"
	}
	return 1e6, "×10⁶"
}

func anyUsage(groups []*group, f func(*results.Run) int) bool {
	return slices.ContainsFunc(runsOf(groups), func(r *results.Run) bool { return f(r) > 0 })
}

// rolesOf lists the roles of all requests, algorithm first.
func rolesOf(groups []*group) []string {
	seen := map[string]bool{}
	for _, r := range runsOf(groups) {
		for p := range r.Usage {
			seen[p.Role()] = true
		}
	}
	delete(seen, "")
	roles := slices.Sorted(maps.Keys(seen))
	if i := slices.Index(roles, "algorithm"); i > 0 {
		roles = slices.Insert(slices.Delete(roles, i, i+1), 0, "algorithm")
	}
	return roles
}
