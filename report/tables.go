package report

import (
	"slices"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record/results"
)

// Options shape a report. The zero value is usable.
type Options struct {
	Labels Labels
	// Printed, if not nil, returns the paper's table with a given Table.Name. Its rows and columns
	// have the names Row.ID and Column.ID.
	Printed   func(table string) (data.Table, bool)
	Published bool   // show the paper's numbers below the rows, and the differences from them
	Paper     bool   // show tests of one program per row, the best of all seeds, as in the paper
	All       bool   // show every table and figure, not only what papers show
	Bold      string // BoldSeparated when empty
	// Pools are the control runs against which the rows of their tasks are tested.
	Pools []*results.Pool
	// Separations are the comparisons that suites declared.
	Separations []results.Separation
	// Frontier shows seeds against evaluations even for few seeds.
	Frontier bool
	// Select is the rule by which tested programs are chosen; empty: results.ByTraining.
	Select results.Choice
}

// Tables returns the tables that papers show, and the tables that the options ask for: per task the
// main table, pools, paired runs, tuned constants, parts, declared comparisons and validation; then
// methods × tasks, ablations, models, tokens and costs. With Options.All it returns every table.
func Tables(s *results.Store, o Options) []*Table {
	o.Paper = o.Paper || o.Published // the paper tests one program per row
	var out []*Table
	add := func(task string, tables ...*Table) {
		for _, t := range tables {
			if t == nil || len(t.Rows) == 0 {
				continue
			}
			t.Task = task
			t.Mark(o.Bold)
			if o.Published {
				o.publish(t)
			}
			out = append(out, t)
		}
	}
	groups := o.Labels.groups(s)
	for _, own := range byTask(groups) {
		task := own[0].task
		add(task.id, o.mainTable(own, task), o.nullTable(task, own), pairedTable(task, s, own))
		if o.All || slices.ContainsFunc(runsOf(own), o.validated) {
			add(task.id, o.testsTable(task, own))
		}
		if o.All {
			add(task.id, o.seedsTable(task, own), usageTable(task, own), failuresTable(task, own),
				eapsTable(task, own))
			add(task.id, statsTables(task, own)...)
			add(task.id, targetsTable(task, own), equalTable(task, own))
		}
		if o.All || o.Frontier {
			add(task.id, frontierTable(task, own, o.fewestSeeds()))
		}
		add(task.id, o.separateTables(task)...)
		add(task.id, tuneTable(task, own), explainTable(task, own))
	}
	add("", o.combinedTable("main-control",
		"Training and testing performance on the control tasks",
		groups, o.Labels.task(control[0]), o.Labels.task(control[1])))
	all := tournaments(groups)
	for _, p := range all {
		add("", p.finish(p.methodsTable(), len(all) > 1))
		if o.All {
			add("", p.finish(p.improvementTable(), len(all) > 1))
		}
	}
	add("", o.ablationTables(groups)...)
	add("", o.modelTables(groups)...)
	add("", o.tokensTable(groups), costTable(groups))
	if o.All {
		add("", rolesTable(groups), settingsTable(groups), programsTable(groups),
			statusTable(groups))
	}
	return out
}
