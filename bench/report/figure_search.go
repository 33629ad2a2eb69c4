package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/results"
)

// searchFigures look into the searches of one task and one model: failures and diversity of all
// methods, operators of each, and the EAPs of those that have them.
func searchFigures(suffix string, groups []*group, styles map[string]int) []*Figure {
	out := []*Figure{failures(suffix, groups, styles), diversityFigure(suffix, groups, styles)}
	for _, g := range groups {
		name := suffix + "-" + fileName(g.Method)
		out = append(out, operators(name, g), posteriors(name, g), genealogy(name, g))
	}
	return out
}

// failures shows how the programs of each method fail; nil when none does.
func failures(suffix string, groups []*group, styles map[string]int) *Figure {
	counts := map[record.FaultKind]int{}
	groups = where(groups, func(g *group) bool {
		return slices.ContainsFunc(g.Runs, func(r *results.Run) bool { return tried(r) > 0 })
	})
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
	f := titled("failures-"+suffix, "failures", groups)
	f.Main = true
	f.row("row", "kind", "seeds", "percent", "lowest", "highest")
	d := dotPlot{span: "programs that fail (%)", low: 0}
	seeds := []int{}
	for _, kind := range kinds {
		r := dotRow{label: oneLine(string(kind))}
		for _, g := range groups {
			var values []float64
			for _, run := range g.Runs {
				if n := tried(run); n > 0 {
					values = append(values, 100*float64(run.Faults[kind])/float64(n))
				}
			}
			seeds = append(seeds, len(values))
			v := dotValue{look: lookOf(styles[g.Method]), mean: record.Mean(values),
				low: slices.Min(values), high: slices.Max(values)}
			f.row(g.title(), string(kind), len(values), v.mean, v.low, v.high)
			r.values = append(r.values, v)
		}
		d.rows = append(d.rows, r)
	}
	for _, g := range groups {
		f.legend = append(f.legend, entry{text: g.title(), look: lookOf(styles[g.Method])})
	}
	f.panels = []panel{d.panel()}
	f.Caption = fmt.Sprintf("How programs fail on %s, as shares of all programs that were tried, "+
		"those included that Python refuses. %s",
		groups[0].task.Title, spreadText("Marks", "lines", seeds))
	return f
}

// tried counts the programs of a run: the charged ones, and those that Python refused.
func tried(r *results.Run) int {
	if r.Learned() {
		return 0
	}
	return r.Evaluations + r.Faults[record.Syntax]
}

// A dotPlot has a row for every label, with a mark and a line from low to high for every value.
type dotPlot struct {
	span      string // label of the x axis
	low, high float64
	rows      []dotRow
}

type dotRow struct {
	label  string
	values []dotValue
}

type dotValue struct {
	look            look
	mean, low, high float64
	seeds           []float64 // shown as small rings; nil for none
}

const (
	dotHeight = 6  // of a value, in points
	rowGap    = 5  // between rows
	axisRoom  = 28 // for the labels of the x axis
)

// panel lays the rows out from top to bottom; high is found where it is not given.
func (d dotPlot) panel() panel {
	high, y := d.high, 0.0
	p := panel{x: span(d.span, d.low, 0), y: axis{ticks: []plot.Tick{}}}
	for i, r := range d.rows {
		if i > 0 {
			y -= rowGap
		}
		p.y.ticks = append(p.y.ticks,
			plot.Tick{Value: y - dotHeight*float64(len(r.values))/2, Label: r.label})
		for _, v := range r.values {
			at := y - dotHeight/2
			p.shapes = append(p.shapes,
				segment{v.low, at, v.high, at, v.look.color, vg.Points(0.9), nil})
			var rings plotter.XYs
			for _, s := range v.seeds {
				rings = append(rings, plotter.XY{X: s, Y: at})
			}
			p.shapes = append(p.shapes,
				dots{rings, look{color: v.look.color, glyph: draw.RingGlyph{}}, vg.Points(1.6)},
				dots{plotter.XYs{{X: v.mean, Y: at}}, v.look, vg.Points(2.2)})
			if d.high == 0 {
				high = max(high, v.high)
			}
			y -= dotHeight
		}
	}
	if d.high == 0 {
		high *= 1.05
	}
	p.x.max = high
	p.y.min, p.y.max = y-rowGap/2, rowGap/2
	p.height = vg.Points(p.y.max-p.y.min) + axisRoom
	return p
}

