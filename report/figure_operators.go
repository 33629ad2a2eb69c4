package report

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// courseWindows is the number of windows in which evaluations are counted. More windows would leave
// too few proposals in each for a share.
const courseWindows = 10

// fewest is the number of comparisons or replies that a window needs to show a share; with fewer, a
// share is noise.
const fewest = 5

// operators shows the success of one method's operators over the search. It is nil without
// proposals.
func operators(name string, g *group) *figure.Figure {
	longest := 0
	for _, r := range g.Runs {
		longest = max(longest, r.Evaluations)
	}
	width := max(1, (longest+courseWindows-1)/courseWindows)
	courses := g.OperatorCourses(width)
	if len(courses) == 0 {
		return nil
	}
	f := titled("operators-"+name, "Operators of "+g.method.Title, []*group{g})
	f.Main = slices.ContainsFunc(g.Runs, func(r *results.Run) bool { return len(r.EAPs) > 0 })
	f.Row("operator", "from", "to", "compared", "improved", "replies", "refused")
	var success, structural []figure.Series
	add := func(to *[]figure.Series, i int, of func(results.Window) (n, all int)) {
		s := figure.Series{Label: render.OneLine(courses[i].Operator), Look: figure.LookOf(i)}
		for _, w := range courses[i].Windows {
			if n, all := of(w); all >= fewest {
				v := 100 * float64(n) / float64(all)
				middle := float64(w.From+w.To) / 2
				s.Points = append(s.Points, results.Point{X: middle, Mean: v, Low: v, High: v})
			}
		}
		if len(s.Points) > 0 {
			*to = append(*to, s)
		}
	}
	for i, c := range courses {
		for _, w := range c.Windows {
			f.Row(c.Operator, w.From, w.To, w.Compared, w.Improved, w.Replies, w.Refused)
		}
		add(&success, i, func(w results.Window) (int, int) { return w.Improved, w.Compared })
		add(&structural, i, func(w results.Window) (int, int) { return w.Refused, w.Replies })
	}
	x := figure.Span("", 0, float64(longest))
	if len(success) > 0 {
		f.Lines(success, figure.Panel{
			X: x, Y: figure.Span("beat the\nparent (%)", 0, topOf(success)), Height: 1.25 * vg.Inch,
		}, false, "")
	}
	x.Label = "evaluations"
	f.Lines(structural, figure.Panel{
		X: x, Y: figure.Span("structural\nfailures (%)", 0, topOf(structural)),
		Height: 1.35 * vg.Inch,
	}, false, "")
	place := func(e figure.Entry) int {
		return slices.IndexFunc(courses, func(c results.OperatorCourse) bool {
			return render.OneLine(c.Operator) == e.Text
		})
	}
	slices.SortStableFunc(f.Legend, func(a, b figure.Entry) int { return place(a) - place(b) })
	f.Caption = fmt.Sprintf("Windows of %s, pooled over %s. ",
		count(width, "evaluation"), count(len(g.Runs), "seed"))
	if len(success) > 0 {
		f.Caption += "Top: programs that beat their first parent. Bottom: " +
			"replies without a program that keeps the operator's contract."
	} else {
		f.Caption += "Replies without a program that keeps the operator's contract."
	}
	return f
}

// topOf returns the end of an axis of percentages.
func topOf(all []figure.Series) float64 {
	top := 1.0
	for _, s := range all {
		for _, p := range s.Points {
			top = max(top, p.Mean)
		}
	}
	return min(105, 1.1*top)
}
