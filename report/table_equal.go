package report

import (
	"fmt"
	"math"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// equalTable has the best value of each row at equal evaluations, tokens and USD: the total of the
// row that used least, a half and a quarter of it. It leaves out rows whose method plans over its
// budget, because the beginning of such a run is no smaller run.
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

// amount is a length of an axis, for a heading.
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
