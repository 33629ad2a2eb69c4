package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
)

const curveHeight = 1.65 * vg.Inch

// axisKnown reports whether the axis's quantity is known for all runs with a curve.
func axisKnown(groups []*group, axis *results.Axis) bool {
	var runs []*results.Run
	for _, g := range groups {
		runs = append(runs, g.WithCurve()...)
	}
	return len(runs) > 0 && len(where(runs, axis.Known)) == len(runs)
}

// A reference is a training value with which a reader can compare curves.
type reference struct {
	name  string
	value float64
}

// references returns the known values of the task's template and of its best row without a search.
func references(t task, rows []*group) (out []reference) {
	if a, ok := data.AnchorOf(t.id); ok {
		out = append(out, reference{"template", a.Worst})
	}
	rows = where(rows, func(g *group) bool {
		return g.Task == t.id && g.Baseline() && !g.Trained()
	})
	better, _ := t.direction(rows)
	var best []reference
	for _, g := range rows {
		if s := g.Over((*results.Run).Train); s.N > 0 {
			best = append(best, reference{g.title(), s.Mean})
		}
	}
	slices.SortStableFunc(best, func(a, b reference) int {
		return -better * cmp.Compare(a.value, b.value)
	})
	return append(out, best[:min(1, len(best))]...)
}

// mark draws the references in known across the last panel as dashed lines, behind its curves.
// References outside the axis are in the caption.
func mark(f *figure.Figure, t task, known []reference) {
	p := &f.Panels[len(f.Panels)-1]
	var outside []string
	for i, r := range known {
		text := r.name + ": " + strconv.FormatFloat(r.value, 'f', t.Digits, 64)
		if r.value < p.Y.Min || r.value > p.Y.Max {
			outside = append(outside, text)
			continue
		}
		look := figure.Look{Color: figure.Dark, Dashes: []vg.Length{vg.Length(4 - 2*i), 2}}
		p.Shapes = slices.Insert(p.Shapes, 0, figure.Segment(
			p.X.Min, r.value, p.X.Max, r.value, look.Color, 0.6, look.Dashes...))
		f.Legend = append(f.Legend, figure.Entry{Text: text, Look: look, Line: true})
	}
	if len(outside) > 0 {
		f.Caption += " Outside the axis: " + strings.Join(outside, ", ") + "."
	}
}

// convergence draws the best training value so far of rows of one task and one model, with known
// values for comparison; nil if no run has a program with a score.
func convergence(
	suffix string, groups []*group, looks looks, axis *results.Axis, known []reference,
) *figure.Figure {
	if len(groups) == 0 {
		return nil
	}
	better, _ := groups[0].task.direction(groups)
	scale, label := axisScale(groups, axis)
	all, _, end := looks.curves(groups, func(g *group) ([]results.Point, int) {
		return g.BestSoFar(axis, scale), len(g.WithCurve())
	})
	if len(all) == 0 {
		return nil
	}
	f := titled("convergence-"+suffix+"-"+axis.Name, "Best training value by "+axis.By, groups)
	f.Main = axis == results.ByEvaluations || axis == results.ByTokens
	f.Rows(label, all)
	low, high, cut := settledRange(all, end, better < 0)
	f.Lines(all, figure.Panel{
		X: figure.Span(label, 0, max(end, 1e-9)), Y: figure.Span(groups[0].task.Unit, low, high),
		Height: curveHeight,
	}, true, bandText(seedsOf(all)))
	f.Caption = strings.ToUpper(goal(better)[:1]) + goal(better)[1:] + ". " +
		spreadText("Lines", "bands", seedsOf(all))
	worse, ends := " Earlier, worse values lie outside the axis.", ""
	for _, s := range all {
		last := s.Points[len(s.Points)-1]
		if last.Low < low || last.High > high {
			worse = " Worse values lie outside the axis."
		}
		if last.Mean < low || last.Mean > high {
			ends += " " + s.Label + ": the curve lies outside the axis and ends at " +
				strconv.FormatFloat(last.Mean, 'f', groups[0].task.Digits, 64) + "."
		}
	}
	if cut {
		f.Caption += worse + ends
	}
	mark(f, groups[0].task, known)
	noteUnfinished(f, groups)
	return f
}

