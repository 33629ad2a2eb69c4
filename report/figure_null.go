package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
)

// nullFigures returns the figures of all tasks that have a pool.
func (o Options) nullFigures(s *results.Store) (out []*figure.Figure) {
	all := o.Labels.groups(s)
	for _, own := range byTask(all) {
		if f := o.nullFigure(own[0].task, own, looksOf(all, o.Labels)); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// nullFigure shows the distribution of each pool, with the seeds of the rows below it. It is nil if
// no row can be tested against a pool.
func (o Options) nullFigure(label task, groups []*group, looks looks) *figure.Figure {
	nulls, m, _ := o.nulls(label, groups)
	if len(nulls) == 0 {
		return nil
	}
	better, _ := label.direction(groups)
	var own []*group
	for _, n := range nulls {
		own = with(own, n.g)
	}
	f := titled("null-"+label.key, "Seeds against pools of control runs", own)
	f.Row("row", "control", "value", "share")
	for _, of := range gather(nulls, func(n null) *group { return n.pool }) {
		f.Panels = append(f.Panels, nullPanel(f, m, of, better, looks))
	}
	for _, g := range own {
		f.Legend = append(f.Legend, figure.Entry{Text: g.title(), Look: looks.of(g)})
	}
	f.Caption = "Line: share of the pool's runs that are no better. Dots: the pool's runs. " +
		"Marks: the seeds of each row. Better values are at the right."
	return f
}

// nullPanel draws one pool and the rows that are tested against it.
func nullPanel(f *figure.Figure, m measure, of []null, better int, looks looks) figure.Panel {
	pool, lane := of[0], 0.14
	runs := slices.Sorted(slices.Values(pool.Runs))
	low, high := runs[0], runs[len(runs)-1]
	points, last := []results.Point{}, 0.0
	for i, x := range runs {
		last = float64(i+1) / float64(len(runs))
		points = append(points, results.Point{X: x, Mean: last})
		f.Row(pool.pool.title(), pool.pool.title(), float64(better)*x, last)
	}
	for _, n := range of {
		low, high = min(low, slices.Min(n.Seeds)), max(high, slices.Max(n.Seeds))
	}
	margin := 0.03 * max(high-low, 1e-9)
	shapes := []plot.Plotter{figure.Thin(append(points, results.Point{X: high + margin, Mean: 1}))}
	for _, x := range points {
		shapes = append(shapes, figure.Dot(figure.LookOf(6), 1.4, x.X, x.Mean))
	}
	for i, n := range of {
		y := -lane * (float64(i) + 0.7)
		for _, x := range n.Seeds {
			shapes = append(shapes, figure.Dot(looks.of(n.g), 2.2, x, y))
			f.Row(n.g.title(), n.pool.title(), float64(better)*x, math.NaN())
		}
	}
	x := figure.Span(m.title+", control: "+pool.pool.title(), low-margin, high+margin)
	// Better values are at the right, so the axis has negated values if smaller values are better.
	// Its labels show the values without this change.
	x.Ticks = figure.Ticks(x.Min, x.Max, better)
	y := figure.Span("share of the pool", -lane*(float64(len(of))+0.3), 1.02)
	for _, share := range []float64{0, 0.5, 1} {
		y.Ticks = append(y.Ticks, plot.Tick{Value: share, Label: fmt.Sprint(share)})
	}
	return figure.Panel{X: x, Y: y, Shapes: shapes,
		Height: curveHeight + vg.Length(len(of))*0.1*vg.Inch}
}
