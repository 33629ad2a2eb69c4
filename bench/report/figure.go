package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A Figure is the data of one convergence plot.
type Figure struct {
	Name     string // stem of its file names: "tsp-construct-evaluations"
	Task     string
	Title    string
	X, Y     string // axis labels with units
	Series   []Series
	XMax     float64
	YMin     float64 // the range shown; early bad values may lie outside
	YMax     float64
	Minimize bool
	Notes    []string
}

// A Series is one method's best-so-far training value: a step function, the mean over seeds, with the range
// from the smallest to the largest seed as its band.
type Series struct {
	Label  string
	Style  int // place in the palette, the same for one row in all figures of a store
	Seeds  int
	Points []Point // by X; a value holds until the next point
}

// A Point is the state of the seeds from X on.
type Point struct{ X, Mean, Low, High float64 }

// Figures returns two figures for every task and model: by evaluations and by tokens.
func (s *Store) Figures() []*Figure {
	groups := where(s.Groups(), func(g *Group) bool { return g.Variant == "" && !g.Baseline() })
	styles := styleOf(groups)
	var out []*Figure
	for _, task := range tasksOf(groups) {
		own := where(groups, func(g *Group) bool { return g.Task == task })
		all := models(own)
		for _, m := range all {
			rows := where(own, func(g *Group) bool { return g.Models == m })
			suffix := ""
			if len(all) > 1 {
				suffix = "-" + fileName(modelTitle(m))
			}
			out = append(out,
				newFigure(task+suffix+"-evaluations", rows, styles, false),
				newFigure(task+suffix+"-tokens", rows, styles, true))
		}
	}
	return slices.DeleteFunc(out, func(f *Figure) bool { return f == nil })
}

// styleOf gives every method a place in the palette: PACE the first, the other known ones theirs, so that a
// method looks the same in every report, and unknown ones what is left.
func styleOf(groups []*Group) map[string]int {
	styles := map[string]int{"pace": 0, "eoh": 1, "reevo": 2, "mcts-ahd": 3, "hsevo": 4, "mles": 5, "randsample": 6}
	for _, g := range groups {
		if _, ok := styles[g.Method]; !ok {
			styles[g.Method] = len(styles)
		}
	}
	return styles
}

// newFigure makes the plot of one task and one model; nil when no run has a scored program.
func newFigure(name string, groups []*Group, styles map[string]int, byTokens bool) *Figure {
	label := taskOf(groups[0].Task)
	f := &Figure{Name: name, Task: groups[0].Task, Title: label.title, X: "evaluations", Y: "best training value: " + label.unit}
	better, _ := direction(groups)
	f.Minimize = better < 0
	scale := 1.0
	if byTokens {
		var unit string
		scale, unit = tokenScale(groups)
		f.X = "tokens, prompt + completion (" + unit + ")"
	}
	for _, g := range groups {
		if points := bestSoFar(g, byTokens, scale); len(points) > 0 {
			f.Series = append(f.Series, Series{Label: rowTitle(g.Key), Style: styles[g.Method], Seeds: len(withCurve(g)), Points: points})
			f.XMax = max(f.XMax, points[len(points)-1].X)
		}
	}
	if len(f.Series) == 0 {
		return nil
	}
	f.labelled(groups)
	cut := f.setRange()
	f.Notes = append(f.Notes, "Line: mean over seeds of the best so far. Band: smallest to largest seed. A finished run keeps its best value.")
	if cut {
		f.Notes = append(f.Notes, "The y axis is cut: earlier, worse values lie outside.")
	}
	for _, g := range groups {
		for _, r := range g.Runs {
			if !r.Finished() {
				f.Notes = append(f.Notes, rowTitle(g.Key)+": a seed is unfinished; the curve ends where it does.")
				break
			}
		}
	}
	return f
}

// labelled puts what must be seen into the title.
func (f *Figure) labelled(groups []*Group) {
	if m := models(groups); len(m) == 1 && m[0] != "" {
		f.Title += ", " + modelTitle(m[0])
	}
	if countGroups(groups, (*Group).Offline) > 0 {
		f.Title = strings.TrimSuffix(f.Title, ", offline") + " [offline model: not an LLM]"
		f.Notes = append(f.Notes, offlineNote)
	}
	if countGroups(groups, (*Group).Unsafe) > 0 {
		f.Title += " [unsafe sandbox]"
		f.Notes = append(f.Notes, unsafeNote)
	}
}

// withCurve are the runs that have a scored program and are not held back by being empty.
func withCurve(g *Group) []*Run {
	return slices.DeleteFunc(slices.Clone(g.Runs), func(r *Run) bool { return len(r.Curve) == 0 })
}

// bestSoFar is the exact step function of the group: a point wherever any seed improves, from where all seeds have a
// score. It ends with the longest finished run, or with the shortest unfinished one.
func bestSoFar(g *Group, byTokens bool, scale float64) []Point {
	runs := withCurve(g)
	if len(runs) == 0 {
		return nil
	}
	x := func(i Improvement) float64 {
		if byTokens {
			return float64(i.Tokens) / scale
		}
		return float64(i.Evaluation)
	}
	first, last, stop := 0.0, 0.0, math.Inf(1)
	var xs []float64
	for _, r := range runs {
		first = max(first, x(r.Curve[0]))
		end := x(Improvement{Evaluation: r.Evaluations, Tokens: r.Tokens().Total()})
		if last = max(last, end); !r.Finished() {
			stop = min(stop, end)
		}
		for _, i := range r.Curve {
			xs = append(xs, x(i))
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
			for next[i] < len(r.Curve) && x(r.Curve[next[i]]) <= at {
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

// settled is the share of the x axis after which everything is shown; ours: before it, the first few
// programs are so much worse that the rest of the curves would be flat lines.
const settled = 0.04

// setRange chooses the y range: from the best value to the worst that any mean has once the search has settled. It
// reports whether earlier values lie outside.
func (f *Figure) setRange() (cut bool) {
	sign := 1.0 // larger is worse
	if !f.Minimize {
		sign = -1
	}
	best, worst, all := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range f.Series {
		for i, p := range s.Points {
			low, high := sign*p.Low, sign*p.High
			if sign < 0 {
				low, high = sign*p.High, sign*p.Low
			}
			best, all = min(best, low), max(all, high)
			if i == len(s.Points)-1 || s.Points[i+1].X > settled*f.XMax {
				worst = max(worst, sign*p.Mean)
			}
		}
	}
	pad := 0.05 * (worst - best)
	if pad <= 0 {
		pad = cmp.Or(0.01*math.Abs(best), 1)
	}
	cut = all > worst+pad
	low, high := best-pad, worst+pad
	if sign < 0 {
		low, high = -high, -low
	}
	f.YMin, f.YMax = low, high
	return cut
}
