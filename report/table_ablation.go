package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/report/render"
)

// ablationTables has one table for every method with variants, every model and every lock: the
// paper's table mechanism-ablation. Variants that the method's label does not name are a user's
// settings and no ablation.
func (o Options) ablationTables(groups []*group) []*Table {
	type base struct{ method, models, world string }
	var bases []base
	for _, g := range groups {
		if !g.main() {
			bases = with(bases, base{g.Method, g.Models, g.world})
		}
	}
	var out []*Table
	for _, b := range bases {
		own := where(groups, func(g *group) bool {
			return g.Method == b.method && g.Models == b.models && g.world == b.world
		})
		own = where(own, func(g *group) bool { // without a variant on the task, nothing to compare
			return slices.ContainsFunc(own, func(h *group) bool {
				return h.Task == g.Task && !h.main()
			})
		})
		name, title := "settings-"+b.method, "Settings of "
		if slices.ContainsFunc(own, (*group).ablated) {
			name, title = "ablation-"+b.method, "Ablation of "
		}
		paper := name
		if slices.ContainsFunc(bases, func(c base) bool {
			return c.method == b.method && c.models != b.models
		}) {
			name += "-" + render.FileName(modelTitle(b.models))
		}
		if b.world != "" {
			name += "-" + render.FileName(b.world)
		}
		t := &Table{Name: name, Paper: paper, Title: title + own[0].method.Title,
			Columns: []Column{{ID: "row", Title: "Method", Text: true}}}
		fields := o.taskFields(own)
		slices.SortStableFunc(own, compareVariants)
		class := ""
		var footnotes []string
		byVariant := func(g *group) string { return g.Variant }
		fillRows(t, fields, own, byVariant, func(own []*group) Row {
			v := own[0]
			title := v.variant.Title
			if v.Variant == "" {
				title = v.method.Title
			}
			if text := v.variant.Footnote; text != "" {
				footnotes = append(footnotes, v.variant.Title+": "+text)
			}
			before := class
			class = v.class()
			return Row{
				ID: v.Row(), Models: b.models, Rivals: "all", Cells: []Cell{render.Words(title)},
				Rule: len(t.Rows) > 0 && class != before, Remarks: rowRemarks(own),
			}
		})
		complete(t, own, footnotes...)
		out = append(out, t)
		if o.All {
			out = append(out, mixTable(t, own))
		}
	}
	return out
}

// class groups the rows of a table of variants, for the rules between them.
func (g *group) class() string {
	setting, _, _ := strings.Cut(g.Variant, "=")
	return cmp.Or(g.variant.Class, setting)
}

// taskFields has the training value of each task, and its re-evaluation if the task has one.
func (o Options) taskFields(groups []*group) []field[*group] {
	var out []field[*group]
	for _, own := range byTask(groups) {
		task := own[0].task
		for _, f := range o.mainFields(own, task, "", false) {
			switch f.ID {
			case "train":
				f.ID, f.Title = task.id, "Training"
			case "fresh":
				f.ID = task.id + "/fresh"
			default:
				continue
			}
			f.Digits = 3 // as the paper prints these tables
			out = append(out, f)
		}
	}
	return out
}
