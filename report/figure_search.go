package report

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// searchFigures look into the searches of one task and one model: failures and diversity of all
// methods, operators of each, and the EAPs of those that have them.
func searchFigures(suffix string, groups []*group, looks looks) []*figure.Figure {
	out := []*figure.Figure{failures(suffix, groups, looks), diversity(suffix, groups, looks)}
	for _, g := range groups {
		name := suffix + "-" + render.FileName(g.Method)
		out = append(out, operators(name, g), posteriors(name, g), genealogy(name, g))
	}
	return out
}

// failures shows how the programs of each method fail; nil when none does.
func failures(suffix string, groups []*group, looks looks) *figure.Figure {
	groups = where(groups, func(g *group) bool {
		return slices.ContainsFunc(g.Runs, func(r *results.Run) bool { return tried(r) > 0 })
	})
	counts := map[record.FaultKind]int{}
	for _, r := range runsOf(groups) {
		for kind, n := range r.Faults {
			counts[kind] += n
		}
	}
	if len(counts) == 0 {
		return nil
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b record.FaultKind) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	f := titled("failures-"+suffix, "Failures", groups)
	f.Main = true
	f.Row("row", "kind", "seeds", "percent", "lowest", "highest")
	d := figure.DotPlot{Label: "programs that fail (%)"}
	seeds := []int{}
	for _, kind := range kinds {
		r := figure.DotRow{Label: render.OneLine(string(kind))}
		for _, g := range groups {
			var values []float64
			for _, run := range g.Runs {
				if n := tried(run); n > 0 {
					values = append(values, 100*float64(run.Faults[kind])/float64(n))
				}
			}
			seeds = append(seeds, len(values))
			v := figure.DotValue{Look: looks.of(g),
				Mean: record.Mean(values), Low: slices.Min(values), High: slices.Max(values)}
			f.Row(g.title(), string(kind), len(values), v.Mean, v.Low, v.High)
			r.Values = append(r.Values, v)
		}
		d.Rows = append(d.Rows, r)
	}
	for _, g := range groups {
		f.Legend = append(f.Legend, figure.Entry{Text: g.title(), Look: looks.of(g)})
	}
	f.Panels = []figure.Panel{d.Panel()}
	f.Caption = "Shares of all programs. " + spreadText("Marks", "lines", seeds)
	return f
}

// tried counts the programs of a run: the charged ones, and those that Python refused.
func tried(r *results.Run) int {
	if r.Learned() {
		return 0
	}
	return r.Evaluations + r.Faults[record.Syntax]
}

// diversity is how far apart the possible parents of each method are; nil for methods that
// note none.
func diversity(suffix string, groups []*group, looks looks) *figure.Figure {
	all, of, end := looks.curves(groups, (*group).Diversity)
	if len(all) == 0 {
		return nil
	}
	f := titled("diversity-"+suffix, "Diversity of parents", of)
	f.Main = true
	f.Rows("evaluations", all)
	most := 0.01
	for _, s := range all {
		for _, p := range s.Points {
			most = max(most, p.High)
		}
	}
	f.Lines(all, figure.Panel{
		X: figure.Span("evaluations", 0, end), Height: curveHeight,
		Y: figure.Span("mean distance of two parents", 0, 1.05*most),
	}, true, bandText(seedsOf(all)))
	f.Caption = "Mean distance of two possible parents: 0 for equal text, 1 for no pair of " +
		"neighbouring tokens in common. " + spreadText("Lines", "bands", seedsOf(all))
	noteUnfinished(f, of)
	return f
}

// courseWindows is the number of windows of evaluations that operators are counted in, our choice:
// with fewer proposals in each, shares say little.
const courseWindows = 10

// fewest proposals in a window are shown as a share; our choice.
const fewest = 5

// operators shows how the operators of one method fare over the search; nil without proposals.
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

// topOf is the end of a percentage's axis.
func topOf(all []figure.Series) float64 {
	top := 1.0
	for _, s := range all {
		for _, p := range s.Points {
			top = max(top, p.Mean)
		}
	}
	return min(105, 1.1*top)
}

// shownEAPs is the number of EAPs with a line of their own, our choice: more cannot be told
// apart.
const shownEAPs = 6

