package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

const (
	// frontierSeeds is the smallest number of seeds of a frontier, unless --frontier is set.
	frontierSeeds = 6
	// adviceSeeds is the smallest number of seeds with which a table recommends a division.
	adviceSeeds = 10
)

// fewestSeeds returns the number of seeds that a row with a frontier needs.
func (o Options) fewestSeeds() int {
	if o.Frontier {
		return 2
	}
	return frontierSeeds
}

type frontierRow struct {
	*results.Frontier
	g      *group
	seeds  int // number of seeds that the frontier uses
	budget int
}

// totals returns the total budgets to compare: the numbers 100, 300, 1000, … from the budget of one
// seed to the budget of r.Most() seeds.
func (r frontierRow) totals() (out []int) {
	for total := 100; total <= r.budget*r.Most(); total *= 10 {
		for _, b := range []int{total, 3 * total} {
			if b >= r.budget && b <= r.budget*r.Most() {
				out = append(out, b)
			}
		}
	}
	return out
}

// frontiers returns the frontier of every row with enough seeds; no frontier if budgets differ or
// the rows cannot be compared.
// Each frontier uses as many seeds as the row with the fewest, because the best of more seeds is
// better. planned lists the rows whose method plans over its whole budget. They have no frontier,
// because the beginning of such a run is no run with a smaller budget. sign turns scores into the
// task's values.
func frontiers(groups []*group, fewest int) (
	rows []frontierRow, sign float64, planned []*group,
) {
	own := where(raced(groups), func(g *group) bool { return len(g.Ended()) >= fewest })
	planned = where(own, func(g *group) bool { return g.method.Scheduled })
	own = where(own, func(g *group) bool { return !g.method.Scheduled })
	if _, comparable := compareHeaders(own); !comparable || len(own) == 0 {
		return nil, 0, nil
	}
	better, _ := own[0].task.direction(own)
	seeds := math.MaxInt
	for _, g := range own {
		seeds = min(seeds, len(g.Ended()))
	}
	for _, g := range own {
		runs := g.Ended()[:seeds]
		budget := runs[0].Header.Budget
		if slices.ContainsFunc(runs, func(r *results.Run) bool {
			return r.Header.Budget != own[0].Runs[0].Header.Budget
		}) {
			return nil, 0, nil
		}
		if f := results.NewFrontier(runs, better, g.Tolerance); f.Most() > 0 {
			rows = append(rows, frontierRow{f, g, seeds, budget})
		}
	}
	return rows, float64(better), planned
}

// frontierTable shows the best division of each total budget into seeds and evaluations, and the
// value of this division on seeds that did not choose it. It is nil without a frontier.
func frontierTable(label task, groups []*group, fewest int) *Table {
	rows, sign, planned := frontiers(groups, fewest)
	if len(rows) == 0 || len(rows[0].totals()) == 0 {
		return nil
	}
	_, arrow := label.direction(groups)
	var own []*group
	for _, r := range rows {
		own = append(own, r.g)
	}
	fields := []field[frontierRow]{
		text("row", "Method", func(r frontierRow) string { return r.g.title() }),
		modelField(own, func(r frontierRow) *group { return r.g }),
	}
	for _, total := range rows[0].totals() {
		id, span := fmt.Sprint(total), fmt.Sprintf("%d evaluations in all", total)
		fields = append(fields,
			field[frontierRow]{Column{ID: id + "/cell", Title: "seeds × evaluations", Span: span,
				Text: true, Data: rows[0].seeds < adviceSeeds}, func(r frontierRow) Cell {
				c, _ := r.Best(total)
				return render.Words(fmt.Sprintf("%d × %d", c.Seeds, c.Evaluations))
			}},
			field[frontierRow]{Column{ID: id, Title: "held out" + arrow, Span: span,
				Digits: label.Digits}, func(r frontierRow) Cell {
				v, ok := r.HeldOut(total)
				return orMissing(sign*v, ok)
			}})
	}
	t := newTable("frontier-"+label.key, "Seeds against evaluations on "+label.Title, rows,
		func(r frontierRow) Row { return r.g.row(r.g.Row()) }, fields...)
	for _, total := range rows[0].totals() {
		best, lead := math.Inf(-1), []*group(nil)
		for _, r := range rows {
			v, ok := r.HeldOut(total)
			switch {
			case !ok || r.g.Compare(v, best) < 0:
			case r.g.Compare(v, best) > 0:
				best, lead = v, []*group{r.g}
			default:
				lead = append(lead, r.g)
			}
		}
		if len(lead) == 1 && len(rows) > 1 {
			t.Note(render.Footnote, fmt.Sprintf("%s leads with %d evaluations in all.",
				listed(lead), total))
		}
	}
	if rows[0].seeds < adviceSeeds {
		t.Note(render.Seeds, fmt.Sprintf("%d seeds are too few to recommend a division; at least "+
			"%d are needed.", rows[0].seeds, adviceSeeds))
	}
	if len(planned) > 0 {
		t.Note(render.Footnote, "Left out, because their methods plan over the whole budget: "+
			listed(planned)+".")
	}
	if anyRescored(runsOf(own)) {
		t.Note(render.Seeds,
			"Seeds are chosen by noisy scores, so the best of many is too optimistic.")
	}
	complete(t, own)
	return t
}
