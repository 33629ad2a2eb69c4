package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// programsTable has the best program of every task by the methods that have EAPs, with the EAPs
// that it calls and the idea that its author gives.
func programsTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool {
		return g.Variant == "" && slices.ContainsFunc(g.Runs, func(r *results.Run) bool {
			return len(r.EAPs) > 0
		})
	})
	t := &Table{Name: "programs", Title: "Best programs"}
	several := nameColumns(t, groups, "Task", 0.13)
	t.Columns = append(t.Columns, Column{ID: "train", Title: "Training", Digits: 3},
		Column{ID: "evaluation", Title: "Found at"},
		Column{ID: "eaps", Title: "EAP calls", Text: true, Share: 0.24},
		Column{ID: "idea", Title: "Description", Text: true, Share: 0.28})
	for _, g := range groups {
		row := Row{ID: g.Task, Models: g.Models, Remarks: remarks(g),
			Cells: []Cell{render.Words(g.task.Title)}}
		if several {
			row.Cells = append(row.Cells, render.Words(modelTitle(g.Models)))
		}
		if r := g.Winner(); r == nil {
			row.Cells = append(row.Cells, make([]Cell, 4)...)
		} else {
			var names []string
			for _, e := range r.EAPs {
				if e.InBest {
					names = append(names, e.Name)
				}
			}
			slices.Sort(names)
			row.Cells = append(row.Cells, render.Number(r.Best.Value), foundAt(r),
				render.Words(cmp.Or(strings.Join(names, ", "), "none")), render.Words(r.Idea()))
		}
		t.Rows = append(t.Rows, row)
	}
	disclose(t, groups)
	return t
}
