package report

import (
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/report/render"
	"github.com/pacebench/pacebench/bench/results"
)

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
	t.Note(render.Remark, "Discarded: proposals without a program to evaluate, unparsable or "+
		"refused by their contract, repairs included. Beat the parent: of the evaluated programs "+
		"whose first parent is noted.")
	return t
}

// purposeTable is the token report of one run.
func purposeTable(r *results.Run) *Table {
	title, all := "Tokens by purpose", r.Tokens().Total()
	tokens := func(id, title string, of func(llm.Usage) int) field[llm.Purpose] {
		return field[llm.Purpose]{Column{ID: id, Title: title}, func(p llm.Purpose) Cell {
			u := r.Usage[p].Usage
			return estimate(render.Number(float64(of(u))), u.Estimated)
		}}
	}
	fields := []field[llm.Purpose]{
		text("purpose", "Purpose", func(p llm.Purpose) string { return string(p) }),
		whole("requests", "Requests", func(p llm.Purpose) int { return r.Usage[p].Requests }),
		tokens("prompt", "Prompt", func(u llm.Usage) int { return u.Prompt }),
	}
	if r.Tokens().Images > 0 {
		fields = append(fields, tokens("images", "Images", func(u llm.Usage) int {
			return u.Images
		}))
	}
	if r.SharedRequests() > 0 {
		fields = append(fields, whole("shared", "Requests shared", func(p llm.Purpose) int {
			return r.Shared[p].Requests
		}))
	}
	fields = append(fields,
		tokens("completion", "Completion", func(u llm.Usage) int { return u.Completion }),
		tokens("total", "Total", llm.Usage.Total),
		share("share", "Share", func(p llm.Purpose) (int, int) {
			return r.Usage[p].Usage.Total(), all
		}),
	)
	if _, priced := r.Cost(); priced {
		title = "Tokens and costs by purpose"
		fields = append(fields, field[llm.Purpose]{Column{ID: "usd", Title: "USD", Digits: 4},
			func(p llm.Purpose) Cell {
				return estimate(render.Number(*r.Usage[p].Cost), r.Usage[p].Usage.Estimated)
			}})
	}
	return newTable("purposes", title, r.Purposes(), fields...)
}
