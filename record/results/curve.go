package results

import (
	"math"
	"slices"
)

// An Axis is the horizontal axis of a curve. It measures a quantity that a run uses up.
type Axis struct {
	Name, By string // the name in file names, and in captions
	Known    func(*Run) bool
	at       func(*Run, Improvement) float64
}

// The axes. Cost is in USD and time in seconds; some runs have no known cost or time.
var (
	ByEvaluations = &Axis{"evaluations", "evaluations", always,
		func(r *Run, i Improvement) float64 { return r.Equivalent(i.Evaluation) }}
	ByTokens = &Axis{"tokens", "tokens, prompt and completion", always,
		func(_ *Run, i Improvement) float64 { return float64(i.Tokens) }}
	ByCost = &Axis{"usd", "USD", func(r *Run) bool { _, known := r.Cost(); return known },
		func(_ *Run, i Improvement) float64 { return i.Cost }}
	ByTime = &Axis{"time", "time of evaluation", func(r *Run) bool { return r.timed },
		func(_ *Run, i Improvement) float64 { return i.Time }}
)

func always(*Run) bool { return true }

// Used returns how much of the axis's quantity a run has used.
func (a *Axis) Used(r *Run) float64 {
	usd, _ := r.Cost()
	seconds, _ := r.Time()
	return a.at(r, Improvement{
		Evaluation: r.Evaluations, Tokens: r.Tokens().Total(), Cost: usd, Time: seconds,
	})
}

// Least returns the smallest amount that any of the runs has used; 0 if the amount of a run is
// unknown.
func (a *Axis) Least(runs []*Run) float64 {
	least := math.Inf(1)
	for _, r := range runs {
		if !a.Known(r) {
			return 0
		}
		least = min(least, a.Used(r))
	}
	return least
}

// A Point describes the best values so far of some seeds from X on: their mean, minimum and
// maximum.
type Point struct{ X, Mean, Low, High float64 }

// WithCurve returns the runs that have a scored program.
func (g *Group) WithCurve() []*Run {
	return slices.DeleteFunc(slices.Clone(g.Runs), func(r *Run) bool { return len(r.Curve) == 0 })
}

// BestSoFar returns the exact step function of the group. It begins when all seeds have a score,
// and has a point at every improvement of any seed. X is the amount used, in units of scale. The
// function ends with the longest run if all runs are finished, otherwise with the shortest
// unfinished run.
func (g *Group) BestSoFar(axis *Axis, scale float64) []Point {
	var tracks []track
	for _, r := range g.WithCurve() {
		t := track{end: axis.Used(r) / scale, open: !r.Finished()}
		for _, i := range r.Curve {
			t.xs, t.ys = append(t.xs, axis.at(r, i)/scale), append(t.ys, i.Value)
		}
		tracks = append(tracks, t)
	}
	return merge(tracks)
}

// A track is the step function of one run: a value holds until the next one.
type track struct {
	xs, ys []float64
	end    float64
	open   bool // the run is unfinished, so its values after the end are unknown
}

// merge returns the mean, smallest and largest value of the tracks at every change of any track.
// Every track must have a value.
func merge(tracks []track) []Point {
	if len(tracks) == 0 {
		return nil
	}
	first, last, stop := 0.0, 0.0, math.Inf(1)
	var xs []float64
	for _, t := range tracks {
		first = max(first, t.xs[0])
		if last = max(last, t.end); t.open {
			stop = min(stop, t.end)
		}
		xs = append(xs, t.xs...)
	}
	last = min(last, stop)
	xs = slices.DeleteFunc(append(xs, first, last), func(v float64) bool {
		return v < first || v > last
	})
	slices.Sort(xs)
	xs = slices.Compact(xs)

	points := make([]Point, len(xs))
	next := make([]int, len(tracks)) // for each track, the place of its first value after X
	for k, at := range xs {
		p := Point{X: at, Low: math.Inf(1), High: math.Inf(-1)}
		for i, t := range tracks {
			for next[i] < len(t.xs) && t.xs[next[i]] <= at {
				next[i]++
			}
			v := t.ys[next[i]-1]
			p.Mean += v / float64(len(tracks))
			p.Low, p.High = min(p.Low, v), max(p.High, v)
		}
		points[k] = p
	}
	return points
}
