package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
)

// A bestRow is a row with its best run.
type bestRow struct {
	*group
	run *results.Run // nil if no program has a score
}

func (b bestRow) train() (float64, bool) {
	if b.run == nil {
		return 0, false
	}
	return b.run.Train()
}

func (b bestRow) calls() string {
	if b.run == nil {
		return ""
	}
	var names []string
	for _, e := range b.run.EAPs {
		if e.InBest {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return cmp.Or(strings.Join(names, ", "), "none")
}

func (b bestRow) idea() string {
	if b.run == nil {
		return ""
	}
	return b.run.Idea()
}

// programsTable describes the best program of each row whose method has EAPs: its value, the EAPs
// that it calls, and its idea.
func programsTable(groups []*group) *Table {
	groups = where(groups, func(g *group) bool {
		return g.Variant == "" && slices.ContainsFunc(g.Runs, func(r *results.Run) bool {
			return len(r.EAPs) > 0
		})
	})
	var rows []bestRow
	for _, g := range groups {
		rows = append(rows, bestRow{g, g.Winner()})
	}
	fields := nameFields(groups, "Task", func(b bestRow) string { return b.task.Title },
		func(b bestRow) string { return b.Models })
	if len(fields) > 1 {
		fields[1].Share = 0.13
	}
	t := newTable("programs", "Best programs", rows,
		func(b bestRow) Row { return b.row(b.Task) },
		append(fields,
			column("train", "Training", 3, func(b bestRow) Cell { return orMissing(b.train()) }),
			column("evaluation", "Found at", 0, func(b bestRow) Cell { return foundAt(b.run) }),
			words("eaps", "EAP calls", 0.24, bestRow.calls),
			words("idea", "Description", 0.28, bestRow.idea))...)
	disclose(t, groups)
	return t
}
