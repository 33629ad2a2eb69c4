package report

import "github.com/pacebench/pacebench/record/results"

// operatorTable says how often each operator failed, and how often it helped.
func operatorTable(r *results.Run) *Table {
	t := newTable("operators", "Operators", r.Operators,
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
	return t
}
