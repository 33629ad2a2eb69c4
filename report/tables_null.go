package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// Tests of a few seeds against a pool of control runs.

// A null is one row tested against one pool. Values are such that the larger are better.
type null struct {
	g           *group
	pool        *group
	seeds, runs []float64
	quantile    float64 // of the pool, that the median seed reaches
	better      bounded // P(better than the control)
	p, holm     float64
	chosen      bool // seeds may have been chosen: no p is given
}

// nulls tests the rows of a task against its pools. Of noisy scores it takes the fresh ones. What
// it cannot test it names, with the first field in which headers differ.
func (o Options) nulls(label task, groups []*group) (out []null, m measure, refused []string) {
	rows := where(searched(groups), func(g *group) bool { return !g.Learned() })
	better, _ := label.direction(groups)
	measures := measuresOf(rows)
	m = measures[len(measures)-1]
	for _, pool := range o.Pools {
		if pool.Task != label.id {
			continue
		}
		control := o.Labels.group(&results.Group{Key: pool.Key, Runs: pool.Runs})
		x, _ := pool.Values(m.of)
		runs := larger(x, better)
		first := len(out)
		for _, g := range rows {
			if g.Key == pool.Key {
				continue
			}
			field := ""
			for _, r := range g.Finished() {
				if field == "" {
					field = pool.Refuses(r)
				}
			}
			if field != "" {
				refused = append(refused, fmt.Sprintf("%s (%s)", g.title(), field))
				continue
			}
			if values := larger(m.values(g), better); len(values) > 0 {
				out = append(out, newNull(g, control, values, runs))
			}
		}
		var ps []float64
		var tested []*null
		for i := range out[first:] {
			if n := &out[first+i]; !n.chosen {
				ps, tested = append(ps, n.p), append(tested, n)
			}
		}
		for i, p := range results.Holm(ps) {
			tested[i].holm = p
		}
	}
	return out, m, refused
}

func newNull(g, pool *group, seeds, runs []float64) null {
	n := null{g: g, pool: pool, seeds: seeds, runs: runs, p: math.NaN(), holm: math.NaN(),
		chosen: g.Chosen() != "", better: superiority(g.Superiority(seeds, runs), len(seeds),
			len(runs))}
	if !n.chosen {
		n.p = g.RankTestAbove(seeds, runs)
	}
	sorted := slices.Sorted(slices.Values(seeds))
	half := len(sorted) / 2
	median := sorted[half]
	if len(sorted)%2 == 0 {
		median = (sorted[half-1] + sorted[half]) / 2
	}
	n.quantile = g.Superiority([]float64{median}, runs)
	return n
}

// nullTable compares the rows of a task with its pools; nil where there is none.
func (o Options) nullTable(label task, groups []*group) *Table {
	nulls, m, refused := o.nulls(label, groups)
	if len(nulls) == 0 {
		return nil
	}
	_, arrow := label.direction(groups)
	var own []*group
	for _, n := range nulls {
		own = with(own, n.g)
	}
	fields := []field[null]{
		text("row", "Method", func(n null) string { return n.g.title() }),
		text("control", "Control", func(n null) string { return n.pool.title() }),
		whole("runs", "Pool", func(n null) int { return len(n.runs) }),
		{Column{ID: "values", Title: m.title, Spread: true, Digits: label.Digits},
			func(n null) Cell { return spread(n.g.Over(m.of)) }},
		whole("seeds", "Seeds", func(n null) int { return len(n.seeds) }),
		number("quantile", "Quantile", 2, func(n null) float64 { return n.quantile }),
	}
	fields[1].Data = nulls[0].pool == nulls[len(nulls)-1].pool // the title names a single one
	fields = append(fields, boundedFields(
		[3]string{"improvement", "improvement_low", "improvement_high"}, "P(better)", 2,
		func(n null) bounded { return n.better })...)
	fields = append(fields,
		column("p", "p", 4, func(n null) Cell { return orMissing(n.p, !n.chosen) }),
		column("holm", "Holm", 4, func(n null) Cell { return orMissing(n.holm, !n.chosen) }),
		number("smallest", "Smallest", 6, func(n null) float64 {
			return results.SmallestAbove(len(n.seeds), len(n.runs))
		}))
	var controls []*group
	for _, n := range nulls {
		controls = with(controls, n.pool)
	}
	t := newTable("null-"+label.key, fmt.Sprintf("Methods against control runs (%s) on %s (%s%s)",
		listed(controls), label.Title, lower(m.title), arrow), nulls, fields...)
	for i, n := range nulls {
		t.Rows[i].ID, t.Rows[i].Models = n.g.Row()+"|"+n.pool.Row(), n.g.Models
		t.Rows[i].Remarks = remarks(n.g)
		t.Rows[i].Rule = i > 0 && n.pool != nulls[i-1].pool
	}
	for _, pool := range o.Pools {
		if pool.Task == label.id {
			t.Note(render.Conditions, o.Labels.drift(pool, m.of))
			if days, ok := pool.Apart(runsOf(own)); ok && days != 0 {
				side := "before"
				if days < 0 {
					days, side = -days, "after"
				}
				t.Note(render.Conditions, fmt.Sprintf("The pool of %s began %s %s these runs.",
					pool.Row(), count(days, "day"), side))
			}
		}
	}
	if len(refused) > 0 {
		t.Note(render.Conditions, "Not tested, since headers differ: "+
			strings.Join(refused, "; ")+".")
	}
	t.Note(render.Footnote, superiorityNote)
	complete(t, own)
	return t
}

