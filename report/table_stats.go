package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// fresh is the suffix of the names of tables of re-evaluated values.
const fresh = "-fresh"

// A measure is a value that each finished run has, in the task's unit.
type measure struct {
	suffix, title string
	of            func(*results.Run) (float64, bool)
}

var training = measure{"", "Training", (*results.Run).Train}

// measuresOf returns the training value, and the re-evaluated value if a run has one.
func measuresOf(groups []*group) []measure {
	out := []measure{training}
	if anyRescored(runsOf(groups)) {
		out = append(out, measure{fresh, "Re-evaluated", (*results.Run).Fresh})
	}
	return out
}

// values returns the numbers of the finished seeds.
func (m measure) values(g *group) []float64 { return g.Over(m.of).Values }

// searched returns the groups that have a finished run and whose seeds differ by chance.
func searched(groups []*group) []*group {
	return where(groups, func(g *group) bool {
		return (!g.Baseline() || g.Trained()) && len(g.Finished()) > 0
	})
}

// statsTables returns the tables of means and pairs of one task.
func statsTables(label task, groups []*group) []*Table {
	var out []*Table
	for _, m := range measuresOf(groups) {
		out = append(out, meansTable(label, searched(groups), m),
			pairsTable(label, searched(groups), m))
	}
	return out
}

// meansTable returns a table with every row of a task, variants included: the mean, the seeds, and
// the interval of the mean.
func meansTable(label task, groups []*group, m measure) *Table {
	_, arrow := label.direction(groups)
	bound := func(id, title string, end func(results.Interval) float64) field[*group] {
		return column(id, title, label.Digits, func(g *group) Cell {
			i, ok := results.BootstrapMean(m.values(g))
			return orMissing(end(i), ok)
		})
	}
	title := fmt.Sprintf("Seeds and intervals on %s (%s%s)", label.Title, lower(m.title), arrow)
	t := methodTable("stats-"+label.key+m.suffix, title, groups, []field[*group]{
		{Column{ID: "mean", Title: m.title, Spread: true, Digits: label.Digits}, over(m.of)},
		bound("low", "Low", func(i results.Interval) float64 { return i.Low }),
		bound("high", "High", func(i results.Interval) float64 { return i.High }),
		{Column{ID: "values", Title: "Seeds", Text: true}, func(g *group) Cell {
			var list valueList
			for _, v := range m.values(g) {
				list.add(render.Fixed(v, label.Digits), render.Precise(v))
			}
			return list.cell()
		}},
	})
	t.Note(render.Seeds, coverageNote(groups, m, "mean"))
	complete(t, groups)
	return t
}

// coverageNote gives the true coverage of the bootstrap intervals of few seeds, for the mean or for
// the difference between two means.
func coverageNote(groups []*group, m measure, of string) string {
	few := math.MaxInt
	for _, g := range groups {
		if n := len(m.values(g)); n >= results.FewestSeeds {
			few = min(few, n)
		}
	}
	if few > results.Coverage[len(results.Coverage)-1].Seeds {
		return ""
	}
	var parts []string
	for _, c := range results.Coverage {
		percent := c.Percent
		if of != "mean" {
			percent = c.Difference
		}
		parts = append(parts, fmt.Sprintf("%d %% with %d", percent, c.Seeds))
	}
	return fmt.Sprintf("Low to High covers the true %s in %s seeds.", of,
		strings.Join(parts, ", "))
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }
