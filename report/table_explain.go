package report

import (
	"fmt"
	"math"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// explainTable shows, for each method, the effects of parts in the best programs of runs; nil if no
// program was explained.
func explainTable(label task, groups []*group) *Table {
	type explained struct {
		*group
		all []*explain.Explained
	}
	var rows []explained
	var lost []string
	for _, g := range groups {
		row := explained{group: g}
		for _, r := range g.Finished() {
			switch e, err := explain.Read(r.Dir, r.Digest); {
			case err != nil:
				lost = append(lost, "Left out: "+err.Error()+".")
			case e != nil:
				row.all = append(row.all, e)
			}
		}
		if len(row.all) > 0 {
			rows = append(rows, row)
		}
	}
	if len(rows)+len(lost) == 0 {
		return nil
	}
	over := func(id, title string, digits int, of func(*explain.Explained) (float64, bool),
	) field[explained] {
		return column(id, title, digits, func(row explained) Cell {
			var values []float64
			for _, e := range row.all {
				if x, ok := of(e); ok {
					values = append(values, x)
				}
			}
			s := results.NewSample(values)
			return Cell{Mean: s.Mean, SD: s.SD, N: s.N}
		})
	}
	t := newTable("explain-"+label.key, "Parts of the best programs on "+label.Title, rows,
		func(row explained) Row { return Row{ID: row.Row(), Models: row.Models} },
		text("row", "Method", func(row explained) string { return row.title() }),
		whole("seeds", "Seeds", func(row explained) int { return len(row.all) }),
		over("parts", "Parts", 1, func(e *explain.Explained) (float64, bool) {
			return float64(len(e.Ways)), true
		}),
		over("significant", "p(Holm) ≤ 0.05", 1, func(e *explain.Explained) (float64, bool) {
			n, _, _ := e.Significant()
			return float64(n), true
		}),
		over("largest", "Largest part", 2, func(e *explain.Explained) (float64, bool) {
			_, share, ok := e.Significant()
			return share, ok
		}),
		over("dead", "Dead code", 2, func(e *explain.Explained) (float64, bool) {
			n, all := e.Dead()
			return float64(n) / float64(all), all > 0
		}),
		over("visible", "Visible", label.Digits+1, (*explain.Explained).Visible),
		over("tau", "Credit (tau)", 2, func(e *explain.Explained) (float64, bool) {
			tau, _, ok := e.Tau()
			return tau, ok
		}))
	for _, row := range rows {
		var taus []float64
		for _, e := range row.all {
			if tau, _, ok := e.Tau(); ok {
				taus = append(taus, tau)
			}
		}
		if low, high, ok := results.NewSample(taus).MeanInterval(); ok {
			t.Note(render.Footnote, fmt.Sprintf("%s: the mean tau between posterior means of EAPs "+
				"and their effects is %.2f, 95 %% interval %.2f to %.2f over %d seeds.",
				row.title(), results.NewSample(taus).Mean, low, high, len(taus)))
		}
	}
	t.Note(render.Footnote, "Largest part: its effect in training as a share of the gain over "+
		"the template's program. Dead code: the share of statements that can be deleted without a "+
		"change of any value. Visible: the smallest effect in training that is significant with a "+
		"chance of 80 %, the median over the parts that change a value.")
	for _, text := range lost {
		t.Note(render.Footnote, text)
	}
	return t
}

// EffectsTable shows the effects of a program's parts on a split, and then the interactions of
// parts.
func EffectsTable(e *explain.Explained, split string, digits int) *Table {
	type effect struct {
		line, kind, what string
		explain.Effect
	}
	var rows []effect
	parts := e.Plan.Parts.Parts
	for i, x := range e.Effects[split] {
		if p := parts[i]; !math.IsNaN(x.Mean) || split == e.Splits[0] {
			rows = append(rows, effect{fmt.Sprint(p.Line), p.Kind, p.Text, x})
		}
	}
	for _, p := range e.Pairs {
		if a, b := parts[p.A], parts[p.B]; p.Split == split {
			rows = append(rows, effect{fmt.Sprintf("%d, %d", a.Line, b.Line), "together",
				a.Text + " and " + b.Text, p.Effect})
		}
	}
	value := func(id, title string, digits int, of func(effect) float64) field[effect] {
		return column(id, title, digits, func(x effect) Cell {
			return orMissing(of(x), !math.IsNaN(of(x)))
		})
	}
	t := newTable("effects", split+": effects in the score (positive: the part helps)", rows,
		func(x effect) Row {
			return Row{Section: map[bool]string{true: "pairs"}[x.kind == "together"]}
		},
		text("line", "Line", func(x effect) string { return x.line }),
		text("kind", "Part", func(x effect) string { return x.kind }),
		text("what", "What", func(x effect) string { return x.what }),
		column("effect", "Effect", digits, func(x effect) Cell {
			if math.IsNaN(x.Mean) {
				return Cell{Words: "needed"}
			}
			return render.Number(x.Mean)
		}),
		value("low", "95 % from", digits, func(x effect) float64 { return x.Low }),
		value("high", "to", digits, func(x effect) float64 { return x.High }),
		value("p", "p(Holm)", 4, func(x effect) float64 { return x.Holm }),
		value("visible", "Visible", digits, func(x effect) float64 { return x.Visible }))
	if len(e.Pairs) > 0 {
		t.Note(render.Footnote,
			"Together: the effect of two parts beyond the sum of their effects.")
	}
	return t
}
