package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// ablations returns a figure for each method with a variant and at least two finished rows on the
// task.
func ablations(suffix string, groups []*group, looks looks) []*figure.Figure {
	var out []*figure.Figure
	finished := where(groups, func(g *group) bool { return len(g.Finished()) > 0 })
	world := func(g *group) string { return g.Method + "\x00" + g.world }
	for _, rows := range gather(finished, world) {
		if len(rows) < 2 || !slices.ContainsFunc(rows, func(g *group) bool { return !g.main() }) {
			continue
		}
		better, _ := rows[0].task.direction(rows)
		title, name := "Ablation of "+rows[0].method.Title, rows[0].Method
		if world := rows[0].world; world != "" {
			title, name = title+" ("+render.OneLine(world)+")", name+" "+world
		}
		f := titled("ablation-"+suffix+"-"+render.FileName(name), title, rows)
		f.Main = true
		f.Row("row", "seed", "value", "mean", "sd")
		own := looks.of(rows[0])
		d := figure.DotPlot{Label: rows[0].task.Unit + ", best of a run",
			Low: math.Inf(1), High: math.Inf(-1)}
		var full float64
		for _, g := range rows {
			s := g.Over((*results.Run).Train)
			v := figure.DotValue{Look: own, Mean: s.Mean, Low: s.Mean, High: s.Mean}
			if s.N > 1 {
				v.Low, v.High = s.Mean-s.SD, s.Mean+s.SD
			}
			label := g.variant.Title
			if g.Variant == "" {
				label, full = g.method.Title, s.Mean
			} else {
				v.Look.Color = figure.Dark
			}
			for _, r := range g.Finished() {
				value, _ := r.Train()
				v.Seeds = append(v.Seeds, value)
				f.Row(g.Row(), r.Header.Seed, value, s.Mean, s.SD)
				d.Low, d.High = min(d.Low, value), max(d.High, value)
			}
			d.Low, d.High = min(d.Low, v.Low), max(d.High, v.High)
			d.Rows = append(d.Rows, figure.DotRow{Label: label, Values: []figure.DotValue{v}})
		}
		pad := cmp.Or(0.06*(d.High-d.Low), 0.01*math.Abs(d.High), 1)
		d.Low, d.High = d.Low-pad, d.High+pad
		p := d.Panel()
		if rows[0].Variant == "" {
			p.Shapes = slices.Insert(p.Shapes, 0,
				figure.Segment(full, -1e6, full, 1e6, own.Color, 0.6, 2, 2))
		}
		f.Panels = []figure.Panel{p}
		f.Legend = []figure.Entry{
			{Text: "mean", Look: figure.Look{Color: figure.Dark, Glyph: own.Glyph}},
			{Text: "± standard deviation", Look: figure.Look{Color: figure.Dark}, Line: true},
			{Text: "seed", Look: figure.Look{Color: figure.Dark, Glyph: draw.RingGlyph{}}},
		}
		f.Caption = fmt.Sprintf("Best training value (%s). Filled: mean over seeds; "+
			"lines: ± sample standard deviation; rings: seeds; dashed: mean of the whole method.",
			goal(better))
		out = append(out, f)
	}
	return out
}
