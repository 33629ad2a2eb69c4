package results

import (
	"math"
	"slices"
)

// Journals also show the states of a run before its end. This file computes targets as in COCO
// (arXiv 1605.03560), the area over the convergence curve as in BLADE, and values at equal costs.

// After returns the best training value of a run that has used x of the axis's quantity; ok is
// false before the first score. An improvement counts if x covers its whole step.
func (r *Run) After(axis *Axis, x float64) (value float64, ok bool) {
	for _, i := range r.Curve {
		if axis.at(r, i) <= x {
			value, ok = i.Value, true
		}
	}
	return value, ok
}

// A Scale turns training values into progress: 0 at Worst, 1 at Best, clipped.
type Scale struct {
	Worst, Best float64
	Tolerance
}

// Progress returns the place of a value on the scale.
func (s Scale) Progress(value float64) float64 {
	return min(max((s.Worst-value)/(s.Worst-s.Best), 0), 1)
}

// AOCC returns the area over the convergence curve of a finished run: the mean progress of its best
// program over the evaluations of its budget, 0 before the first score. A run that stopped early
// counts as if it continued without another improvement.
func (s Scale) AOCC(r *Run) float64 {
	sum, last := 0.0, r.Header.Budget
	for k, i := range r.Curve {
		until := last
		if k+1 < len(r.Curve) {
			until = r.Curve[k+1].Evaluation - 1
		}
		sum += s.Progress(i.Value) * float64(until-i.Evaluation+1)
	}
	return sum / float64(last)
}

// AOCC returns a sample of the areas over the convergence curves of the runs that have a result.
func (g *Group) AOCC(s Scale) Sample {
	var values []float64
	for _, r := range g.Ended() {
		values = append(values, s.AOCC(r))
	}
	out := NewSample(values)
	out.Runs = g.Ended()
	return out
}

// Passed reports whether a run of the group has a better value than Best, the end of the scale.
func (g *Group) Passed(s Scale, better int) bool {
	return slices.ContainsFunc(g.Ended(), func(r *Run) bool {
		return r.Best != nil && better*s.Compare(r.Best.Value, s.Best) > 0
	})
}

// Targets is the number of targets of an ECDF. The targets are the middles of this number of equal
// parts of a Scale.
const Targets = 51

// Reached returns the share of the targets that a value reaches.
func (s Scale) Reached(value float64) float64 {
	n := min(math.Floor(s.Progress(value)*Targets+0.5), Targets)
	next := s.Worst - (n+0.5)/Targets*(s.Worst-s.Best)
	if n < Targets && s.Compare(value, next) == 0 {
		n++
	}
	return n / Targets
}

// ECDF returns the share of targets that the finished runs of the group have reached, over the
// evaluations: the mean, smallest and largest share of the seeds. It also returns the number of
// seeds.
func (g *Group) ECDF(s Scale) (points []Point, runs int) {
	var tracks []track
	for _, r := range g.Ended() {
		t := track{xs: []float64{0}, ys: []float64{0}, end: float64(r.Header.Budget)}
		for _, i := range r.Curve {
			t.xs = append(t.xs, float64(i.Evaluation))
			t.ys = append(t.ys, s.Reached(i.Value))
		}
		tracks = append(tracks, t)
	}
	return merge(tracks), len(tracks)
}

// Ended returns the runs of the group that have a result, with a score or without.
func (g *Group) Ended() []*Run {
	return slices.DeleteFunc(slices.Clone(g.Runs), func(r *Run) bool { return !r.Finished() })
}

// A Runtime measures how long some runs took to reach a target.
type Runtime struct {
	Used            int // evaluations of all runs, each up to the target or to the end of the run
	Successes, Runs int
}

// FewSuccesses is the smallest number of successes for a mean runtime.
const FewSuccesses = 3

// Mean returns COCO's average runtime: all evaluations used, divided by the successes. ok is false
// for few successes, because the mean is then far too low.
func (t Runtime) Mean() (evaluations float64, ok bool) {
	return float64(t.Used) / float64(t.Successes), t.Successes >= FewSuccesses
}

// Runtime returns how long the finished runs took to reach a value; better is +1 if larger values
// are better, otherwise -1.
func (g *Group) Runtime(target float64, better int) (t Runtime) {
	for _, r := range g.Ended() {
		used := r.Evaluations
		for _, i := range r.Curve {
			if better*g.Compare(i.Value, target) >= 0 {
				used = i.Evaluation
				t.Successes++
				break
			}
		}
		t.Used, t.Runs = t.Used+used, t.Runs+1
	}
	return t
}

// A RunLength is a target: the mean value of some runs after this number of evaluations.
type RunLength struct {
	Evaluations int
	Value       float64
}

// RunLengths returns the targets that the finished runs of the group set after 1, 3, 10, 30, …
// evaluations up to their smallest budget. The first target is set when all runs have a score.
func (g *Group) RunLengths() (out []RunLength) {
	runs := g.Ended()
	budget := math.MaxInt
	for _, r := range runs {
		budget = min(budget, r.Header.Budget)
	}
	for n, next := 1, 3; len(runs) > 0 && n <= budget; n, next = next, 10*n {
		sum, scored := 0.0, 0
		for _, r := range runs {
			if v, ok := r.After(ByEvaluations, float64(n)); ok {
				sum, scored = sum+v, scored+1
			}
		}
		if scored == len(runs) {
			out = append(out, RunLength{n, sum / float64(scored)})
		}
	}
	return out
}
