package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// statusTable shows the settings and the status of every row that asks no model.
func statusTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool {
		return g.Variant == "" && slices.Contains(g.method.Tasks, g.Task)
	})
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Compare(a.methodRank, b.methodRank)
	})
	t := newTable("status", "Rows without a language model", groups,
		func(g *group) Row { return Row{ID: g.Method + "|" + g.Task, Remarks: remarks(g)} },
		words("row", "Row", 0.16, func(g *group) string { return g.method.Title }),
		text("task", "Task", func(g *group) string { return g.task.Title }),
		words("settings", "Settings", 0.38, func(g *group) string {
			return cmp.Or(flat(g.Runs[0].Header.Config), g.method.Settings)
		}),
		words("status", "Status", 0.19, (*group).status))
	disclose(t, groups)
	return t
}

// status returns the trained seeds, the tests and the unfinished seeds of a row that asks no model.
func (g *group) status() string {
	var parts []string
	if g.Trained() {
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
