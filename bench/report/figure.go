package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/results"
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
	Notes    []Note
}

// A Series is one method's best-so-far training value: a step function, the mean over seeds, with
// the range from the smallest to the largest seed as its band.
type Series struct {
	Label  string
	Style  int // place in the palette, the same for one row in all figures of a store
	Seeds  int
	Points []results.Point // by X; a value holds until the next point
}

// Figures returns the figures of every task and model: by evaluations, by tokens and, where the
// costs of all runs are known, by USD.
func Figures(s *results.Store, l Labels) []*Figure {
	groups := where(l.groups(s), func(g *group) bool { return g.Variant == "" && (!g.Baseline() || g.Learned()) })
	styles := stylesOf(groups, l)
	var out []*Figure
	for _, task := range tasksOf(groups) {
		own := where(groups, func(g *group) bool { return g.Task == task.id })
		learned := where(own, func(g *group) bool { return g.Learned() })
		all := models(own)
		if len(all) == 0 {
			out = append(out, newFigure(task.id+"-evaluations", learned, styles, results.ByEvaluations))
		}
		for _, m := range all {
			rows := where(own, func(g *group) bool { return g.Models == m && !g.Learned() })
			suffix := ""
			if len(all) > 1 {
				suffix = "-" + fileName(modelTitle(m))
			}
			out = append(out,
				newFigure(task.id+suffix+"-evaluations", slices.Concat(learned, rows), styles, results.ByEvaluations),
				newFigure(task.id+suffix+"-tokens", rows, styles, results.ByTokens))
			if costKnown(rows) {
				out = append(out, newFigure(task.id+suffix+"-usd", rows, styles, results.ByCost))
			}
		}
	}
	return slices.DeleteFunc(out, func(f *Figure) bool { return f == nil })
}

// stylesOf gives every method a place in the palette: labelled ones theirs, so that a method looks
// the same in every report, and the others what is left.
func stylesOf(groups []*group, l Labels) map[string]int {
	styles, left := map[string]int{}, 0
	for _, m := range l.Methods {
		if m.Style > 0 {
			styles[m.Name], left = m.Style-1, max(left, m.Style)
		}
	}
	for _, g := range groups {
		if _, ok := styles[g.Method]; !ok {
			styles[g.Method] = left
			left++
		}
	}
	return styles
}

// newFigure makes the plot of one task and one model; nil when no run has a scored program.
func newFigure(name string, groups []*group, styles map[string]int, axis results.Axis) *Figure {
	label := groups[0].task
	f := &Figure{Name: name, Task: groups[0].Task, Title: label.Title, X: "evaluations", Y: "best training value: " + label.Unit}
	better, _ := direction(groups)
	f.Minimize = better < 0
	scale := 1.0
	switch axis {
	case results.ByTokens:
		var unit string
		scale, unit = tokenScale(groups)
		f.X = "tokens, prompt + completion (" + unit + ")"
	case results.ByCost:
		f.X = "USD"
	}
	for _, g := range groups {
		if points := g.BestSoFar(axis, scale); len(points) > 0 {
			f.Series = append(f.Series, Series{Label: g.curveTitle(), Style: styles[g.Method], Seeds: len(g.WithCurve()), Points: points})
			f.XMax = max(f.XMax, points[len(points)-1].X)
		}
	}
	if len(f.Series) == 0 {
		return nil
	}
	f.labelled(groups)
	cut := f.setRange()
	f.note(Remark, "Line: mean over seeds of the best so far. Band: smallest to largest seed. A finished run keeps its best value.")
	if cut {
		f.note(Remark, "The y axis is cut: earlier, worse values lie outside.")
	}
	if countGroups(groups, (*group).Learned) > 0 {
		f.note(Remark, "A curve in environment steps is of a policy that is trained, not of programs: an episode on every training seed counts as one evaluation.")
	}
	for _, g := range groups {
		if slices.ContainsFunc(g.Runs, func(r *results.Run) bool { return !r.Finished() }) {
			f.note(Seeds, g.title()+": a seed is unfinished; the curve ends where it does.")
		}
	}
	return f
}

// curveTitle is the row's name in a legend.
func (g *group) curveTitle() string {
	if g.Learned() {
		return g.title() + " (environment steps)"
	}
	return g.title()
}

func (f *Figure) note(kind NoteKind, text string) { f.Notes = append(f.Notes, Note{kind, text}) }

// labelled puts what must be seen into the title.
func (f *Figure) labelled(groups []*group) {
	if m := models(groups); len(m) == 1 && m[0] != "" {
		f.Title += ", " + modelTitle(m[0])
	}
	if countGroups(groups, (*group).Offline) > 0 {
		f.Title = strings.TrimSuffix(f.Title, ", offline") + " [offline model: not an LLM]"
		f.note(OfflineModel, offlineNote)
	}
	if countGroups(groups, (*group).Unsafe) > 0 {
		f.Title += " [unsafe sandbox]"
		f.note(UnsafeSandbox, unsafeNote)
	}
}

// settled is the share of the x axis after which everything is shown; ours: before it, the first
// few programs are so much worse that the rest of the curves would be flat lines.
const settled = 0.04

// setRange chooses the y range: from the best value to the worst that any mean has once the search
// has settled. It reports whether earlier values lie outside.
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
