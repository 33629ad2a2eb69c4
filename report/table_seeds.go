package report

import (
	"fmt"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// seedsTable lists every run of a task, including unfinished runs and variants, so that no mean
// hides a run.
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
		modelField(groups, func(s seed) *group { return s.group }),
		text("seed", "Seed", func(s seed) string { return fmt.Sprint(s.Header.Seed) }),
		column("train", "Training", label.Digits, func(s seed) Cell {
			c := orMissing(s.Train())
			c.Best = len(s.group.Finished()) > 1 && s.Run == s.group.WinnerBy(o.Select)
			return c
		}),
		column("found", "Found at", 0, func(s seed) Cell { return foundAt(s.Run) }),
	}
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
			field[seed]{Column{ID: "usd", Title: "USD",
				Digits: usdDigits(4, costsOf(groups)), Wide: true}, func(s seed) Cell {
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
	t := newTable("seeds-"+label.key, "All runs on "+label.Title+o.chosen(), seeds,
		func(s seed) Row {
			one := &group{Group: &results.Group{Key: s.group.Key, Runs: []*results.Run{s.Run}}}
			row := one.row(s.Row())
			row.Section = fmt.Sprint(s.group.Key)
			return row
		}, fields...)
	complete(t, groups)
	t.Choice = "in each row, the seed with the best program."
	return t
}

// totals returns evaluations, faults, requests and tokens; dashes for a row without programs.
func totals(r *results.Run) []Cell {
	if r.Evaluations == 0 && r.Asked == 0 || r.Trained() {
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

// Ending returns why a run ended, or how much of an unfinished run is done.
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

// winner returns the path of the best program's source, or of the best policy.
func winner(r *results.Run) Cell {
	if r.Best == nil || !r.Journal {
		return Cell{}
	}
	if r.Trained() {
		return render.Words(r.Path("blobs/" + r.Best.Program))
	}
	return render.Words(r.Path("best.py"))
}

// foundAt returns the evaluation that found the best program; a dash for a row that did not search.
func foundAt(r *results.Run) Cell {
	if r == nil || r.Best == nil || r.Best.Evaluation == 0 || r.Trained() {
		return Cell{}
	}
	return render.Number(float64(r.Best.Evaluation))
}
