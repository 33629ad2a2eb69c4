package report

import (
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// tuneTable shows the values of runs' best programs before and after their constants were tuned. It
// is nil without tuned programs.
func tuneTable(label task, groups []*group) *Table {
	type tuned struct {
		*group
		*results.Run
		*record.Tuned
	}
	var rows []tuned
	var own []*group
	for _, g := range groups {
		for _, r := range g.Finished() {
			if t, err := record.ReadTuned(r.Dir); err == nil && t != nil && t.Journal == r.Digest {
				rows, own = append(rows, tuned{g, r, t}), with(own, g)
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, arrow := label.direction(groups)
	value := func(id, title string, of func(tuned) (float64, bool)) field[tuned] {
		return column(id, title, label.Digits, func(t tuned) Cell { return orMissing(of(t)) })
	}
	share := func(id, title string, of func(tuned) (float64, bool)) field[tuned] {
		return column(id, title, 2, func(t tuned) Cell { return orMissing(of(t)) })
	}
	fields := []field[tuned]{
		text("row", "Method", func(t tuned) string { return t.title() }),
		text("seed", "Seed", func(t tuned) string { return fmt.Sprint(t.Run.Header.Seed) }),
		whole("knobs", "Constants", func(t tuned) int { return t.Knobs }),
		value("default", "Default", func(t tuned) (float64, bool) {
			return t.Default, t.Default != 0
		}),
		value("best", "Best", func(t tuned) (float64, bool) { return t.Tuned.Best, true }),
		value("tuned", "Tuned", func(t tuned) (float64, bool) { return t.Tuned.Tuned, true }),
		value("control", "Random", func(t tuned) (float64, bool) { return t.Control, true }),
		share("headroom", "Headroom", func(t tuned) (float64, bool) { return t.Headroom() }),
		share("recovered", "Recovered", func(t tuned) (float64, bool) { return t.Recovered() }),
	}
	for _, s := range label.splitsOf(runsOf(own), nil) {
		if !slices.ContainsFunc(rows, func(t tuned) bool { return t.Tuned.Tests[s.Name] != nil }) {
			continue
		}
		fields = append(fields,
			value(s.Name, s.Title, func(t tuned) (float64, bool) {
				return t.Run.Test(results.ByTraining, s.Name)
			}),
			value(s.Name+"_tuned", s.Title+", tuned", func(t tuned) (float64, bool) {
				o := t.Tuned.Tests[s.Name]
				if o == nil || o.Fault != nil {
					return 0, false
				}
				return o.Mean, true
			}))
	}
	t := newTable("tune-"+label.key, fmt.Sprintf("Best programs with tuned constants on %s (%s)",
		label.Title, "training"+arrow), rows,
		func(t tuned) Row { return Row{ID: t.Row(), Models: t.Models} }, fields...)
	t.Note(render.Footnote, "Tuned: the same program with tuned constants. No budget counts the "+
		"evaluations of tuning, so this table shows the effect of the constants and does not "+
		"compare methods.")
	return t
}
