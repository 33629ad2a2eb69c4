package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// What the journals tell at other stopping points: progress over the whole search, evaluations to
// targets, and values at equal costs.

// sampling is the method whose runs set the run-length targets.
const sampling = "randsample"

// scaleOf is the scale of a task's progress; not ok where it has none.
func scaleOf(t task) (results.Scale, bool) {
	a, ok := data.AnchorOf(t.id)
	return results.Scale{
		Worst: a.Worst, Best: a.Best, Tolerance: results.Tolerance(t.Tolerance),
	}, ok
}

// raced are the groups that searched with programs, without variants.
func raced(groups []*group) []*group {
	return where(searched(groups), func(g *group) bool { return g.main() && !g.Learned() })
}

// sampled is the row of random sampling; nil where there is none.
func sampled(groups []*group) *group {
	for _, g := range groups {
		if g.Method == sampling && g.Variant == "" {
			return g
		}
	}
	return nil
}

// runLengths are the targets that random sampling sets.
func runLengths(groups []*group) []results.RunLength {
	if g := sampled(groups); g != nil {
		return g.RunLengths()
	}
	return nil
}

// targetsTable has the area over the convergence curve of each row, and how long it took to reach
// what random sampling has, on average, after so many evaluations; nil where neither is known.
func targetsTable(label task, groups []*group) *Table {
	groups = raced(groups)
	better, _ := label.direction(groups)
	var fields []field[*group]
	if scale, ok := scaleOf(label); ok {
		c := Column{ID: data.AnchorVersion(), Title: "AOCC", Spread: true, Digits: 3, Better: +1}
		fields = append(fields, field[*group]{c, func(g *group) Cell {
			var values []float64
			for _, r := range g.Ended() {
				values = append(values, scale.AOCC(r))
			}
			s := results.NewSample(values)
			s.Runs = g.Ended()
			return g.spread(s)
		}})
	}
	targets := runLengths(groups)
	for _, t := range targets {
		fields = append(fields, runtimeFields(t, better)...)
	}
	if len(fields) == 0 {
		return nil
	}
	t := &Table{Name: "targets-" + label.key, Title: "Targets on " + label.Title}
	methodRows(t, groups, fields)
	if past := where(groups, func(g *group) bool { return pastAnchor(label, g) }); len(past) > 0 {
		t.Note(render.Seeds, "AOCC is clipped: "+listed(past)+" passed the best value of its "+
			"scale (data/anchors.toml).")
	}
	if len(targets) > 0 {
		t.Note(render.Seeds, fmt.Sprintf("RS at b: what %s of random sampling have on average "+
			"after b evaluations.", count(len(sampled(groups).Ended()), "seed")))
	}
	complete(t, groups)
	return t
}

// pastAnchor reports whether a run has a better value than the end of its task's scale.
func pastAnchor(label task, g *group) bool {
	scale, ok := scaleOf(label)
	better, _ := label.direction([]*group{g})
	return ok && slices.ContainsFunc(g.Ended(), func(r *results.Run) bool {
		return r.Best != nil && better*scale.Compare(r.Best.Value, scale.Best) > 0
	})
}

// runtimeFields are the evaluations to a run-length target with its successes.
func runtimeFields(t results.RunLength, better int) []field[*group] {
	id := fmt.Sprintf("rs%d", t.Evaluations)
	return []field[*group]{
		{Column{ID: id, Title: fmt.Sprintf("RS at %d", t.Evaluations), Text: true},
			func(g *group) Cell {
				reached, mean := g.Runtime(t.Value, better), "–"
				n, ok := reached.Mean()
				if ok {
					mean = fmt.Sprintf("%.0f", n)
				}
				c := render.Words(fmt.Sprintf("%s (%d/%d)", mean, reached.Successes, reached.Runs))
				if c.Data = "nan"; ok {
					c.Data = render.Precise(n)
				}
				return c
			}},
		{Column{ID: id + "_successes", Title: "Successes", Data: true}, func(g *group) Cell {
			return render.Number(float64(g.Runtime(t.Value, better).Successes))
		}},
		{Column{ID: id + "_value", Title: "Target", Digits: 6, Data: true}, func(*group) Cell {
			return render.Number(t.Value)
		}},
	}
}

// equalTable has the best value of each row at equal evaluations, tokens and USD: as many as the
// row that used least has used in all, a half and a quarter. Rows that follow their budget are left
// out: the beginning of such a run is no smaller run.
func equalTable(label task, groups []*group) *Table {
	groups = raced(groups)
	planned := where(groups, func(g *group) bool { return g.method.Scheduled })
	groups = where(groups, func(g *group) bool { return !g.method.Scheduled })
	if _, comparable := compareHeaders(groups); !comparable || len(groups) < 2 {
		return nil
	}
	better, arrow := label.direction(groups)
	var fields []field[*group]
	for _, axis := range []*results.Axis{
		results.ByEvaluations, results.ByTokens, results.ByCost,
	} {
		least := math.Inf(1)
		for _, g := range groups {
			for _, r := range g.Finished() {
				if !axis.Known(r) {
					least = 0
				}
				least = min(least, axis.Used(r))
			}
		}
		if least == 0 || axis == results.ByCost && math.IsInf(least, 1) {
			continue
		}
		for _, part := range []float64{1, 2, 4} {
			limit := least / part
			values := func(g *group) results.Sample {
				return g.Over(func(r *results.Run) (float64, bool) { return r.After(axis, limit) })
			}
			whole := func(g *group) (results.Sample, bool) {
				s := values(g)
				return s, s.N > 0 && s.N == len(g.Finished())
			}
			id := fmt.Sprintf("%s/%g", axis.Name, part)
			fields = append(fields, field[*group]{
				Column{ID: id, Title: amount(axis, limit), Span: axis.Name + arrow, Spread: true,
					Digits: label.Digits, Better: better,
					Equal: results.Tolerance(label.Tolerance)},
				func(g *group) Cell {
					s, ok := whole(g)
					if !ok {
						return Cell{}
					}
					return g.spread(s)
				},
			}, field[*group]{
				Column{ID: id + "/rank", Title: "Rank", Data: true, Digits: 1},
				func(g *group) Cell {
					own, ok := whole(g)
					rank := 1.0
					for _, h := range groups {
						if s, ok := whole(h); ok && h != g && h.Models == g.Models {
							rank += float64(1+better*g.Compare(s.Mean, own.Mean)) / 2
						}
					}
					return orMissing(rank, ok)
				},
			})
		}
	}
	t := &Table{Name: "equal-" + label.key, Title: "Equal evaluations, tokens and USD on " +
		label.Title}
	methodRows(t, groups, fields)
	if len(planned) > 0 {
		t.Note(render.Footnote, "Left out, since it plans over its whole budget: "+
			listed(planned)+".")
	}
	complete(t, groups)
	return t
}

// amount writes how much of an axis there is, for a heading.
func amount(axis *results.Axis, x float64) string {
	switch {
	case axis == results.ByCost:
		return fmt.Sprintf("%.3g USD", x)
	case x >= 1e6:
		return fmt.Sprintf("%.2f M", x/1e6)
	case x >= 1e4:
		return fmt.Sprintf("%.0f k", x/1e3)
	}
	return fmt.Sprintf("%.0f", math.Floor(x))
}