// posteriors shows how beliefs in the EAPs of a method's best run moved; nil without trials.
func posteriors(name string, g *group) *figure.Figure {
	r := teller(g)
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
	title := fmt.Sprintf("Beliefs of %s in its EAPs, seed %d,", g.method.Title, r.Header.Seed)
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
			Text: fmt.Sprintf("%d others", len(order)-shownEAPs),
			Look: figure.Look{Color: figure.Pale}, Line: true,
		})
	}
	p.Shapes = append(p.Shapes, lines...)
	f.Panels = []figure.Panel{p}
	f.Caption = "Posterior mean of each EAP's success rate in the best run, from its admission. " +
		"Coloured: the EAPs with the most trials."
	return f
}

// teller is the run whose EAPs are shown: the winner, or the first that has any; nil when none has.
func teller(g *group) *results.Run {
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

// eapTitle names an EAP and its origin, the name by so many letters.
func eapTitle(e results.EAP, most int) string {
	name := render.OneLine(e.Name)
	if r := []rune(name); len(r) > most {
		name = string(r[:most-1]) + "…"
	}
	return fmt.Sprintf("%s (%s)", name, e.Origin)
}

const (
	lanes     = 5 // EAPs that a genealogy shows
	laneRows  = 6 // programs of a lane at one time
	barHeight = 5 // in points
	laneHead  = 10
	laneGap   = 3
)

var (
	admitted = figure.Look{Color: figure.LookOf(4).Color, Glyph: figure.Diamond}
	best     = figure.Look{Color: figure.Ink, Glyph: draw.RingGlyph{}}
	leaves   = figure.Look{Color: figure.Ink, Glyph: draw.CrossGlyph{}}
)

// genealogy shows which EAPs travelled through which programs and outlived their source; nil for
// methods without EAPs.
func genealogy(name string, g *group) *figure.Figure {
	r := teller(g)
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
	slices.SortStableFunc(stories, func(a, b results.Story) int { // that outlived a source: first
		return cmp.Or(sourced(b)-sourced(a), cmp.Compare(b.After, a.After),
			cmp.Compare(len(b.Callers), len(a.Callers)))
	})
	stories = stories[:min(lanes, len(stories))]
	n := slices.IndexFunc(stories, func(s results.Story) bool { return s.Source == nil })
	if n >= 2 {
		stories = stories[:n+1] // one without a source is enough among others
	}
	slices.SortStableFunc(stories, func(a, b results.Story) int {
		return cmp.Compare(a.EAP.Birth, b.EAP.Birth)
	})

	title := fmt.Sprintf("Ways of %s's EAPs, seed %d,", g.method.Title, r.Header.Seed)
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
	f.Caption = "A bar is the stay of a program in the population of the best run."
	if extracted > 0 {
		f.Caption += fmt.Sprintf(" EAPs extracted from one of its programs: %d, of these called "+
			"by programs that entered after that one had left: %d.",
			extracted, outlived)
	}
	return f
}

// sourced is 1 for an EAP that was extracted from a program of the population.
func sourced(s results.Story) int {
	if s.Source == nil {
		return 0
	}
	return 1
}

// operatorLook is how operators draws an operator that the method's label names, without dashes.
func (g *group) operatorLook(op string) figure.Look {
	i := slices.Index(g.method.Operators, op)
	if i < 0 {
		return figure.Look{Color: figure.Pale, Glyph: draw.CircleGlyph{}}
	}
	l := figure.LookOf(i)
	l.Dashes = nil
	return l
}

// pack lays stays out in as few rows as possible, first come first served, and counts those for
// which there is no room.
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

// ablations compare the variants of every method on one task; nil where there is one only.
func ablations(suffix string, groups []*group, looks looks) []*figure.Figure {
	var out []*figure.Figure
	finished := where(groups, func(g *group) bool { return len(g.Finished()) > 0 })
	for _, rows := range gather(finished, func(g *group) string { return g.Method }) {
		if len(rows) < 2 || !slices.ContainsFunc(rows, func(g *group) bool { return !g.main() }) {
			continue
		}
		better, _ := rows[0].task.direction(rows)
		title := "Ablation of " + rows[0].method.Title
		f := titled("ablation-"+suffix+"-"+render.FileName(rows[0].Method), title, rows)
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
			"lines: ± sample standard deviation; rings: seeds; dashed: all parts in place.",
			goal(better))
		out = append(out, f)
	}
	return out
}
