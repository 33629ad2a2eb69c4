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
	t := &Table{Name: "tests-" + label.key,
		Title: "Tests of each seed's own best program on " + label.Title + o.chosen()}
	var fields []field[*group]
	for _, s := range label.splitsOf(runsOf(groups), nil) {
		c := Column{
			ID: s.Name, Title: s.Title, Span: label.Title + arrow, Spread: true,
			Digits: label.Digits, Better: better, Underline: s.InDomain,
			Equal: results.Tolerance(label.Tolerance),
		}
		fields = append(fields, field[*group]{c, over(func(r *results.Run) (float64, bool) {
			return r.Test(o.Select, s.Name)
		})})
	}
	validation := func(r *results.Run) (float64, bool) { return r.Validation(o.Select) }
	if slices.ContainsFunc(runsOf(groups), o.validated) {
		c := Column{
			ID: record.Val, Title: "Validation", Span: label.Title + arrow, Spread: true,
			Digits: label.Digits, Better: better, Equal: results.Tolerance(label.Tolerance),
		}
		d := Column{ID: "optimism", Title: "Optimism", Spread: true, Digits: label.Digits}
		fields = append(fields, field[*group]{c, over(validation)},
			field[*group]{d, over(func(r *results.Run) (float64, bool) {
				return r.Optimism(o.Select)
			})})
	}
	if len(fields) == 0 {
		return nil
	}
	methodRows(t, groups, fields)
	complete(t, groups)
	t.Note(render.Seeds, Options{Select: o.Select}.untestedNotes(groups)...)
	return t
}

// validated reports whether the chosen program of a run has a value in validation.
func (o Options) validated(r *results.Run) bool {
	_, ok := r.Validation(o.Select)
	return ok
}
