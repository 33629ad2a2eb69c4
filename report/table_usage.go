package report

import (
	"maps"
	"math"
	"slices"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// usageTable has a task's requests, tokens by role and faults, as means over the seeds.
func usageTable(label task, groups []*group) *Table {
	groups = where(groups, func(g *group) bool { return !g.Baseline() })
	scale, unit := tokenScale(groups)
	var fields []field[*group]
	// add leaves NaN out of the mean, and leaves out an optional column with only zeros.
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
			ID: "usd", Title: "USD", Digits: usdDigits(4, costsOf(groups)), Spread: true,
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
	t := methodTable("usage-"+label.key, "Requests and tokens on "+label.Title, groups, fields)
	complete(t, groups)
	t.Note(render.Conditions, sharedNote(groups))
	return t
}

// ratio returns part divided by all; NaN if all is 0.
func ratio(part, all int) float64 {
	if all == 0 {
		return math.NaN()
	}
	return float64(part) / float64(all)
}

// anyCost reports whether the cost of any run is known.
func anyCost(groups []*group) bool { return len(costsOf(groups)) > 0 }

func costsOf(groups []*group) (costs []float64) {
	for _, r := range runsOf(groups) {
		if usd, known := r.Cost(); known {
			costs = append(costs, usd)
		}
	}
	return costs
}

// usdDigits returns the number of decimals of costs in dollars: at least fewest, and enough to show
// two significant digits of the smallest positive cost.
func usdDigits(fewest int, costs []float64) int {
	for _, usd := range costs {
		if usd > 0 {
			fewest = max(fewest, 1-int(math.Floor(math.Log10(usd))))
		}
	}
	return fewest
}

// tokenScale returns the unit of tokens and its name: a million, as in the paper, or a thousand if
// every run used fewer than 500,000 tokens.
func tokenScale(groups []*group) (float64, string) {
	most := 0
	for _, r := range runsOf(groups) {
		most = max(most, r.Tokens().Total())
	}
	if most < 500_000 { // two decimals of a million would show little
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
