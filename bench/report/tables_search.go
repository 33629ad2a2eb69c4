package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/results"
)

// lineageTable is the best program's line of first parents; it has no rows where parents are not
// noted.
func lineageTable(r *results.Run, digits int) *Table {
	return newTable("lineage", "Line of the best program", r.Lineage,
		whole("evaluation", "Evaluation", func(a results.Ancestor) int { return a.Evaluation }),
		text("operator", "Operator", func(a results.Ancestor) string { return a.Operator }),
		text("parents", "Parents", func(a results.Ancestor) string {
			return strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Parents), "[]"), " ", ", ")
		}),
		text("focus", "EAP handed on", func(a results.Ancestor) string { return a.Focus }),
		field[results.Ancestor]{Column{ID: "value", Title: "Training", Digits: digits}, func(a results.Ancestor) Cell {
			if !a.Scored {
				return Cell{}
			}
			return number(a.Value)
		}},
	)
}

// eapTable is the genealogy of a run's EAPs, the most used first; it has no rows for methods
// without them.
func eapTable(r *results.Run) *Table {
	eaps := slices.Clone(r.EAPs)
	slices.SortStableFunc(eaps, func(a, b results.EAP) int { return cmp.Compare(b.Programs, a.Programs) })
	t := newTable("eaps", fmt.Sprintf("EAPs (%d)", len(eaps)), eaps,
		text("name", "EAP", func(e results.EAP) string { return e.Name }),
		text("origin", "Origin", func(e results.EAP) string {
			if e.From > 0 {
				return fmt.Sprintf("%s of %d", e.Origin, e.From)
			}
			return e.Origin
		}),
		whole("birth", "Born at", func(e results.EAP) int { return e.Birth }),
		whole("exposures", "Exposures", func(e results.EAP) int { return e.Exposures }),
		whole("trials", "Trials", func(e results.EAP) int { return e.Trials }),
		whole("improvements", "Improved", func(e results.EAP) int { return e.Improvements }),
		field[results.EAP]{Column{ID: "mean", Title: "Posterior mean", Digits: 2}, func(e results.EAP) Cell { return number(e.Mean()) }},
		whole("programs", "Programs", func(e results.EAP) int { return e.Programs }),
		text("best", "In the best", func(e results.EAP) string {
			if e.InBest {
				return "yes"
			}
			return ""
		}),
	)
	t.note(Remark, "Exposures: offspring that had it as their focus. Trials and improved: of those, evaluated and better than their parent. Programs: members of the population, over the whole run, that called it.")
	return t
}

// operatorTable says how often each operator failed, and how often it helped.
func operatorTable(r *results.Run) *Table {
	t := newTable("operators", "Operators", r.Operators,
		text("operator", "Operator", func(o results.OperatorStats) string { return o.Name }),
		whole("steps", "Proposals", func(o results.OperatorStats) int { return o.Steps }),
		whole("requests", "Requests", func(o results.OperatorStats) int { return o.Requests }),
		share("discarded", "Discarded", func(o results.OperatorStats) (int, int) { return o.Discarded, o.Steps }),
		whole("evaluated", "Evaluated", func(o results.OperatorStats) int { return o.Evaluated }),
		share("faults", "Faults", func(o results.OperatorStats) (int, int) { return o.Faults, o.Evaluated }),
		share("improved", "Beat the parent", func(o results.OperatorStats) (int, int) { return o.Improved, o.Parents }),
		whole("best", "New best", func(o results.OperatorStats) int { return o.Best }),
	)
	t.note(Remark, "Discarded: proposals without a program to evaluate, unparsable or refused by their contract, repairs included. Beat the parent: of the evaluated programs whose first parent is noted.")
	return t
}

// purposeTable is the token report of one run.
func purposeTable(r *results.Run) *Table {
	title, all := "Tokens by purpose", r.Tokens().Total()
	tokens := func(id, title string, of func(llm.Usage) int) field[llm.Purpose] {
		return field[llm.Purpose]{Column{ID: id, Title: title}, func(p llm.Purpose) Cell {
			u := r.Usage[p].Usage
			return number(float64(of(u))).estimated(u.Estimated)
		}}
	}
	fields := []field[llm.Purpose]{
		text("purpose", "Purpose", func(p llm.Purpose) string { return string(p) }),
		whole("requests", "Requests", func(p llm.Purpose) int { return r.Usage[p].Requests }),
		tokens("prompt", "Prompt", func(u llm.Usage) int { return u.Prompt }),
	}
	if r.Tokens().Images > 0 {
		fields = append(fields, tokens("images", "Images", func(u llm.Usage) int { return u.Images }))
	}
	fields = append(fields,
		tokens("completion", "Completion", func(u llm.Usage) int { return u.Completion }),
		tokens("total", "Total", llm.Usage.Total),
		share("share", "Share", func(p llm.Purpose) (int, int) { return r.Usage[p].Usage.Total(), all }),
	)
	if _, priced := r.Cost(); priced {
		title = "Tokens and costs by purpose"
		fields = append(fields, field[llm.Purpose]{Column{ID: "usd", Title: "USD", Digits: 4}, func(p llm.Purpose) Cell {
			return number(*r.Usage[p].Cost).estimated(r.Usage[p].Usage.Estimated)
		}})
	}
	return newTable("purposes", title, r.Purposes(), fields...)
}
