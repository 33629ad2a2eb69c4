package report

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

const (
	lanes     = 5 // largest number of EAPs in a genealogy
	laneRows  = 6 // largest number of programs that a lane shows at the same time
	barHeight = 5 // in points
	laneHead  = 10
	laneGap   = 3
)

var (
	admitted = figure.Look{Color: figure.LookOf(4).Color, Glyph: figure.Diamond}
	best     = figure.Look{Color: figure.Ink, Glyph: draw.RingGlyph{}}
	leaves   = figure.Look{Color: figure.Ink, Glyph: draw.CrossGlyph{}}
)

// genealogy shows which programs called which EAPs, even after an EAP's source has left the
// population. It is nil for methods without EAPs.
func genealogy(name string, g *group) *figure.Figure {
	r := shownRun(g)
	if r == nil || len(r.Members) == 0 {
		return nil
	}
	stories := r.Stories()
	extracted, outlived := 0, 0
	for _, s := range stories {
		extracted += sourced(s)
		outlived += min(1, s.After)
	}
	stories = slices.DeleteFunc(stories, func(s results.Story) bool { return len(s.Callers) == 0 })
	if len(stories) == 0 {
		return nil
	}
	// EAPs with a source come first, ordered by the number of callers after the source had left.
	slices.SortStableFunc(stories, func(a, b results.Story) int {
		return cmp.Or(sourced(b)-sourced(a), cmp.Compare(b.After, a.After),
			cmp.Compare(len(b.Callers), len(a.Callers)))
	})
	stories = stories[:min(lanes, len(stories))]
	n := slices.IndexFunc(stories, func(s results.Story) bool { return s.Source == nil })
	if n >= 2 {
		stories = stories[:n+1] // at most one EAP without a source
	}
	slices.SortStableFunc(stories, func(a, b results.Story) int {
		return cmp.Compare(a.EAP.Birth, b.EAP.Birth)
	})

	title := fmt.Sprintf("Survival of %s's EAPs, seed %d,", g.method.Title, r.Header.Seed)
	f := titled("genealogy-"+name, title, []*group{g})
	f.Main = true
	f.Row("eap", "name", "origin", "admitted",
		"program", "operator", "role", "entered", "left", "value")
	end := float64(r.Evaluations)
	until := func(m results.Member) float64 {
		if m.Left == 0 {
			return end
		}
		return float64(m.Left)
	}
	p := figure.Panel{X: figure.Span("evaluations", 0, end), Y: figure.Axis{Bare: true}, Left: 3}
	add := func(shapes ...plot.Plotter) { p.Shapes = append(p.Shapes, shapes...) }
	bar := func(m results.Member, y float64, c color.Color, width float64) {
		add(figure.Segment(float64(m.Entered), y, until(m), y, c, width))
	}
	mark := func(x, y float64, l figure.Look, radius float64) {
		add(figure.Dots(l, radius, plotter.XY{X: x, Y: y}))
	}
	data := func(s results.Story, m results.Member, role string) {
		f.Row(s.EAP.ID, s.EAP.Name, s.EAP.Origin, s.EAP.Birth, m.Evaluation, m.Operator,
			role, m.Entered, m.Left, m.Value)
	}
	made := map[string]bool{}
	sources, y := false, 0.0
	for _, s := range stories {
		rows, left := pack(s.Callers, until)
		bottom := y - laneHead - barHeight*float64(len(rows)+sourced(s))
		head := eapTitle(s.EAP, 36)
		if left > 0 {
			head += fmt.Sprintf(", %d more callers", left)
		}
		add(figure.Segment(0, y, end, y, figure.Grid, 0.4),
			figure.Writing(0.01*end, y-laneHead/2, head))
		y -= laneHead
		if m := s.Source; m != nil {
			sources = true
			data(s, *m, "source")
			at := y - barHeight/2
			bar(*m, at, figure.Dark, 3)
			if m.Left > 0 {
				add(figure.Segment(until(*m), y, until(*m), bottom, figure.Dark, 0.5, 1.5, 1.5))
				mark(until(*m), at, leaves, 2.6)
			}
			mark(float64(s.EAP.Birth), at, admitted, 2.6)
			y -= barHeight
		}
		for _, m := range s.Callers {
			made[m.Operator] = true
			data(s, m, "caller")
		}
		for _, row := range rows {
			at := y - barHeight/2
			for _, m := range row {
				l := g.operatorLook(m.Operator)
				bar(m, at, l.Color, 1.6)
				mark(float64(m.Entered), at, l, 1.7)
				if r.Best != nil && m.Evaluation == r.Best.Evaluation {
					mark(float64(m.Entered), at, best, 3)
				}
			}
			y -= barHeight
		}
		y -= laneGap
	}
	p.Y.Min, p.Y.Max = y, 0
	p.Height = vg.Points(-y) + figure.AxisRoom
	f.Panels = []figure.Panel{p}
	if sources {
		f.Legend = append(f.Legend,
			figure.Entry{
				Text: "source of the EAP", Look: figure.Look{Color: figure.Dark}, Line: true,
			},
			figure.Entry{Text: "leaves", Look: leaves},
			figure.Entry{Text: "EAP admitted", Look: admitted})
	}
	f.Legend = append(f.Legend, figure.Entry{Text: "programs that call it, by"})
	for _, op := range slices.Sorted(maps.Keys(made)) {
		f.Legend = append(f.Legend,
			figure.Entry{Text: render.OneLine(op), Look: g.operatorLook(op), Line: true})
	}
	f.Legend = append(f.Legend, figure.Entry{Text: "best program", Look: best})
	f.Caption = "A bar is the stay of a program in the population of " + whichRun(g, r) + "."
	if extracted > 0 {
		f.Caption += fmt.Sprintf(" EAPs extracted from one of its programs: %d; of these, still "+
			"called by programs that entered after this source had left: %d.",
			extracted, outlived)
	}
	return f
}

// sourced returns 1 for an EAP that was extracted from a program of the population, otherwise 0.
func sourced(s results.Story) int {
	if s.Source == nil {
		return 0
	}
	return 1
}

// operatorLook returns the look of an operator, as in the figure of operators but without dashes.
// An operator that the method's label does not name is pale.
func (g *group) operatorLook(op string) figure.Look {
	i := slices.Index(g.method.Operators, op)
	if i < 0 {
		return figure.Look{Color: figure.Pale, Glyph: draw.CircleGlyph{}}
	}
	l := figure.LookOf(i)
	l.Dashes = nil
	return l
}

// pack puts stays into as few rows as possible, in order of arrival, and counts the stays for which
// there is no room.
func pack(
	members []results.Member, until func(results.Member) float64,
) (rows [][]results.Member, left int) {
	for _, m := range members {
		i := slices.IndexFunc(rows, func(row []results.Member) bool {
			return until(row[len(row)-1]) <= float64(m.Entered)
		})
		switch {
		case i >= 0:
			rows[i] = append(rows[i], m)
		case len(rows) < laneRows:
			rows = append(rows, []results.Member{m})
		default:
			left++
		}
	}
	return rows, left
}
