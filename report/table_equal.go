package report

import (
	"fmt"
	"math"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// equalTable has the best value of each row at equal evaluations, tokens and USD: the total of the
// run that used the least, and a half and a quarter of this total. It leaves out rows whose method
// plans over its budget, because the beginning of such a run is no run with a smaller budget.
func equalTable(label task, groups []*group) *Table {
	groups = raced(groups)
	planned := where(groups, func(g *group) bool { return g.method.Scheduled })
	groups = where(groups, func(g *group) bool { return !g.method.Scheduled })
	if _, comparable := compareHeaders(groups); !comparable || len(groups) < 2 {
		return nil
	}
	better, arrow := label.direction(groups)
	var fields []field[*group]
	var finished []*results.Run
	for _, g := range groups {
		finished = append(finished, g.Finished()...)
	}
	for _, axis := range []*results.Axis{
		results.ByEvaluations, results.ByTokens, results.ByCost,
	} {
		least := axis.Least(finished)
		if least == 0 {
			continue
		}
		for _, part := range []float64{1, 2, 4} {
			limit := least / part
			of := func(g *group) (results.Sample, bool) { // ok only if all seeds have a value
				s := g.Over(func(r *results.Run) (float64, bool) { return r.After(axis, limit) })
				return s, s.N > 0 && s.N == len(g.Finished())
			}
			id := fmt.Sprintf("%s/%g", axis.Name, part)
			value := label.column(id, amount(axis, limit), better)
			value.Span = axis.Name + arrow
			rank := Column{ID: value.ID + "/rank", Title: "Rank", Data: true, Digits: 1}
			fields = append(fields, field[*group]{value, func(g *group) Cell {
				if s, ok := of(g); ok {
					return g.spread(s)
				}
				return Cell{}
			}}, field[*group]{rank, func(g *group) Cell {
				var rivals []float64
				for _, h := range groups {
					if s, ok := of(h); ok && h != g && h.Models == g.Models {
						rivals = append(rivals, s.Mean)
					}
				}
				own, ok := of(g)
				return orMissing(g.RankAmong(own.Mean, rivals, better), ok)
			}})
		}
	}
	t := methodTable("equal-"+label.key, "Equal evaluations, tokens and USD on "+label.Title,
		groups, fields)
	if len(planned) > 0 {
		t.Note(render.Footnote, "Left out, because their methods plan over the whole budget: "+
			listed(planned)+".")
	}
	complete(t, groups)
	return t
}

// amount formats x, an amount of the axis's quantity, for a heading.
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
