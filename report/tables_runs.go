package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// seedsTable lists every run of a task, unfinished ones and variants included: nothing is hidden in
// a mean.
func (o Options) seedsTable(label task, groups []*group) *Table {
	type seed struct {
		*group
		*results.Run
	}
	runs := runsOf(groups)
	value := func(id, title string, of func(*results.Run) Cell) field[seed] {
		return column(id, title, label.Digits, func(s seed) Cell { return of(s.Run) })
	}
	fields := []field[seed]{
		text("row", "Method", func(s seed) string { return s.title() }),
		text("model", "Model", func(s seed) string { return modelTitle(s.Models) }),
		text("seed", "Seed", func(s seed) string { return fmt.Sprint(s.Header.Seed) }),
		value("train", "Training", func(r *results.Run) Cell { return orMissing(r.Train()) }),
		column("found", "Found at", 0, func(s seed) Cell { return foundAt(s.Run) }),
	}
	fields[1].Data = len(models(groups)) < 2
	if anyRescored(runs) {
		fields = append(fields,
			value("fresh", "Re-evaluated", func(r *results.Run) Cell {
				return orMissing(r.Fresh())
			}),
			value("noise", "Noise", func(r *results.Run) Cell {
				_, noise, ok := r.Rescored()
				return orMissing(noise, ok)
			}))
	}
	for _, s := range label.splitsOf(runs, nil) {
		f := value(s.Name, s.Title, func(r *results.Run) Cell {
			return testOf(r, o.Select, s.Name)
		})
		f.Underline = s.InDomain
		fields = append(fields, f)
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
	var seeds []seed
	for _, g := range groups {
		for _, r := range g.Runs {
			seeds = append(seeds, seed{g, r})
		}
	}
	t := newTable("seeds-"+label.key, "All runs on "+label.Title+o.chosen(), seeds, fields...)
	for i, s := range seeds {
		row := &t.Rows[i]
		row.ID, row.Models = s.Row(), s.Models
		row.Rule = i > 0 && s.group != seeds[i-1].group
		one := &results.Group{Key: s.group.Key, Runs: []*results.Run{s.Run}}
		row.Remarks = remarks(&group{Group: one})
		row.Cells[3].Best = len(s.group.Finished()) > 1 && s.Run == s.group.WinnerBy(o.Select)
	}
	complete(t, groups)
	t.Choice = "of each row's seeds, the one with the best program."
	return t
}

// totals are evaluations, faults, requests and tokens; dashes for a row without programs.
func totals(r *results.Run) []Cell {
	if r.Evaluations == 0 && r.Asked == 0 || r.Learned() {
		return make([]Cell, 4)
	}
	u := r.Tokens()
	return []Cell{
		render.Number(float64(r.Evaluations)),
		render.Number(100 * ratio(r.Failed(), max(1, r.Evaluations))),
		render.Number(float64(r.Asked)),
		estimate(render.Number(float64(u.Total())), u.Estimated),
	}
}

// anyCost reports whether the cost of one run is known.
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
	t := &Table{Name: "usage-" + label.key, Title: "Requests and tokens on " + label.Title}
	scale, unit := tokenScale(groups)
	var fields []field[*group]
	// add leaves values that are NaN out of the mean, and an optional column where all are zero.
	add := func(optional bool, c Column, of func(*results.Run, llm.Usage) float64) {
		if optional && !slices.ContainsFunc(runsOf(groups), func(r *results.Run) bool {
			return of(r, r.Tokens()) > 0
		}) {
			return
		}
		mean := over(func(r *results.Run) (float64, bool) {
			v := of(r, r.Tokens())
			return v, !math.IsNaN(v)
		})
		cell := mean
		if c.Spread {
			cell = func(g *group) Cell { return estimated(g, mean(g)) }
		}
		fields = append(fields, field[*group]{c, cell})
	}
	add(false, Column{ID: "requests", Title: "Requests per evaluation", Digits: 2},
		func(r *results.Run, _ llm.Usage) float64 { return ratio(r.Asked, r.Evaluations) })
	add(false, Column{ID: "total", Title: "Tokens (" + unit + ")", Digits: 2, Spread: true},
		func(_ *results.Run, u llm.Usage) float64 { return float64(u.Total()) / scale })
	add(false, Column{ID: "prompt", Title: "Prompt", Digits: 2},
		func(_ *results.Run, u llm.Usage) float64 { return float64(u.Prompt) / scale })
	add(true, Column{ID: "images", Title: "Images", Digits: 2},
		func(_ *results.Run, u llm.Usage) float64 { return float64(u.Images) / scale })
	add(false, Column{ID: "completion", Title: "Completion", Digits: 2},
		func(_ *results.Run, u llm.Usage) float64 { return float64(u.Completion) / scale })
	if anyCost(groups) {
		usd := over((*results.Run).Cost)
		fields = append(fields, field[*group]{Column{
			ID: "usd", Title: "USD", Digits: 4, Spread: true,
		}, func(g *group) Cell { return estimated(g, usd(g)) }})
	}
	add(true, Column{ID: "cached", Title: "Cached (%)", Digits: 1},
		func(_ *results.Run, u llm.Usage) float64 { return 100 * ratio(u.Cached, u.Prompt) })
	add(true, Column{ID: "reasoning", Title: "Reasoning (%)", Digits: 1},
		func(_ *results.Run, u llm.Usage) float64 { return 100 * ratio(u.Reasoning, u.Completion) })
	for _, role := range rolesOf(groups) {
		add(false, Column{ID: "share-" + role, Title: roleTitle(role) + " (%)", Digits: 1},
			func(r *results.Run, u llm.Usage) float64 {
				return 100 * ratio(r.RoleTokens(role), u.Total())
			})
	}
	add(false, Column{ID: "faults", Title: "Faults (%)", Digits: 1},
		func(r *results.Run, _ llm.Usage) float64 { return 100 * ratio(r.Failed(), r.Evaluations) })
	add(true, Column{ID: "barren", Title: "Barren (%)", Digits: 1},
		func(r *results.Run, _ llm.Usage) float64 { return 100 * ratio(r.Barren, r.Evaluations) })
	methodRows(t, groups, fields)
	complete(t, groups)
	t.Note(render.Conditions, sharedNote(groups))
	return t
}

// ratio is a part of a whole; NaN of none.
func ratio(part, all int) float64 {
	if all == 0 {
		return math.NaN()
	}
	return float64(part) / float64(all)
}

// tokensTable is the paper's table of token usage: total tokens by method and task.
func (o Options) tokensTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return g.Variant == "" && !g.Baseline() })
	scale, unit := tokenScale(groups)
	if o.Published {
		scale, unit = 1e6, "×10⁶" // as printed
	}
	t := &Table{Name: "tokens", Title: "Total tokens (" + unit + ")"}
	tasks := tasksOf(groups)
	if len(tasks) == 0 {
		return nil
	}
	total := over(func(r *results.Run) (float64, bool) {
		return float64(r.Tokens().Total()) / scale, true
	})
	var fields []field[*group]
	for _, task := range tasks {
		c := Column{ID: task.id, Title: task.Title, Digits: 2, Spread: true}
		fields = append(fields, field[*group]{c, onTask(task, func(g *group) Cell {
			return estimated(g, total(g))
		})})
	}
	methodRows(t, groups, fields)
	complete(t, groups)
	t.Note(render.Conditions, sharedNote(groups))
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
