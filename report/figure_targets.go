package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// ecdf is the share of targets reached over the evaluations; nil for a task without a scale.
func ecdf(suffix string, groups []*group, looks looks) *figure.Figure {
	groups = raced(groups)
	if len(groups) == 0 {
		return nil
	}
	scale, ok := scaleOf(groups[0].task)
	if !ok {
		return nil
	}
	all, _, end := looks.curves(groups, func(g *group) ([]results.Point, int) {
		return g.ECDF(scale)
	})
	f := titled("ecdf-"+suffix, "Share of targets reached", groups)
	f.Rows("evaluations", all)
	f.Lines(all, figure.Panel{
		X: figure.Span("evaluations", 0, max(end, 1)), Y: figure.Span("share of targets", 0, 1),
		Height: curveHeight,
	}, true, bandText(seedsOf(all)))
	f.Caption = fmt.Sprintf("%d targets between %s and %s. %s", results.Targets,
		render.Fixed(scale.Worst, groups[0].task.Digits),
		render.Fixed(scale.Best, groups[0].task.Digits), spreadText("Lines", "bands", seedsOf(all)))
	return f
}

// runtime is how long the rows took to reach what random sampling has after so many evaluations;
// nil where too few targets were reached often enough.
func runtime(suffix string, groups []*group, looks looks) *figure.Figure {
	groups = raced(groups)
	targets := runLengths(groups)
	if len(targets) == 0 {
		return nil
	}
	better, _ := groups[0].task.direction(groups)
	f := titled("runtime-"+suffix, "Evaluations to what random sampling has", groups)
	f.Row("row", "target", "value", "mean", "successes", "runs")
	var all []figure.Series
	most, drawn := 0.0, 0
	for _, g := range groups {
		s := figure.Series{Label: g.title(), Look: looks.of(g)}
		for _, t := range targets {
			reached := g.Runtime(t.Value, better)
			mean, ok := reached.Mean()
			if !ok {
				mean = math.NaN()
			} else {
				y := math.Log10(mean)
				most = max(most, y)
				s.Points = append(s.Points, results.Point{X: math.Log10(float64(t.Evaluations)),
					Mean: y, Low: y, High: y})
			}
			f.Row(g.title(), t.Evaluations, t.Value, mean, reached.Successes, reached.Runs)
		}
		if drawn = max(drawn, len(s.Points)); len(s.Points) > 0 {
			all = append(all, s)
		}
	}
	if drawn < 2 {
		return nil
	}
	last := math.Log10(float64(targets[len(targets)-1].Evaluations))
	x, y := figure.Span("evaluations of random sampling", 0, last),
		figure.Span("mean evaluations", 0, math.Ceil(most))
	for _, t := range targets {
		at := math.Log10(float64(t.Evaluations))
		x.Ticks = append(x.Ticks, plot.Tick{Value: at, Label: fmt.Sprint(t.Evaluations)})
	}
	for e := range int(y.Max) + 1 {
		y.Ticks = append(y.Ticks,
			plot.Tick{Value: float64(e), Label: fmt.Sprint(math.Pow(10, float64(e)))})
	}
	f.Lines(all, figure.Panel{X: x, Y: y, Height: curveHeight}, false, "")
	f.Caption = fmt.Sprintf("Mean evaluations until a row has what random sampling has on "+
		"average; no mark with fewer than %d successes.", results.FewSuccesses)
	return f
}

// frontierFigure shows for each row the expected best of n seeds of T evaluations each; nil where
// no row has seeds enough.
func frontierFigure(suffix string, groups []*group, fewest int) *figure.Figure {
	rows, sign, _ := frontiers(groups, fewest)
	if len(rows) == 0 {
		return nil
	}
	var drawn []*group
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		drawn = append(drawn, r.g)
		for _, c := range r.Cells(math.MaxInt) {
			low, high = min(low, r.Value(c)), max(high, r.Value(c))
		}
	}
	f := titled("frontier-"+suffix, "Seeds against evaluations", drawn)
	f.Row("row", "seeds", "evaluations", "value", "low", "high")
	for _, r := range rows {
		cells := r.Cells(math.MaxInt)
		for i, in := range r.Intervals(cells) {
			ends := []float64{sign * in.Low, sign * in.High}
			f.Row(r.g.title(), cells[i].Seeds, cells[i].Evaluations, sign*r.Value(cells[i]),
				min(ends[0], ends[1]), max(ends[0], ends[1]))
		}
		f.Panels = append(f.Panels, r.panel(func(value float64) float64 {
			return (value - low) / max(high-low, 1e-12)
		}))
	}
	digits := groups[0].task.Digits
	f.Caption = fmt.Sprintf("Expected best of so many seeds: the darker, the better, from %s to "+
		"%s. Dashed: equal evaluations in all.", render.Fixed(sign*low, digits),
		render.Fixed(sign*high, digits))
	return f
}

// panel is the surface of one row; shade is 0 for the worst value and 1 for the best.
func (r frontierRow) panel(shade func(value float64) float64) figure.Panel {
	at := func(evaluations int) float64 { return math.Log10(float64(evaluations)) }
	first, last := at(r.Grid[0]), at(r.Grid[len(r.Grid)-1])
	const edge = 0.15 // half of the way to twice as many evaluations
	p := figure.Panel{
		X: figure.Span("evaluations of a seed", first-edge, last+edge),
		Y: figure.Span(r.g.title()+"\nseeds", 0.5, float64(r.Most())+0.5), Height: 1.3 * vg.Inch,
	}
	for i, t := range r.Grid {
		p.X.Ticks = append(p.X.Ticks, plot.Tick{Value: at(t), Label: fmt.Sprint(t)})
		from, to := first-edge, last+edge
		if i > 0 {
			from = (at(r.Grid[i-1]) + at(t)) / 2
		}
		if i+1 < len(r.Grid) {
			to = (at(r.Grid[i+1]) + at(t)) / 2
		}
		for n := 1; n <= r.Most(); n++ {
			y := float64(n)
			p.Shapes = append(p.Shapes, figure.Box(from, y-0.5, to, y+0.5,
				figure.Shade(shade(r.Value(results.Cell{Seeds: n, Evaluations: t})))))
		}
	}
	for n := 1; n <= r.Most(); n++ {
		p.Y.Ticks = append(p.Y.Ticks, plot.Tick{Value: float64(n), Label: fmt.Sprint(n)})
	}
	for _, total := range r.totals() {
		const steps = 24
		for i := range steps {
			x := func(i int) float64 { return p.X.Min + (p.X.Max-p.X.Min)*float64(i)/steps }
			y := func(i int) float64 { return float64(total) / math.Pow(10, x(i)) }
			if y(i) < p.Y.Max && y(i+1) > p.Y.Min {
				p.Shapes = append(p.Shapes, figure.Segment(x(i), min(y(i), p.Y.Max), x(i+1),
					max(y(i+1), p.Y.Min), figure.Ink, 0.5, 2, 2))
			}
		}
	}
	return p
}
