package report

import (
	"math"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// spread is a sample as a cell.
func spread(s results.Sample) Cell {
	return Cell{Mean: s.Mean, SD: s.SD, N: s.N, Values: s.Values, Runs: digests(s.Runs)}
}

// spread is a sample of the group's seeds as a cell.
func (g *group) spread(s results.Sample) Cell {
	c := spread(s)
	c.Chosen = g.Chosen() != ""
	return c
}

// over samples a number of the finished runs of a group.
func over(number func(*results.Run) (float64, bool)) func(*group) Cell {
	return func(g *group) Cell { return g.spread(g.Over(number)) }
}

// noiseOf is the standard deviation of one evaluation, pooled over seeds.
func noiseOf(g *group) Cell {
	noise, n := g.Noise()
	if n == 0 {
		return Cell{}
	}
	return Cell{Mean: noise, SD: math.NaN(), N: n}
}

// testOf is what a run's chosen program does on a test split.
func testOf(r *results.Run, by results.Choice, split string) Cell {
	if r == nil {
		return Cell{}
	}
	switch o := r.Tested(by, split); {
	case o == nil:
		return Cell{}
	case o.Fault != nil:
		return render.Words("fault: " + string(o.Fault.Kind))
	default:
		return render.Number(o.Mean)
	}
}

// seedValues lists the training value of every run, finished or not, in the order of seeds; "…"
// marks an unfinished one.
func seedValues(g *group, digits int) Cell {
	var parts, data []string
	for _, r := range g.Runs {
		value, text := "nan", "–"
		if r.Best != nil {
			value, text = render.Precise(r.Best.Value), render.Fixed(r.Best.Value, digits)
		}
		if r.Best != nil && !r.Finished() {
			text += "…"
		}
		parts, data = append(parts, text), append(data, value)
	}
	c := render.Words(strings.Join(parts, "  "))
	c.Data = strings.Join(data, " ")
	return c
}

// orMissing is a number where there is one.
func orMissing(x float64, ok bool) Cell {
	if !ok {
		return Cell{}
	}
	return render.Number(x)
}

// foundAt is the evaluation that found the best program; a dash for a row that did not search.
func foundAt(r *results.Run) Cell {
	if r.Best == nil || r.Best.Evaluation == 0 || r.Learned() {
		return Cell{}
	}
	return render.Number(float64(r.Best.Evaluation))
}

// estimate marks the number, where it is one, as counted by a stand-in.
func estimate(c Cell, is bool) Cell {
	c.Estimated = is && c.N > 0
	return c
}
