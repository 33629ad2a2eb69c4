package report

import (
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// tokensTable returns the paper's table of token usage: total tokens by method and task.
func (o Options) tokensTable(groups []*group) *Table {
	scale, unit := tokenScale(where(groups, (*group).asks))
	if o.Published {
		scale, unit = 1e6, "×10⁶" // as printed
	}
	return spentTable("tokens", "Total tokens ("+unit+")", groups, 2,
		func(r *results.Run) (float64, bool) { return float64(r.Tokens().Total()) / scale, true })
}

// costTable has the cost of a run by method and task; nil if no cost is known.
func costTable(groups []*group) *Table {
	costs := costsOf(where(groups, (*group).asks))
	if len(costs) == 0 {
		return nil
	}
	return spentTable("cost", "Cost of a run (USD)", groups, usdDigits(2, costs),
		(*results.Run).Cost)
}

// asks reports whether the group is a method without variant settings that asked a model.
func (g *group) asks() bool { return g.Variant == "" && !g.Baseline() }

// spentTable has the amount that a run used, by method and task, as a mean over the seeds.
func spentTable(name, title string, groups []*group, digits int,
	of func(*results.Run) (float64, bool)) *Table {
	groups = where(groups, (*group).asks)
	var fields []field[*group]
	for _, task := range tasksOf(groups) {
		c := Column{ID: task.id, Title: task.Title, Digits: digits, Spread: true}
		fields = append(fields, field[*group]{c, onTask(task, func(g *group) Cell {
			return estimated(g, over(of)(g))
		})})
	}
	if len(fields) == 0 {
		return nil
	}
	t := methodTable(name, title, groups, fields)
	complete(t, groups)
	t.Note(render.Conditions, sharedNote(groups))
	return t
}
