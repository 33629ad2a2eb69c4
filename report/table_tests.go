package report

import (
	"slices"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// testsTable has the mean over the seeds, each with its own best program, on the tests and on the
// validation split. The paper has no such table.
func (o Options) testsTable(label task, groups []*group) *Table {
	groups = where(groups, (*group).main)
	better, arrow := label.direction(groups)
	var fields []field[*group]
	for _, s := range label.splitsOf(runsOf(groups), nil) {
		c := label.column(s.Name, s.Title, better)
		c.Span, c.Underline = label.Title+arrow, s.InDomain
		fields = append(fields, field[*group]{c, over(func(r *results.Run) (float64, bool) {
			return r.Test(o.Select, s.Name)
		})})
	}
	validation := func(r *results.Run) (float64, bool) { return r.Validation(o.Select) }
	if slices.ContainsFunc(runsOf(groups), o.validated) {
		c := label.column(record.Val, "Validation", better)
		c.Span = label.Title + arrow
		d := Column{ID: "optimism", Title: "Optimism", Spread: true, Digits: label.Digits}
		fields = append(fields, field[*group]{c, over(validation)},
			field[*group]{d, over(func(r *results.Run) (float64, bool) {
				return r.Optimism(o.Select)
			})})
	}
	if len(fields) == 0 {
		return nil
	}
	t := methodTable("tests-"+label.key,
		"Tests of each seed's own best program on "+label.Title+o.chosen(), groups, fields)
	complete(t, groups)
	t.Note(render.Seeds, Options{Select: o.Select}.untestedNotes(groups)...)
	return t
}

// validated reports whether the chosen program of a run has a value in validation.
func (o Options) validated(r *results.Run) bool {
	_, ok := r.Validation(o.Select)
	return ok
}
