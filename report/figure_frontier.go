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

// frontierFigure shows for each row the expected best value of n seeds with T evaluations each; nil
// if no row has enough seeds.
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
	f.Caption = fmt.Sprintf("Expected best value of the seeds: darker is better, from %s to "+
		"%s. Dashed: equal total evaluations.", render.Fixed(sign*low, digits),
		render.Fixed(sign*high, digits))
	return f
}

// labelLetters is the number of letters that fit next to a panel.
const labelLetters = 18

// panel returns the surface of one row; shade is 0 for the worst value and 1 for the best.
func (r frontierRow) panel(shade func(value float64) float64) figure.Panel {
	at := func(evaluations int) float64 { return math.Log10(float64(evaluations)) }
	first, last := at(r.Grid[0]), at(r.Grid[len(r.Grid)-1])
	const edge = 0.15 // half of the way to twice as many evaluations
	p := figure.Panel{
		X: figure.Span("evaluations of a seed", first-edge, last+edge),
		Y: figure.Span(render.Wrap(r.g.title(), labelLetters, "")+"seeds", 0.5,
			float64(r.Most())+0.5), Height: 1.3 * vg.Inch,
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
