package report

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// explainTable shows, for each method, what explain found in the best programs of runs; nil where
// none was explained.
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
			e, err := explain.Read(r.Dir)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case err == nil && e.Journal != r.Digest:
				err = fmt.Errorf("%s: it is of another journal",
					filepath.Join(r.Dir, record.ExplainFile))
			}
			if err == nil {
				row.all = append(row.all, e)
			} else {
				lost = append(lost, "Left out: "+err.Error()+".")
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
			return float64(e.Significant()), true
		}),
		over("largest", "Largest part", 2, (*explain.Explained).Largest),
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
	t.Note(render.Footnote, "Largest part: its effect as a share of the gain over the template's "+
		"program. Dead code: the share of statements that can be deleted without a change of any "+
		"value. Visible: the smallest effect that is significant with a chance of 80 %.")
	for _, text := range lost {
		t.Note(render.Footnote, text)
	}
	return t
}