// diversityFigure is how far apart the possible parents of each method are; nil for methods that
// note none.
func diversityFigure(suffix string, groups []*group, styles map[string]int) *Figure {
	var all []series
	var of []*group
	end := 0.0
	for _, g := range groups {
		if points := g.Diversity(); len(points) > 0 {
			all = append(all, series{g.title(), lookOf(styles[g.Method]), g.WithPools(), points})
			of = append(of, g)
			end = max(end, points[len(points)-1].X)
		}
	}
	if len(all) == 0 {
		return nil
	}
	f := titled("diversity-"+suffix, "diversity of parents", of)
	f.Main = true
	f.row("row", "seeds", "evaluations", "mean", "lowest", "highest")
	most := 0.0
	for _, s := range all {
		for _, p := range s.points {
			f.row(s.label, s.seeds, p.X, p.Mean, p.Low, p.High)
			most = max(most, p.High)
		}
	}
	f.lines(all, panel{
		x: span("evaluations", 0, end), height: curveHeight,
		y: span("mean distance of two parents", 0, 1.05*max(most, 0.01)),
	}, true)
	f.Caption = fmt.Sprintf("Diversity on %s: mean distance of two programs that may become "+
		"parents, 0 for equal text, 1 when no two neighbouring tokens are in common. %s",
		of[0].task.Title, spreadText("Lines", "bands", seedsOf(all)))
	f.note(Remark, "Comments and layout do not count.")
	f.noteUnfinished(of)
	return f
}

// courseWindows is the number of windows of evaluations that operators are counted in, our choice:
// with fewer proposals in each, shares say little.
const courseWindows = 10

// fewest proposals in a window are shown as a share; our choice.
const fewest = 5

// operators shows how the operators of one method fare over the search; nil without proposals.
func operators(name string, g *group) *Figure {
	longest := 0
	for _, r := range g.Runs {
		longest = max(longest, r.Evaluations)
	}
	width := max(1, (longest+courseWindows-1)/courseWindows)
	courses := g.OperatorCourses(width)
	if len(courses) == 0 {
		return nil
	}
	f := titled("operators-"+name, g.method.Title+"'s operators", []*group{g})
	f.Main = slices.ContainsFunc(g.Runs, func(r *results.Run) bool { return len(r.EAPs) > 0 })
	f.row("operator", "from", "to", "compared", "improved", "replies", "refused")
	var success, structural []series
	for i, c := range courses {
		s := series{label: oneLine(c.Operator), look: lookOf(i)}
		t := s
		for _, w := range c.Windows {
			f.row(c.Operator, w.From, w.To, w.Compared, w.Improved, w.Replies, w.Refused)
			if w.Compared >= fewest {
				s.points = append(s.points, share100(w, w.Improved, w.Compared))
			}
			if w.Replies >= fewest {
				t.points = append(t.points, share100(w, w.Refused, w.Replies))
			}
		}
		if len(s.points) > 0 {
			success = append(success, s)
		}
		if len(t.points) > 0 {
			structural = append(structural, t)
		}
	}
	x := span("", 0, float64(longest))
	if len(success) > 0 {
		f.lines(success, panel{
			x: x, y: span("beat the\nparent (%)", 0, topOf(success)), height: 1.25 * vg.Inch,
		}, false)
	}
	x.label = "evaluations"
	f.lines(structural, panel{
		x: x, y: span("structural\nfailures (%)", 0, topOf(structural)), height: 1.35 * vg.Inch,
	}, false)
	f.sortLegend(courses)
	f.Caption = fmt.Sprintf("%s's operators on %s in windows of %s, pooled over %s. Top: "+
		"evaluated programs that beat their first parent. Bottom: replies without a program that "+
		"keeps the operator's contract. Windows with fewer than %d are left out.",
		g.method.Title, g.task.Title, count(width, "evaluation"), count(len(g.Runs), "seed"),
		fewest)
	return f
}

