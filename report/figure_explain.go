package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// explainedParts is the largest number of parts in the panel of a program.
const explainedParts = 12

// effects shows the effects of parts in the best programs of a method's runs, a panel for each
// program; nil if no program was explained. explainTable names the files that cannot be read.
func effects(name string, g *group, looks looks) *figure.Figure {
	f := titled("explain-"+name, "Parts of the best programs of "+g.title(), []*group{g})
	f.Row("seed", "line", "part", "split", "effect", "low", "high", "p(Holm)")
	cut := false
	for _, r := range g.Finished() {
		e, err := explain.Read(r.Dir, r.Digest)
		if e == nil || err != nil {
			continue
		}
		var shown []int
		for i, way := range e.Ways {
			if way >= 0 {
				shown = append(shown, i)
			}
		}
		size := func(part int) float64 { x, _ := e.Shown(part); return math.Abs(x.Mean) }
		slices.SortStableFunc(shown, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
		cut = cut || len(shown) > explainedParts
		shown = shown[:min(len(shown), explainedParts)]
		slices.Sort(shown)
		d := figure.DotPlot{Label: fmt.Sprintf("seed %d: score that the part adds", r.Header.Seed)}
		for _, i := range shown {
			x, split := e.Shown(i)
			part := e.Plan.Parts.Parts[i]
			v := figure.DotValue{Look: looks.of(g), Mean: x.Mean, Low: x.Low, High: x.High}
			if math.IsNaN(x.Low) {
				v.Low, v.High = x.Mean, x.Mean
			}
			if !x.Significant() {
				v.Look.Color = figure.Pale
			}
			label := []rune(fmt.Sprintf("%d %s", part.Line, render.OneLine(part.Text)))
			if len(label) > 26 {
				label = append(label[:25], '…')
			}
			d.Rows = append(d.Rows, figure.DotRow{
				Label: string(label), Values: []figure.DotValue{v},
			})
			d.Low, d.High = min(d.Low, v.Low), max(d.High, v.High)
			f.Row(r.Header.Seed, part.Line, part.Text, split, x.Mean, x.Low, x.High, x.Holm)
		}
		if len(shown) == 0 {
			continue
		}
		pad := cmp.Or(0.05*(d.High-d.Low), 1)
		d.Low, d.High = d.Low-pad, d.High+pad
		p := d.Panel()
		p.Shapes = slices.Insert(p.Shapes, 0,
			figure.Segment(0, p.Y.Min, 0, p.Y.Max, figure.Dark, 0.6, 2, 2))
		f.Panels = append(f.Panels, p)
	}
	if len(f.Panels) == 0 {
		return nil
	}
	f.Caption = "Effects of parts, each with its line in the program and a 95 % interval. " +
		"Pale: no significant effect."
	if cut {
		f.Caption += fmt.Sprintf(" Only the %d parts with the largest effects are shown.",
			explainedParts)
	}
	return f
}