// curves returns the lines of the groups that have points, these groups, and the x at which the
// longest line ends.
func (l looks) curves(groups []*group, of func(*group) (points []results.Point, seeds int)) (
	all []figure.Series, drawn []*group, end float64) {
	for _, g := range groups {
		if points, seeds := of(g); len(points) > 0 {
			all = append(all, figure.Series{
				Label: g.curveTitle(), Look: l.of(g), Seeds: seeds, Points: points,
			})
			drawn, end = append(drawn, g), max(end, points[len(points)-1].X)
		}
	}
	return all, drawn, end
}

func everyCPU(groups []*group) bool {
	return !slices.ContainsFunc(runsOf(groups), func(r *results.Run) bool { return !r.CPUTime() })
}

func goal(better int) string {
	if better < 0 {
		return "lower is better"
	}
	return "higher is better"
}

// noteUnfinished names the rows whose curves end early.
func noteUnfinished(f *figure.Figure, groups []*group) {
	for _, g := range groups {
		if slices.ContainsFunc(g.Runs, func(r *results.Run) bool { return !r.Finished() }) {
			f.Caption += " " + g.title() +
				": a seed is unfinished, and the curve ends where this seed ends."
		}
	}
}

// axisScale returns the unit of an axis, as a divisor, and the label of the axis.
func axisScale(groups []*group, axis *results.Axis) (scale float64, label string) {
	switch axis {
	case results.ByTokens:
		scale, _ := tokenScale(groups)
		unit := "thousands" // in words, because PDF fonts lack most superscripts
		if scale > 1e3 {
			unit = "millions"
		}
		return scale, unit + " of tokens, prompt + completion"
	case results.ByCost:
		return 1, "USD"
	case results.ByTime:
		most := 0.0
		for _, r := range runsOf(groups) {
			seconds, _ := r.Time()
			most = max(most, seconds)
		}
		label = "time of evaluation"
		if everyCPU(groups) {
			label = "CPU " + label
		}
		switch {
		case most > 2*3600:
			return 3600, label + " (h)"
		case most > 2*60:
			return 60, label + " (min)"
		}
		return 1, label + " (s)"
	}
	return 1, "evaluations"
}

// curveTitle returns the row's name in a legend.
func (g *group) curveTitle() string {
	if g.Trained() {
		return g.title() + " (environment steps)"
	}
	return g.title()
}

func seedsOf(all []figure.Series) []int {
	out := make([]int, len(all))
	for i, s := range all {
		out[i] = s.Seeds
	}
	return out
}

// settled is the share of the x axis after which the y axis shows all means. The first few programs
// are so much worse that a y axis with them would flatten the rest of the curves.
const settled = 0.04

// From the ratio level of all settled means to the last means, the y axis would show the last means
// as one line. Then it has the ratio zoom.
const level, zoom = 100, 10

// settledRange returns the y range: from the best value to the worst mean after the search has
// settled, or less if the last means would lie together. It reports whether worse values are
// outside the range.
func settledRange(all []figure.Series, end float64, minimize bool) (low, high float64, cut bool) {
	sign := 1.0 // larger is worse
	if !minimize {
		sign = -1
	}
	best, worst, most := math.Inf(1), math.Inf(-1), math.Inf(-1)
	last := make([]float64, len(all))
	for k, s := range all {
		for i, p := range s.Points {
			low, high := sign*p.Low, sign*p.High
			if sign < 0 {
				low, high = sign*p.High, sign*p.Low
			}
			best, most, last[k] = min(best, low), max(most, high), sign*p.Mean
			if i == len(s.Points)-1 || s.Points[i+1].X > settled*end {
				worst = max(worst, last[k])
			}
		}
	}
	if near := nearest(last) - best; len(last) > 1 && near > 0 && worst-best > level*near {
		worst = best + zoom*near
	}
	pad := 0.05 * (worst - best)
	if pad <= 0 {
		pad = cmp.Or(0.01*math.Abs(best), 1)
	}
	cut = most > worst+pad
	low, high = best-pad, worst+pad
	if sign < 0 {
		low, high = -high, -low
	}
	return low, high, cut
}

// nearest returns the worst of the last means, where larger is worse. It leaves out means that lie
// so far from the others that the others would look equal. More than half of the means count.
func nearest(last []float64) float64 {
	slices.Sort(last)
	n := len(last)
	for k := n - 1; k > n/2; k-- {
		if near := last[k-1] - last[0]; near > 0 && last[k]-last[0] > level*near {
			return last[k-1]
		}
	}
	return last[n-1]
}
