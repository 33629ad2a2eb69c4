package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// mixTable accompanies a table of variants. It has each operator's share of the charged
// evaluations, and its last evaluation, because a setting can change more operators than its name
// says.
func mixTable(name string, groups []*group) *Table {
	var fields []field[*group]
	operators := results.OperatorNames(runsOf(groups))
	for _, task := range tasksOf(groups) {
		add := func(c Column, number func(*results.Run) (float64, bool)) {
			c.ID, c.Span = task.id+"/"+c.ID, task.Title
			fields = append(fields, field[*group]{c, onTask(task, over(number))})
		}
		for _, op := range operators {
			c := Column{ID: op, Title: render.OneLine(op), Digits: 1}
			add(c, func(r *results.Run) (float64, bool) {
				evaluated := float64(r.Operator(op).Evaluated)
				return 100 * evaluated / float64(max(1, r.Evaluations)), r.Evaluations > 0
			})
		}
		for _, op := range operators {
			c := Column{ID: op + "/last", Title: "Last " + render.OneLine(op), Wide: true}
			add(c, func(r *results.Run) (float64, bool) {
				return float64(r.Operator(op).Last), r.Operator(op).Last > 0
			})
		}
	}
	if len(fields) == 0 {
		return nil
	}
	t := variantTable(name, fmt.Sprintf("Evaluations by operator (%%) in the variants of %s on %s",
		groups[0].method.Title, strings.Join(titlesOf(groups), ", ")), groups, fields)
	complete(t, groups)
	return t
}

// operatorTable counts how often each operator of a run failed, and how often it helped.
func operatorTable(r *results.Run) *Table {
	return newTable("operators", "Operators", r.Operators,
		func(results.OperatorStats) Row { return Row{} },
		operatorFields(func(o results.OperatorStats) results.OperatorStats { return o })...)
}

func operatorFields[T any](of func(T) results.OperatorStats) []field[T] {
	count := func(id, title string, n func(results.OperatorStats) int) field[T] {
		return whole(id, title, func(v T) int { return n(of(v)) })
	}
	part := func(id, title string, n func(results.OperatorStats) (int, int)) field[T] {
		return share(id, title, func(v T) (int, int) { return n(of(v)) })
	}
	return []field[T]{
		text("operator", "Operator", func(v T) string { return of(v).Name }),
		count("steps", "Proposals", func(o results.OperatorStats) int { return o.Steps }),
		count("requests", "Requests", func(o results.OperatorStats) int { return o.Requests }),
		part("discarded", "Discarded", func(o results.OperatorStats) (int, int) {
			return o.Discarded, o.Steps
		}),
		count("evaluated", "Evaluated", func(o results.OperatorStats) int { return o.Evaluated }),
		part("faults", "Faults", func(o results.OperatorStats) (int, int) {
			return o.Faults, o.Evaluated
		}),
		part("improved", "Beat the parent", func(o results.OperatorStats) (int, int) {
			return o.Improved, o.Parents
		}),
		count("best", "New best", func(o results.OperatorStats) int { return o.Best }),
	}
}

// A use is one operator of a method, or one origin of the method's EAPs.
type use struct {
	*group
	name  string
	first bool // the group's first use, which has the row's name
}

// usesTable has a row for each use, with counts over the finished runs of its group.
func usesTable[T any](name, title string, groups []*group, rows []T, of func(T) use, note string,
	fields ...field[T]) *Table {
	t := newTable(name, title, rows, func(v T) Row {
		u := of(v)
		return Row{ID: u.Row() + "|" + u.name, Models: u.Models,
			Section: fmt.Sprint(rowKey(u.group)), Remarks: remarks(u.group)}
	}, append(nameOnce(groups, func(v T) (*group, bool) { return of(v).group, of(v).first }),
		fields...)...)
	t.Note(render.Footnote, "Sums over the finished runs of a row."+note)
	complete(t, groups)
	return t
}

// failuresTable counts how often each operator of each method failed, and how often it helped.
func failuresTable(label task, groups []*group) *Table {
	type counts struct {
		use
		sum results.OperatorStats
	}
	groups = where(groups, (*group).asks)
	var rows []counts
	for _, g := range groups {
		runs := g.Finished()
		for i, name := range results.OperatorNames(runs) {
			c := counts{use{g, name, i == 0}, results.OperatorStats{Name: name}}
			for _, r := range runs {
				o := r.Operator(name)
				c.sum.Steps, c.sum.Requests = c.sum.Steps+o.Steps, c.sum.Requests+o.Requests
				c.sum.Discarded += o.Discarded
				c.sum.Evaluated, c.sum.Faults = c.sum.Evaluated+o.Evaluated, c.sum.Faults+o.Faults
				c.sum.Improved, c.sum.Parents = c.sum.Improved+o.Improved, c.sum.Parents+o.Parents
				c.sum.Best += o.Best
			}
			rows = append(rows, c)
		}
	}
	return usesTable("failures-"+label.key, "Operators on "+label.Title, groups, rows,
		func(c counts) use { return c.use }, "",
		operatorFields(func(c counts) results.OperatorStats { return c.sum })...)
}

// eapsTable counts how many EAPs each origin gave, and how often these EAPs were chosen, tried and
// credited.
func eapsTable(label task, groups []*group) *Table {
	type counts struct {
		use
		sum            results.EAP
		admitted, best int
	}
	groups = where(groups, func(g *group) bool {
		return slices.ContainsFunc(g.Finished(), func(r *results.Run) bool {
			return len(r.EAPs) > 0
		})
	})
	var rows []counts
	for _, g := range groups {
		of := map[string]counts{}
		for _, r := range g.Finished() {
			for _, e := range r.EAPs {
				c := of[e.Origin]
				c.admitted++
				c.sum.Exposures += e.Exposures
				c.sum.Trials += e.Trials
				c.sum.Improvements += e.Improvements
				if e.InBest {
					c.best++
				}
				of[e.Origin] = c
			}
		}
		for i, origin := range slices.Sorted(maps.Keys(of)) {
			c := of[origin]
			c.use = use{g, origin, i == 0}
			rows = append(rows, c)
		}
	}
	return usesTable("eaps-"+label.key, "EAPs on "+label.Title, groups, rows,
		func(c counts) use { return c.use }, " Chosen: proposals with the EAP as their focus. "+
			"Trials: those that were evaluated. Credited: those that beat their first parent.",
		text("origin", "Origin", func(c counts) string { return c.name }),
		whole("admitted", "Admitted", func(c counts) int { return c.admitted }),
		whole("exposures", "Chosen", func(c counts) int { return c.sum.Exposures }),
		whole("trials", "Trials", func(c counts) int { return c.sum.Trials }),
		whole("improvements", "Credited", func(c counts) int { return c.sum.Improvements }),
		whole("best", "In the best program", func(c counts) int { return c.best }))
}
