package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
)

// runtime shows the evaluations that each row took to reach the values of random sampling after 1,
// 3, 10, … evaluations; nil if too few targets were reached often enough.
func runtime(suffix string, groups []*group, looks looks) *figure.Figure {
	groups = raced(groups)
	targets := runLengths(groups)
	if len(targets) == 0 {
		return nil
	}
	better, _ := groups[0].task.direction(groups)
	f := titled("runtime-"+suffix, "Evaluations to the values of random sampling", groups)
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
	f.Caption = fmt.Sprintf("Mean evaluations until a row reaches the mean value of random "+
		"sampling; no mark with fewer than %d successes.", results.FewSuccesses)
	return f
}
