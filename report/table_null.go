package report

import (
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// A null is one row tested against one pool.
type null struct {
	g, pool *group
	results.PoolTest
}

// nulls tests the rows of a task against its pools. For a noisy task it uses the re-evaluated
// values. refused names the rows that cannot be tested, with the first field in which their headers
// differ from the pool's headers.
func (o Options) nulls(label task, groups []*group) (out []null, m measure, refused []string) {
	rows := where(searched(groups), func(g *group) bool { return !g.Trained() })
	better, _ := label.direction(groups)
	measures := measuresOf(rows)
	m = measures[len(measures)-1]
	for _, pool := range o.Pools {
		if pool.Task != label.id {
			continue
		}
		control := o.Labels.group(&results.Group{Key: pool.Key, Runs: pool.Runs})
		x, _ := pool.Values(m.of)
		runs := results.Larger(x, better)
		first := len(out)
		for _, g := range rows {
			if g.Runs[0].Key() == pool.Key {
				continue
			}
			field := ""
			for _, r := range g.Finished() {
				if field == "" {
					field = pool.Refuses(r)
				}
			}
			if field != "" {
				refused = append(refused, fmt.Sprintf("%s (%s)", g.title(), field))
				continue
			}
			if values := results.Larger(m.values(g), better); len(values) > 0 {
				out = append(out, null{g, control, g.Against(values, runs)})
			}
		}
		var tests []*results.Test
		for i := range out[first:] {
			tests = append(tests, &out[first+i].Test)
		}
		results.Adjust(tests)
	}
	return out, m, refused
}

// nullTable compares the rows of a task with its pools. It is nil if no row can be tested.
func (o Options) nullTable(label task, groups []*group) *Table {
	nulls, m, refused := o.nulls(label, groups)
	if len(nulls) == 0 {
		return nil
	}
	_, arrow := label.direction(groups)
	var own []*group
	for _, n := range nulls {
		own = with(own, n.g)
	}
	fields := []field[null]{
		text("row", "Method", func(n null) string { return n.g.title() }),
		text("control", "Control", func(n null) string { return n.pool.title() }),
		whole("runs", "Pool", func(n null) int { return len(n.Runs) }),
		{Column{ID: "values", Title: m.title, Spread: true, Digits: label.Digits},
			func(n null) Cell { return spread(n.g.Over(m.of)) }},
		whole("seeds", "Seeds", func(n null) int { return len(n.Seeds) }),
		number("quantile", "Quantile", 2, func(n null) float64 { return n.Quantile }),
	}
	fields[1].Data = nulls[0].pool == nulls[len(nulls)-1].pool // the title names the only pool
	fields = append(fields, boundedFields(
		[3]string{"improvement", "improvement_low", "improvement_high"}, "P(better)", 2,
		func(n null) results.Bounded { return n.Better })...)
	fields = append(fields,
		column("p", "p", 4, func(n null) Cell { return orMissing(n.P, !n.Chosen) }),
		column("holm", "Holm", 4, func(n null) Cell { return orMissing(n.Holm, !n.Chosen) }),
		number("smallest", "Smallest", 6, func(n null) float64 {
			return results.SmallestAbove(len(n.Seeds), len(n.Runs))
		}))
	var controls []*group
	for _, n := range nulls {
		controls = with(controls, n.pool)
	}
	t := newTable("null-"+label.key, fmt.Sprintf("Methods against control runs (%s) on %s (%s%s)",
		listed(controls), label.Title, lower(m.title), arrow), nulls, func(n null) Row {
		row := n.g.row(n.g.Row() + "|" + n.pool.Row())
		row.Section = n.pool.Row() + " " + n.pool.Models
		return row
	}, fields...)
	for _, pool := range o.Pools {
		if pool.Task == label.id {
			t.Note(render.Conditions, o.Labels.drift(pool, m.of))
			if days, ok := pool.Apart(runsOf(own)); ok && days != 0 {
				side := "before"
				if days < 0 {
					days, side = -days, "after"
				}
				t.Note(render.Conditions, fmt.Sprintf("The pool of %s began %s %s these runs.",
					pool.Row(), count(days, "day"), side))
			}
		}
	}
	if len(refused) > 0 {
		t.Note(render.Conditions, "Not tested, because their headers differ from the pool's: "+
			strings.Join(refused, "; ")+".")
	}
	t.Note(render.Footnote, superiorityNote)
	complete(t, own)
	return t
}

// Drift says whether the fresh runs of a pool differ from the pool.
func (l Labels) Drift(pool *results.Pool) string {
	of := (*results.Run).Train
	if anyRescored(pool.Runs) {
		of = (*results.Run).Fresh
	}
	if text := l.drift(pool, of); text != "" {
		return text
	}
	return "no fresh runs"
}

func (l Labels) drift(pool *results.Pool, of func(*results.Run) (float64, bool)) string {
	runs, checks := pool.Values(of)
	if len(checks) == 0 {
		return ""
	}
	p := results.Tolerance(l.task(pool.Task).Tolerance).RankTest(checks, runs)
	if p <= results.Alpha {
		return fmt.Sprintf("%d fresh runs of %s differ from its pool (p = %.2g): the model may "+
			"have changed, and these tests are valid only for the old model.",
			len(checks), pool.Row(), p)
	}
	return fmt.Sprintf("%d fresh runs of %s do not differ from its pool (p = %.2g).", len(checks),
		pool.Row(), p)
}

// daggers marks the rows of a main table that beat a pool of the task.
func (o Options) daggers(t *Table, label task, groups []*group) {
	nulls, _, refused := o.nulls(label, groups)
	if len(nulls) == 0 && len(refused) > 0 { // no nullTable says so
		t.Note(render.Conditions, "Not tested, because their headers differ from the pool's: "+
			strings.Join(refused, "; ")+".")
	}
	var beaten []string
	for _, n := range nulls {
		if !(n.Holm <= family) {
			continue
		}
		for i, r := range t.Rows {
			title := strings.TrimSuffix(r.Cells[0].Words, dagger)
			if r.ID == n.g.Row() && r.Models == n.g.Models && title == n.g.title() {
				t.Rows[i].Cells[0].Words = title + dagger
			}
		}
		beaten = with(beaten, fmt.Sprintf("%s (%d runs)", n.pool.title(), len(n.Runs)))
	}
	if len(beaten) > 0 {
		t.Note(render.Footnote, fmt.Sprintf("†: better than the pool of %s, Holm p ≤ %g.",
			strings.Join(beaten, ", "), family))
	}
}

const dagger = " †"
