package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// statusTable shows the origin of every row that asks no model.
func statusTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool {
		return g.Variant == "" && slices.Contains(g.method.Tasks, g.Task)
	})
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Compare(a.methodRank, b.methodRank)
	})
	wrapped := func(share float64, f field[*group]) field[*group] {
		f.Share = share
		return f
	}
	t := newTable("status", "Rows without a language model", groups,
		wrapped(0.16, text("row", "Row", func(g *group) string { return g.method.Title })),
		text("task", "Task", func(g *group) string { return g.task.Title }),
		wrapped(0.38, text("settings", "Settings", func(g *group) string {
			return cmp.Or(flat(g.Runs[0].Header.Config), g.method.Settings)
		})),
		wrapped(0.19, text("status", "Status", (*group).status)))
	for i, g := range groups {
		t.Rows[i].ID, t.Rows[i].Remarks = g.Method+"|"+g.Task, remarks(g)
	}
	disclose(t, groups)
	return t
}

// status describes the state of a row that asks no model.
func (g *group) status() string {
	var parts []string
	if g.Learned() {
		parts = append(parts, count(len(g.Finished()), "seed")+" of "+
			fmt.Sprint(g.Runs[0].Header.Budget, " ", unit(g.Runs[0])))
	}
	var tests []string
	for _, s := range g.task.splitsOf(g.Runs, nil) {
		tests = append(tests, s.Title)
	}
	if len(tests) > 0 {
		parts = append(parts, "tested: "+strings.Join(tests, ", "))
	}
	if n := len(g.Runs) - len(g.Finished()); n > 0 {
		parts = append(parts, count(n, "seed")+" unfinished")
	}
	return cmp.Or(strings.Join(parts, "; "), "run")
}
