package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/report/render"
)

// ablationTables returns a table like the paper's mechanism-ablation for each method with variants,
// each model and each world (group.world). A variant that the method's label does not name is a
// user's setting, not an ablation.
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
		own = where(own, func(g *group) bool { // a comparison needs a variant on the task
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
		slices.SortStableFunc(own, compareVariants)
		t := variantTable(name, title+own[0].method.Title, own, o.taskFields(own))
		t.Paper = paper
		var footnotes []string
		for _, own := range gather(own, byVariant) {
			if v := own[0].variant; v.Footnote != "" {
				footnotes = append(footnotes, v.Title+": "+v.Footnote)
			}
		}
		complete(t, own, footnotes...)
		out = append(out, t)
		if o.All {
			_, name, _ := strings.Cut(name, "-")
			out = append(out, mixTable("operators-"+name, own))
		}
	}
	return out
}

// variantTable returns a table with a row for every variant of one method, and rules between
// classes.
func variantTable(name, title string, groups []*group, fields []field[*group]) *Table {
	head := func(own line) Row {
		v := own[0]
		return Row{ID: v.Row(), Models: v.Models, Section: v.class(), Rivals: "all",
			Remarks: rowRemarks(own)}
	}
	return newTable(name, title, gather(groups, byVariant), head, append([]field[line]{
		text("row", "Method", func(own line) string {
			if own[0].Variant == "" {
				return own[0].method.Title
			}
			return own[0].variant.Title
		}),
	}, joined(fields)...)...)
}

func byVariant(g *group) string { return g.Variant }

// class returns the class of a variant. A table of variants has rules between classes.
func (g *group) class() string {
	setting, _, _ := strings.Cut(g.Variant, "=")
	return cmp.Or(g.variant.Class, setting)
}

// taskFields returns the fields of each task: the training value, and the re-evaluated value if a
// run has one.
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
