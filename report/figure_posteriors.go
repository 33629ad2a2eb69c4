package report

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// shownEAPs is the number of EAPs with a line of their own; a reader cannot distinguish more lines.
const shownEAPs = 6

// posteriors shows the posterior means of EAPs over a method's best run. It is nil without trials.
func posteriors(name string, g *group) *figure.Figure {
	r := shownRun(g)
	if r == nil {
		return nil
	}
	order := slices.Clone(r.EAPs)
	slices.SortStableFunc(order, func(a, b results.EAP) int {
		return cmp.Compare(b.Trials, a.Trials)
	})
	if order[0].Trials == 0 {
		return nil
	}
	title := fmt.Sprintf("Posterior means of %s's EAPs, seed %d,", g.method.Title, r.Header.Seed)
	f := titled("posteriors-"+name, title, []*group{g})
	f.Main = true
	f.Row("eap", "name", "evaluations", "alpha", "beta", "mean")
	p := figure.Panel{X: figure.Span("evaluations", 0, float64(r.Evaluations)),
		Y: figure.Span("posterior mean", 0, 1), Height: 1.75 * vg.Inch}
	var lines []plot.Plotter
	for i, e := range order {
		f.Row(e.ID, e.Name, e.Birth, 1, 1, 0.5)
		points := []results.Point{{X: float64(e.Birth), Mean: 0.5}}
		for _, b := range e.Beliefs {
			f.Row(e.ID, e.Name, b.At, b.Alpha, b.Beta, b.Mean())
			points = append(points, results.Point{X: float64(b.At), Mean: b.Mean()})
		}
		points = append(points,
			results.Point{X: float64(r.Evaluations), Mean: points[len(points)-1].Mean})
		if i >= shownEAPs {
			p.Shapes = append(p.Shapes, figure.Thin(points))
			continue
		}
		l := figure.LookOf(i)
		lines = append(figure.Curve(points, l, i, shownEAPs, float64(r.Evaluations)), lines...)
		f.Legend = append(f.Legend, figure.Entry{Text: eapTitle(e, 34), Look: l, Line: true})
	}
	if len(order) > shownEAPs {
		f.Legend = append(f.Legend, figure.Entry{
			Text: fmt.Sprintf("%d other EAPs", len(order)-shownEAPs),
			Look: figure.Look{Color: figure.Pale}, Line: true,
		})
	}
	p.Shapes = append(p.Shapes, lines...)
	f.Panels = []figure.Panel{p}
	f.Caption = "Posterior mean of each EAP's success rate in " + whichRun(g, r) +
		", from its admission. " +
		"Coloured: the EAPs with the most trials."
	return f
}

// shownRun returns the run whose EAPs are shown: the winner if it has EAPs, or the first run with
// EAPs, or nil.
func shownRun(g *group) *results.Run {
	if w := g.Winner(); w != nil && len(w.EAPs) > 0 {
		return w
	}
	for _, r := range g.Runs {
		if len(r.EAPs) > 0 {
			return r
		}
	}
	return nil
}

// whichRun describes the result of shownRun.
func whichRun(g *group, shown *results.Run) string {
	if shown == g.Winner() {
		return "the best run"
	}
	return "the first run with EAPs"
}

// eapTitle returns an EAP's name, cut to a number of letters, and its origin.
func eapTitle(e results.EAP, most int) string {
	name := render.OneLine(e.Name)
	if r := []rune(name); len(r) > most {
		name = string(r[:most-1]) + "…"
	}
	return fmt.Sprintf("%s (%s)", name, e.Origin)
}
