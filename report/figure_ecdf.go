package report

import (
	"fmt"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// ecdf shows the share of reached targets over the evaluations. It is nil for a task without a
// scale.
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
