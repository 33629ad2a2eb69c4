package report

import (
	"fmt"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// sampling is the method whose runs set the run-length targets.
const sampling = "randsample"

// scaleOf returns the scale of a task's progress, and false if the task has no anchors.
func scaleOf(t task) (results.Scale, bool) {
	a, ok := data.AnchorOf(t.id)
	return results.Scale{
		Worst: a.Worst, Best: a.Best, Tolerance: results.Tolerance(t.Tolerance),
	}, ok
}

// raced returns the groups that searched for programs, except ablations and settings.
func raced(groups []*group) []*group {
	return where(searched(groups), func(g *group) bool { return g.main() && !g.Trained() })
}

// sampled returns the row of random sampling, or nil.
func sampled(groups []*group) *group {
	for _, g := range groups {
		if g.Method == sampling && g.Variant == "" {
			return g
		}
	}
	return nil
}

// runLengths returns the targets that random sampling sets.
func runLengths(groups []*group) []results.RunLength {
	if g := sampled(groups); g != nil {
		return g.RunLengths()
	}
	return nil
}

// targetsTable has the area over the convergence curve (AOCC) of each row, and the evaluations that
// the row needed to reach the mean of random sampling after 1, 3, 10, … evaluations; nil if neither
// is known.
func targetsTable(label task, groups []*group) *Table {
	groups = raced(groups)
	better, _ := label.direction(groups)
	var fields []field[*group]
	scale, known := scaleOf(label)
	if known {
		c := Column{ID: data.AnchorVersion(), Title: "AOCC", Spread: true, Digits: 3, Better: +1}
		fields = append(fields, field[*group]{c, func(g *group) Cell {
			return g.spread(g.AOCC(scale))
		}})
	}
	targets := runLengths(groups)
	for _, t := range targets {
		fields = append(fields, runtimeFields(t, better)...)
	}
	if len(fields) == 0 {
		return nil
	}
	t := methodTable("targets-"+label.key, "Targets on "+label.Title, groups, fields)
	past := where(groups, func(g *group) bool { return known && g.Passed(scale, better) })
	if len(past) > 0 {
		t.Note(render.Seeds, "AOCC is clipped: "+listed(past)+" passed the best value of the "+
			"scale (data/anchors.toml).")
	}
	if len(targets) > 0 {
		t.Note(render.Seeds, fmt.Sprintf("RS at b: evaluations to reach the mean value of %s of "+
			"random sampling after b evaluations.", count(len(sampled(groups).Ended()), "seed")))
	}
	complete(t, groups)
	return t
}

// runtimeFields returns the fields of the evaluations to a run-length target and of the successes.
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