// share100 is a percentage in the middle of a window.
func share100(w results.Window, n, all int) results.Point {
	v := 100 * float64(n) / float64(all)
	return results.Point{X: float64(w.From+w.To) / 2, Mean: v, Low: v, High: v}
}

// topOf is the end of a percentage's axis.
func topOf(all []series) float64 {
	top := 1.0
	for _, s := range all {
		for _, p := range s.points {
			top = max(top, p.Mean)
		}
	}
	return min(105, 1.1*top)
}

// sortLegend lists operators in their order.
func (f *Figure) sortLegend(courses []results.OperatorCourse) {
	place := func(e entry) int {
		return slices.IndexFunc(courses, func(c results.OperatorCourse) bool {
			return oneLine(c.Operator) == e.text
		})
	}
	slices.SortStableFunc(f.legend, func(a, b entry) int { return place(a) - place(b) })
}

// shownEAPs is the number of EAPs with a line of their own, our choice: more cannot be told
// apart.
const shownEAPs = 6

// posteriors shows how beliefs in the EAPs of a method's best run moved; nil without trials.
func posteriors(name string, g *group) *Figure {
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
	title := fmt.Sprintf("beliefs in EAPs, seed %d", r.Header.Seed)
	f := titled("posteriors-"+name, title, []*group{g})
	f.Main = true
	f.row("eap", "name", "evaluations", "alpha", "beta", "mean")
	p := panel{x: span("evaluations", 0, float64(r.Evaluations)), y: span("posterior mean", 0, 1),
		height: 1.75 * vg.Inch}
	var lines []shape
	for i, e := range order {
		f.row(e.ID, e.Name, e.Birth, 1, 1, 0.5)
		points := []results.Point{{X: float64(e.Birth), Mean: 0.5}}
		for _, b := range e.Beliefs {
			f.row(e.ID, e.Name, b.At, b.Alpha, b.Beta, b.Mean())
			points = append(points, results.Point{X: float64(b.At), Mean: b.Mean()})
		}
		points = append(points,
			results.Point{X: float64(r.Evaluations), Mean: points[len(points)-1].Mean})
		if i >= shownEAPs {
			p.shapes = append(p.shapes,
				curve{points: points, look: look{color: pale}, width: vg.Points(0.6), steps: true})
			continue
		}
		l := lookOf(i)
		lines = append(lines, curve{
			points: points, look: l, width: vg.Points(curveWidth), steps: true,
			marks: curveMarks, shift: (float64(i) + 0.5) / shownEAPs, end: float64(r.Evaluations),
		})
		f.legend = append(f.legend, entry{
			text: fmt.Sprintf("%s (%s)", short(oneLine(e.Name), 34), e.Origin), look: l, line: true,
		})
	}
	if len(order) > shownEAPs {
		f.legend = append(f.legend, entry{text: fmt.Sprintf("%d others", len(order)-shownEAPs),
			look: look{color: pale}, line: true})
	}
	slices.Reverse(lines)
	p.shapes = append(p.shapes, lines...)
	f.panels = []panel{p}
	f.Caption = fmt.Sprintf("Posterior mean of the success rate of each EAP in %s's "+
		"best run on %s, from its admission. Coloured: the EAPs with the most trials.",
		g.method.Title, g.task.Title)
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

func short(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

const (
	lanes     = 5 // EAPs that a genealogy shows
	laneRows  = 6 // programs beside each other in a lane
	barHeight = 5 // in points
	laneHead  = 10
	laneGap   = 3
)

var (
	admitted = look{color: rgb(0xE69F00), glyph: diamond}
	best     = look{color: ink, glyph: draw.RingGlyph{}}
)

// mark is one mark with its radius in points.
func mark(x, y float64, l look, radius float64) dots {
	return dots{plotter.XYs{{X: x, Y: y}}, l, vg.Points(radius)}
}

// genealogy shows which EAPs travelled through which programs and outlived their source; nil for
// methods without EAPs.
func genealogy(name string, g *group) *Figure {
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
		stories = stories[:n+1] // one without a source is enough beside others
	}
	slices.SortStableFunc(stories, func(a, b results.Story) int {
		return cmp.Compare(a.EAP.Birth, b.EAP.Birth)
	})

	title := fmt.Sprintf("where EAPs went, seed %d", r.Header.Seed)
	f := titled("genealogy-"+name, title, []*group{g})
	f.Main = true
	f.row("eap", "name", "origin", "admitted",
		"program", "operator", "role", "entered", "left", "value")
	end := float64(r.Evaluations)
	until := func(m results.Member) float64 {
		if m.Left == 0 {
			return end
		}
		return float64(m.Left)
	}
	p := panel{x: span("evaluations", 0, end), y: axis{bare: true}, left: 3}
	made := map[string]bool{}
	sources, y := false, 0.0
	for _, s := range stories {
		rows, left := pack(s.Callers, until)
		bottom := y - laneHead - barHeight*float64(len(rows)+sourced(s))
		head := fmt.Sprintf("%s (%s)", short(oneLine(s.EAP.Name), 36), s.EAP.Origin)
		if left > 0 {
			head += fmt.Sprintf(", %d more callers", left)
		}
		p.shapes = append(p.shapes, segment{0, y, end, y, grid, vg.Points(0.4), nil},
			writing{0.01 * end, y - laneHead/2, head})
		y -= laneHead
		if m := s.Source; m != nil {
			sources = true
			f.row(s.EAP.ID, s.EAP.Name, s.EAP.Origin, s.EAP.Birth, m.Evaluation, m.Operator,
				"source", m.Entered, m.Left, m.Value)
			at := y - barHeight/2
			p.shapes = append(p.shapes,
				segment{float64(m.Entered), at, until(*m), at, dark, vg.Points(3), nil})
			if m.Left > 0 {
				p.shapes = append(p.shapes, segment{
					until(*m), y, until(*m), bottom, dark, vg.Points(0.5), []vg.Length{1.5, 1.5},
				},
					mark(until(*m), at, look{color: ink, glyph: draw.CrossGlyph{}}, 2.6))
			}
			p.shapes = append(p.shapes, mark(float64(s.EAP.Birth), at, admitted, 2.6))
			y -= barHeight
		}
		for _, m := range s.Callers {
			made[m.Operator] = true
			f.row(s.EAP.ID, s.EAP.Name, s.EAP.Origin, s.EAP.Birth, m.Evaluation, m.Operator,
				"caller", m.Entered, m.Left, m.Value)
		}
		for _, row := range rows {
			at := y - barHeight/2
			for _, m := range row {
				c := operatorLook(m.Operator)
				p.shapes = append(p.shapes,
					segment{float64(m.Entered), at, until(m), at, c.color, vg.Points(1.6), nil},
					mark(float64(m.Entered), at, c, 1.7))
				if r.Best != nil && m.Evaluation == r.Best.Evaluation {
					p.shapes = append(p.shapes, mark(float64(m.Entered), at, best, 3))
				}
			}
			y -= barHeight
		}
		y -= laneGap
	}
	p.y.min, p.y.max = y, 0
	p.height = vg.Points(-y) + axisRoom
	f.panels = []panel{p}
	if sources {
		f.legend = append(f.legend,
			entry{text: "source of the EAP", look: look{color: dark}, line: true},
			entry{text: "leaves", look: look{color: ink, glyph: draw.CrossGlyph{}}},
			entry{text: "EAP admitted", look: admitted})
	}
	f.legend = append(f.legend, entry{text: "programs that call it, by"})
	for _, op := range slices.Sorted(maps.Keys(made)) {
		f.legend = append(f.legend, entry{text: oneLine(op), look: operatorLook(op), line: true})
	}
	f.legend = append(f.legend, entry{text: "best program", look: best})
	f.Caption = fmt.Sprintf("Where EAPs went in %s's best run on %s: a bar is the stay of a "+
		"program in the population.", g.method.Title, g.task.Title)
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

// operatorLook is that of PACE's operators, as operators draws them.
func operatorLook(op string) look {
	for i, name := range []string{"I1", "P1", "P2", "P3", "P4"} {
		if op == name {
			return solid(i)
		}
	}
	return look{color: pale, glyph: draw.CircleGlyph{}}
}

// solid is a look without dashes.
func solid(style int) look {
	l := lookOf(style)
	l.dashes = nil
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
func ablations(suffix string, groups []*group, styles map[string]int) []*Figure {
	var out []*Figure
	for _, method := range methodsOf(groups) {
		rows := where(groups, func(g *group) bool {
			return g.Method == method && len(g.Finished()) > 0
		})
		if len(rows) < 2 || !slices.ContainsFunc(rows, func(g *group) bool { return !g.main() }) {
			continue
		}
		better, _ := rows[0].task.direction(rows)
		title := "ablation of " + rows[0].method.Title
		f := titled("ablation-"+suffix+"-"+fileName(method), title, rows)
		f.Main = true
		f.row("row", "seed", "value", "mean", "sd")
		d := dotPlot{span: rows[0].task.Unit + ", best of a run",
			low: math.Inf(1), high: math.Inf(-1)}
		var full float64
		for _, g := range rows {
			s := g.Over((*results.Run).Train)
			v := dotValue{look: lookOf(styles[method]), mean: s.Mean, low: s.Mean, high: s.Mean}
			if s.N > 1 {
				v.low, v.high = s.Mean-s.SD, s.Mean+s.SD
			}
			label := g.variant.Title
			if g.Variant == "" {
				label, full = g.method.Title, s.Mean
			} else {
				v.look.color = dark
			}
			for _, r := range g.Finished() {
				value, _ := r.Train()
				v.seeds = append(v.seeds, value)
				f.row(g.Row(), r.Header.Seed, value, s.Mean, s.SD)
				d.low, d.high = min(d.low, value), max(d.high, value)
			}
			d.low, d.high = min(d.low, v.low), max(d.high, v.high)
			d.rows = append(d.rows, dotRow{label, []dotValue{v}})
		}
		pad := cmp.Or(0.06*(d.high-d.low), 0.01*math.Abs(d.high), 1)
		d.low, d.high = d.low-pad, d.high+pad
		p := d.panel()
		if rows[0].Variant == "" {
			p.shapes = slices.Insert(p.shapes, 0, shape(segment{
				full, -1e6, full, 1e6, lookOf(styles[method]).color, vg.Points(0.6),
				[]vg.Length{2, 2},
			}))
		}
		f.panels = []panel{p}
		f.legend = []entry{
			{text: "mean", look: look{color: dark, glyph: lookOf(styles[method]).glyph}},
			{text: "± standard deviation", look: look{color: dark}, line: true},
			{text: "seed", look: look{color: dark, glyph: draw.RingGlyph{}}},
		}
		f.Caption = fmt.Sprintf("Variants of %s on %s: best training value (%s). "+
			"Filled: mean over seeds; lines: ± sample standard deviation; rings: seeds; "+
			"dashed: all parts in place.",
			rows[0].method.Title, rows[0].task.Title, goal(better))
		out = append(out, f)
	}
	return out
}

// methodsOf lists the methods of some rows, each once.
func methodsOf(groups []*group) []string {
	var out []string
	for _, g := range groups {
		if !slices.Contains(out, g.Method) {
			out = append(out, g.Method)
		}
	}
	return out
}
