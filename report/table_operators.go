package report

import (
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// mixTable accompanies a table of variants. It has each operator's share of the charged
// evaluations, and its last evaluation, because a setting can change more operators than its name
// says.
func mixTable(name string, groups []*group) *Table {
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
	if len(fields) == 0 {
		return nil
	}
	t := variantTable(name, fmt.Sprintf("Evaluations by operator (%%) in the variants of %s on %s",
		groups[0].method.Title, strings.Join(titlesOf(groups), ", ")), groups, fields)
	complete(t, groups)
	return t
}

// operatorTable counts how often each operator failed, and how often it helped.
func operatorTable(r *results.Run) *Table {
	return newTable("operators", "Operators", r.Operators,
		func(results.OperatorStats) Row { return Row{} },
		text("operator", "Operator", func(o results.OperatorStats) string { return o.Name }),
		whole("steps", "Proposals", func(o results.OperatorStats) int { return o.Steps }),
		whole("requests", "Requests", func(o results.OperatorStats) int { return o.Requests }),
		share("discarded", "Discarded", func(o results.OperatorStats) (int, int) {
			return o.Discarded, o.Steps
		}),
		whole("evaluated", "Evaluated", func(o results.OperatorStats) int { return o.Evaluated }),
		share("faults", "Faults", func(o results.OperatorStats) (int, int) {
			return o.Faults, o.Evaluated
		}),
		share("improved", "Beat the parent", func(o results.OperatorStats) (int, int) {
			return o.Improved, o.Parents
		}),
		whole("best", "New best", func(o results.OperatorStats) int { return o.Best }),
	)
}
