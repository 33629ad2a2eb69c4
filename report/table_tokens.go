package report

import (
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// tokensTable is the paper's table of token usage: total tokens by method and task.
func (o Options) tokensTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return g.Variant == "" && !g.Baseline() })
	scale, unit := tokenScale(groups)
	if o.Published {
		scale, unit = 1e6, "×10⁶" // as printed
	}
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
	t := methodTable("tokens", "Total tokens ("+unit+")", groups, fields)
	complete(t, groups)
	t.Note(render.Conditions, sharedNote(groups))
	return t
}
