package results

import (
	"math"
	"slices"
)

// An Axis is what a curve counts from left to right.
type Axis int

const (
	ByEvaluations Axis = iota
	ByTokens
	ByCost // USD; only for runs whose cost is known
)

// A Point is the state of some seeds from X on: mean, smallest and largest best value so far.
type Point struct{ X, Mean, Low, High float64 }

// WithCurve returns the runs that have a scored program.
func (g *Group) WithCurve() []*Run {
	return slices.DeleteFunc(slices.Clone(g.Runs), func(r *Run) bool { return len(r.Curve) == 0 })
}

// BestSoFar is the exact step function of the group: a point wherever any seed improves, from where
// all seeds have a score. X counts what the axis says, in units of scale. It ends with the longest
// finished run, or with the shortest unfinished one.
func (g *Group) BestSoFar(axis Axis, scale float64) []Point {
	runs := g.WithCurve()
	if len(runs) == 0 {
		return nil
	}
	x := func(r *Run, i Improvement) float64 {
		switch axis {
		case ByTokens:
			return float64(i.Tokens) / scale
		case ByCost:
			return i.Cost / scale
		}
		return r.Equivalent(i.Evaluation) / scale
	}
	first, last, stop := 0.0, 0.0, math.Inf(1)
	var xs []float64
	for _, r := range runs {
		first = max(first, x(r, r.Curve[0]))
		usd, _ := r.Cost()
		end := x(r, Improvement{Evaluation: r.Evaluations, Tokens: r.Tokens().Total(), Cost: usd})
		if last = max(last, end); !r.Finished() {
			stop = min(stop, end)
		}
		for _, i := range r.Curve {
			xs = append(xs, x(r, i))
		}
	}
	last = min(last, stop)
	xs = slices.DeleteFunc(append(xs, first, last), func(v float64) bool { return v < first || v > last })
	slices.Sort(xs)
	xs = slices.Compact(xs)

	points := make([]Point, len(xs))
	next := make([]int, len(runs)) // per run, the first improvement after x
	for k, at := range xs {
		p := Point{X: at, Low: math.Inf(1), High: math.Inf(-1)}
		for i, r := range runs {
			for next[i] < len(r.Curve) && x(r, r.Curve[next[i]]) <= at {
				next[i]++
			}
			v := r.Curve[next[i]-1].Value
			p.Mean += v / float64(len(runs))
			p.Low, p.High = min(p.Low, v), max(p.High, v)
		}
		points[k] = p
	}
	return points
}