// Drift says what fresh runs of the control tell of a pool.
func (l Labels) Drift(pool *results.Pool) string {
	of := (*results.Run).Train
	if anyRescored(pool.Runs) {
		of = (*results.Run).Fresh
	}
	if text := l.drift(pool, of); text != "" {
		return text
	}
	return "no fresh runs"
}

func (l Labels) drift(pool *results.Pool, of func(*results.Run) (float64, bool)) string {
	runs, fresh := pool.Values(of)
	if len(fresh) == 0 {
		return ""
	}
	p := results.Tolerance(l.task(pool.Task).Tolerance).RankTest(fresh, runs)
	if p <= results.Alpha {
		return fmt.Sprintf("%d fresh runs of %s differ from its pool (p = %.2g): the model may "+
			"have changed, and these tests hold for the old one.", len(fresh), pool.Row(), p)
	}
	return fmt.Sprintf("%d fresh runs of %s do not differ from its pool (p = %.2g).", len(fresh),
		pool.Row(), p)
}

// daggers mark the rows of a main table that beat a pool of the task.
func (o Options) daggers(t *Table, label task, groups []*group) {
	nulls, _, refused := o.nulls(label, groups)
	if len(nulls) == 0 && len(refused) > 0 { // there is no table that says so
		t.Note(render.Conditions, "Not tested against pools, since headers differ: "+
			strings.Join(refused, "; ")+".")
	}
	var beaten []string
	for _, n := range nulls {
		if !(n.holm <= family) {
			continue
		}
		for i, r := range t.Rows {
			if r.ID == n.g.Row() && r.Models == n.g.Models &&
				!strings.HasSuffix(r.Cells[0].Words, dagger) {
				t.Rows[i].Cells[0].Words += dagger
			}
		}
		beaten = with(beaten, fmt.Sprintf("%s (%d runs)", n.pool.title(), len(n.runs)))
	}
	if len(beaten) > 0 {
		t.Note(render.Footnote, fmt.Sprintf("†: better than the pool of %s, Holm p ≤ %g.",
			strings.Join(beaten, ", "), family))
	}
}

const dagger = " †"

// nullFigures are the figures of all tasks that have a pool.
func (o Options) nullFigures(s *results.Store) (out []*figure.Figure) {
	all := o.Labels.groups(s)
	for _, own := range byTask(all) {
		if f := o.nullFigure(own[0].task, own, looksOf(all, o.Labels)); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// nullFigure shows each pool as its distribution, with the seeds of the rows below it; nil without
// a pool.
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
		f.Panels = append(f.Panels, nullPanel(f, label, m, of, better, looks))
	}
	for _, g := range own {
		f.Legend = append(f.Legend, figure.Entry{Text: g.title(), Look: looks.of(g)})
	}
	f.Caption = "Line and dots: share of the pool that is no better, and its runs. Marks: seeds " +
		"of each row. Better values are at the right."
	return f
}

// nullPanel draws one pool and the rows that are tested against it.
func nullPanel(f *figure.Figure, label task, m measure, of []null, better int,
	looks looks) figure.Panel {
	pool, lane := of[0], 0.14
	runs := slices.Sorted(slices.Values(pool.runs))
	low, high := runs[0], runs[len(runs)-1]
	points, last := []results.Point{}, 0.0
	for i, x := range runs {
		last = float64(i+1) / float64(len(runs))
		points = append(points, results.Point{X: x, Mean: last})
		f.Row(pool.pool.title(), pool.pool.title(), float64(better)*x, last)
	}
	for _, n := range of {
		low, high = min(low, slices.Min(n.seeds)), max(high, slices.Max(n.seeds))
	}
	margin := 0.03 * max(high-low, 1e-9)
	shapes := []plot.Plotter{figure.Thin(append(points, results.Point{X: high + margin, Mean: 1}))}
	for _, x := range points {
		shapes = append(shapes, figure.Dot(figure.LookOf(6), 1.4, x.X, x.Mean))
	}
	for i, n := range of {
		y := -lane * (float64(i) + 0.7)
		for _, x := range n.seeds {
			shapes = append(shapes, figure.Dot(looks.of(n.g), 2.2, x, y))
			f.Row(n.g.title(), n.pool.title(), float64(better)*x, math.NaN())
		}
	}
	x := figure.Span(m.title+", control: "+pool.pool.title(), low-margin, high+margin)
	for i := range 5 { // values as they are, though the axis has larger ones better
		at := low + (high-low)*float64(i)/4
		x.Ticks = append(x.Ticks, plot.Tick{Value: at,
			Label: render.Fixed(float64(better)*at, label.Digits)})
	}
	y := figure.Span("share of the pool", -lane*(float64(len(of))+0.3), 1.02)
	for _, share := range []float64{0, 0.5, 1} {
		y.Ticks = append(y.Ticks, plot.Tick{Value: share, Label: fmt.Sprint(share)})
	}
	return figure.Panel{X: x, Y: y, Shapes: shapes,
		Height: curveHeight + vg.Length(len(of))*0.1*vg.Inch}
}
