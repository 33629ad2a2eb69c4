package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// Statistics of few seeds: what stands behind a mean, whether two rows can be told apart, and ranks
// over tasks. docs/reading-results.md recomputes an example.

// fresh ends the names of tables of re-evaluated values.
const fresh = "-fresh"

// A measure is a number of each finished run, in the task's unit.
type measure struct {
	suffix, title string
	of            func(*results.Run) (float64, bool)
}

var trained = measure{"", "Training", (*results.Run).Train}

// measuresOf are the training value, and its re-evaluation where there is one.
func measuresOf(groups []*group) []measure {
	out := []measure{trained}
	if anyRescored(runsOf(groups)) {
		out = append(out, measure{fresh, "Re-evaluated", (*results.Run).Fresh})
	}
	return out
}

// values are the numbers of the finished seeds.
func (m measure) values(g *group) []float64 { return g.Over(m.of).Values }

// searched are the groups whose seeds differ by chance, and of which any has finished.
func searched(groups []*group) []*group {
	return where(groups, func(g *group) bool {
		return (!g.Baseline() || g.Learned()) && len(g.Finished()) > 0
	})
}

// statsTables are the statistics of one task.
func statsTables(label task, groups []*group) []*Table {
	var out []*Table
	for _, m := range measuresOf(groups) {
		out = append(out, meansTable(label, searched(groups), m),
			pairsTable(label, searched(groups), m))
	}
	return out
}

// meansTable has every row of a task, variants included: mean, seeds, and the interval of the mean.
func meansTable(label task, groups []*group, m measure) *Table {
	_, arrow := label.direction(groups)
	t := &Table{
		Name: "stats-" + label.key + m.suffix,
		Title: fmt.Sprintf("Seeds and intervals on %s (%s%s)", label.Title, lower(m.title),
			arrow),
	}
	bound := func(id, title string, end func(results.Interval) float64) field[*group] {
		return column(id, title, label.Digits, func(g *group) Cell {
			values := m.values(g)
			if len(values) < results.FewestSeeds {
				return Cell{}
			}
			return render.Number(end(results.Bootstrap("mean", func(s [][]float64) []float64 {
				return []float64{record.Mean(s[0])}
			}, values)[0]))
		})
	}
	methodRows(t, groups, []field[*group]{
		{Column{ID: "mean", Title: m.title, Spread: true, Digits: label.Digits}, over(m.of)},
		bound("low", "Low", func(i results.Interval) float64 { return i.Low }),
		bound("high", "High", func(i results.Interval) float64 { return i.High }),
		{Column{ID: "values", Title: "Seeds", Text: true}, func(g *group) Cell {
			var parts, data []string
			for _, v := range m.values(g) {
				parts = append(parts, render.Fixed(v, label.Digits))
				data = append(data, render.Precise(v))
			}
			c := render.Words(strings.Join(parts, "  "))
			c.Data = strings.Join(data, " ")
			return c
		}},
	})
	t.Note(render.Seeds, coverageNote(groups, m, "mean"))
	complete(t, groups)
	return t
}

// A pair is two groups of one task, the one with the better mean first.
type pair struct {
	a, b        *group
	difference  bounded // of the means, in the task's unit
	improvement bounded // P(better)
	p, holm     float64 // of the pair alone, and adjusted for all pairs of the table
	separated   bool    // the seeds tell which of the two is better
	chosen      bool    // seeds may have been chosen: no p is given
}

// A bounded is a number with its interval.
type bounded struct {
	at float64
	results.Interval
	few bool // too few seeds for an interval
}

// superiority is P(better) with its interval.
func superiority(theta float64, m, n int) bounded {
	return bounded{theta, results.SuperiorityInterval(theta, m, n), min(m, n) < results.FewestSeeds}
}

// boundedFields are the columns of a bounded number.
func boundedFields[T any](ids [3]string, title string, digits int, of func(T) bounded) []field[T] {
	return []field[T]{
		number(ids[0], title, digits, func(v T) float64 { return of(v).at }),
		column(ids[1], "Low", digits, func(v T) Cell { return orMissing(of(v).Low, !of(v).few) }),
		column(ids[2], "High", digits, func(v T) Cell { return orMissing(of(v).High, !of(v).few) }),
	}
}

func newPair(a, b *group, m measure, better int) *pair {
	sign := float64(better)
	x, y := larger(m.values(a), better), larger(m.values(b), better)
	if len(x) == 0 || len(y) == 0 {
		return nil
	}
	if a.Compare(record.Mean(x), record.Mean(y)) < 0 {
		a, b, x, y = b, a, y, x
	}
	differ := func(s [][]float64) []float64 {
		return []float64{sign * (record.Mean(s[0]) - record.Mean(s[1]))}
	}
	p := &pair{
		a: a, b: b, improvement: superiority(a.Superiority(x, y), len(x), len(y)),
		difference: bounded{differ([][]float64{x, y})[0],
			results.Bootstrap("pair", differ, x, y)[0], min(len(x), len(y)) < results.FewestSeeds},
		p: a.RankTest(x, y), separated: a.Separated(x, y),
		chosen: a.Chosen() != "" || b.Chosen() != "",
	}
	if p.chosen {
		p.p, p.separated = math.NaN(), false
	}
	p.holm = p.p
	return p
}

// larger are values of which the larger are better.
func larger(values []float64, better int) (out []float64) {
	for _, v := range values {
		out = append(out, float64(better)*v)
	}
	return out
}

// pairsOf lists what is compared: methods with the same models, and variants with their method.
func pairsOf(groups []*group) (out [][2]*group) {
	for i, a := range groups {
		for _, b := range groups[i+1:] {
			same := a.Models == b.Models && a.Lock == b.Lock && !a.Baseline() && !b.Baseline()
			methods := a.Variant == "" && b.Variant == ""
			if same && (methods || a.Method == b.Method && (a.Variant == "" || b.Variant == "")) {
				out = append(out, [2]*group{a, b})
			}
		}
	}
	return out
}

// pairsTable compares every two rows of a task; nil where there are none, or their runs cannot be
// compared.
func pairsTable(label task, groups []*group, m measure) *Table {
	if _, comparable := compareHeaders(groups); !comparable {
		return nil
	}
	better, arrow := label.direction(groups)
	var pairs []*pair
	for _, g := range pairsOf(groups) {
		if p := newPair(g[0], g[1], m, better); p != nil {
			pairs = append(pairs, p)
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	var ps []float64
	tested := where(pairs, func(p *pair) bool { return !p.chosen })
	for _, p := range tested {
		ps = append(ps, p.p)
	}
	for i, p := range results.Holm(ps) {
		tested[i].holm = p
	}
	fields := []field[*pair]{
		text("row", "Better", func(p *pair) string { return p.a.title() }),
		text("against", "than", func(p *pair) string { return p.b.title() }),
		text("model", "Model", func(p *pair) string { return modelTitle(p.a.Models) }),
	}
	fields[2].Data = len(models(groups)) < 2
	for _, f := range boundedFields([3]string{"difference", "difference_low", "difference_high"},
		"Difference", label.Digits, func(p *pair) bounded { return p.difference }) {
		fields = append(fields, field[*pair]{f.Column, func(p *pair) Cell {
			c := f.cell(p)
			c.Signed = true
			return c
		}})
	}
	fields = append(fields, boundedFields(
		[3]string{"improvement", "improvement_low", "improvement_high"},
		"P(better)", 2, func(p *pair) bounded { return p.improvement })...)
	fields = append(fields,
		column("p", "p", 3, func(p *pair) Cell { return orMissing(p.p, !p.chosen) }),
		column("holm", "Holm", 3, func(p *pair) Cell { return orMissing(p.holm, !p.chosen) }),
		field[*pair]{Column{ID: "smallest", Title: "Smallest p", Digits: 6, Data: true},
			func(p *pair) Cell { return render.Number(p.smallest(m)) }},
		field[*pair]{Column{ID: "needed", Title: "Seeds for p ≤ 0.05", Text: true,
			Data: !slices.ContainsFunc(pairs, func(p *pair) bool { return p.needed(m) != "" })},
			func(p *pair) Cell { return render.Words(cmp.Or(p.needed(m), "–")) }},
		text("separated", "Separated", func(p *pair) string {
			if p.chosen {
				return "–"
			}
			return map[bool]string{true: "yes", false: "no"}[p.separated]
		}))
	t := newTable("pairs-"+label.key+m.suffix, fmt.Sprintf("Pairs of methods on %s (%s%s)",
		label.Title, lower(m.title), arrow), pairs, fields...)
	apart := 0
	for i, p := range pairs {
		r := &t.Rows[i]
		r.ID, r.Models = p.a.Row()+"|"+p.b.Row(), p.a.Models
		r.Rule = i > 0 && p.a.Models != pairs[i-1].a.Models
		r.Remarks = remarks(p.a)
		if p.separated {
			apart++
		}
	}
	t.Note(render.Seeds, coverageNote(groups, m, "difference"))
	if len(tested) > 0 {
		t.Note(render.Seeds, holmNote(tested, m), separable(apart, len(tested)))
	}
	t.Note(render.Footnote, superiorityNote)
	complete(t, groups)
	return t
}

// smallest is the smallest p that the seeds of a pair can reach without ties.
func (p *pair) smallest(m measure) float64 {
	return results.SmallestP(len(m.values(p.a)), len(m.values(p.b)))
}

// needed is how many seeds in each row would tell a pair apart, for both ends of the interval of
// P(better); empty where too few seeds say so.
func (p *pair) needed(m measure) string {
	k := min(len(m.values(p.a)), len(m.values(p.b)))
	if k < results.FewestPilots {
		return ""
	}
	few := results.SeedsNeeded(p.improvement.High, k)
	most := results.SeedsNeeded(p.improvement.Low, k)
	switch {
	case math.IsInf(few, 1):
		return "∞"
	case math.IsInf(most, 1):
		return fmt.Sprintf("≥ %.0f", few)
	}
	return fmt.Sprintf("%.0f–%.0f", few, most)
}

// Power says for each task how many seeds would tell two rows apart, as far as the runs of a store
// say so. It is help with planning, and no result.
func Power(s *results.Store, l Labels, a, b string) (lines []string) {
	for _, own := range byTask(l.groups(s)) {
		for _, pair := range pairsOf(searched(own)) {
			if rows := []string{pair[0].Row(), pair[1].Row()}; !slices.Contains(rows, a) ||
				!slices.Contains(rows, b) {
				continue
			}
			measures := measuresOf(own)
			m := measures[len(measures)-1]
			better, _ := own[0].task.direction(own)
			p := newPair(pair[0], pair[1], m, better)
			if p == nil {
				continue
			}
			text := fmt.Sprintf("%s, %s against %s, %s seeds a row: ", own[0].task.Title,
				p.a.title(), p.b.title(), seedCounts(p, m))
			if n := p.needed(m); n != "" {
				text += n + " seeds a row would separate them at p ≤ 0.05 with a chance of 0.8"
			} else {
				text += fmt.Sprintf("fewer than %d seeds say nothing of how many are needed",
					results.FewestPilots)
			}
			lines = append(lines, text)
		}
	}
	return lines
}

func seedCounts(p *pair, m measure) string {
	return fmt.Sprintf("%d and %d", len(m.values(p.a)), len(m.values(p.b)))
}

// family is the largest p, adjusted by Holm, at which a pair of a table counts as told apart.
const family = 0.05

// holmNote says how many pairs Holm's p tells apart, and where none can be, how many seeds could.
func holmNote(pairs []*pair, m measure) string {
	apart, least := 0, 1.0
	for _, p := range pairs {
		if least = min(least, p.smallest(m)); p.holm <= family {
			apart++
		}
	}
	if level := family / float64(len(pairs)); least > level {
		return fmt.Sprintf("No p can be below %.2g here, and Holm's limit for %s is %.2g: %d "+
			"seeds a row can reach it.", least, count(len(pairs), "pair"), level,
			results.SeedsFor(level))
	}
	return fmt.Sprintf("Holm's p is at most %g in %d of %s.", family, apart,
		count(len(pairs), "pair"))
}

// coverageNote says what the bootstrapped intervals of a table of few seeds are worth: of the mean,
// or of the difference of two.
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

var superiorityNote = fmt.Sprintf("The interval of P(better) covers it in %d %% or more.",
	results.SuperiorityCoverage)

// separable says in words how much the seeds can tell.
func separable(apart, all int) string {
	switch {
	case all == 1 && apart == 1:
		return "The seeds separate the two methods."
	case all == 1:
		return "These seeds do not separate the two methods."
	case apart == 0:
		return fmt.Sprintf("These seeds separate no two methods (%d pairs).", all)
	case apart == all:
		return fmt.Sprintf("The seeds separate all %d pairs.", all)
	}
	return fmt.Sprintf(
		"The seeds separate %d of %d pairs; these seeds do not separate the others.", apart, all)
}

// A tournament is the methods that were run with the same models on the same tasks.
type tournament struct {
	tasks    []task
	measures []measure  // of each task
	rows     [][]*group // by method, then task
	left     []*group   // of the methods that lack a task
	plain    []*group   // rows without a search, of any task
}

// tournaments are those with at least two methods and two tasks. Tasks of one method, and of
// settings of their own, are left out.
func tournaments(groups []*group) []tournament {
	plain := where(groups, func(g *group) bool { return g.Baseline() && !g.Learned() })
	groups = where(searched(groups), func(g *group) bool {
		return g.Variant == "" && !g.Baseline() && !strings.Contains(g.Task, "@")
	})
	var out []tournament
	class := func(g *group) string { return g.Models + "\x00" + g.lock }
	classes := gather(groups, class)
	slices.SortFunc(classes, func(a, b []*group) int {
		return strings.Compare(class(a[0]), class(b[0]))
	})
	for _, own := range classes {
		p := tournament{plain: plain}
		for _, on := range byTask(own) {
			if len(on) > 1 {
				measures := measuresOf(on)
				p.tasks = append(p.tasks, on[0].task)
				p.measures = append(p.measures, measures[len(measures)-1])
			}
		}
		for _, row := range gather(own, func(g *group) string { return g.Method }) {
			row = where(row, func(g *group) bool {
				return slices.ContainsFunc(p.tasks, func(t task) bool { return t.id == g.Task })
			})
			if len(row) == len(p.tasks) {
				p.rows = append(p.rows, row)
			} else {
				p.left = append(p.left, row...)
			}
		}
		if _, comparable := compareHeaders(p.groups()); comparable &&
			len(p.tasks) > 1 && len(p.rows) > 1 {
			out = append(out, p)
		}
	}
	return out
}

// groups are all of the tournament.
func (p tournament) groups() []*group { return append(slices.Concat(p.rows...), p.left...) }

// samples are the values of the tournament's groups by row, then task, larger being better.
func (p tournament) samples() [][]float64 {
	var out [][]float64
	for _, row := range p.rows {
		for j, g := range row {
			better, _ := p.tasks[j].direction([]*group{g})
			out = append(out, larger(p.measures[j].values(g), better))
		}
	}
	return out
}

// few reports whether a sample has too few seeds for an interval.
func (p tournament) few() bool {
	return slices.ContainsFunc(p.samples(), func(s []float64) bool {
		return len(s) < results.FewestSeeds
	})
}

// ranks are, from the samples of a tournament, the rank of each row's mean on each task, 1 being
// the best, and behind them the mean rank of each row.
func (p tournament) ranks(samples [][]float64) []float64 {
	tasks := len(p.tasks)
	out := make([]float64, (tasks+1)*len(p.rows))
	means := make([]float64, len(p.rows))
	for j := range tasks {
		for i := range p.rows {
			means[i] = -record.Mean(samples[i*tasks+j])
		}
		for i, r := range p.rows[0][j].Ranks(means) {
			out[i*tasks+j] = r
		}
	}
	for i := range p.rows {
		out[tasks*len(p.rows)+i] = record.Mean(out[i*tasks : (i+1)*tasks])
	}
	return out
}

// finish names a table of the tournament, by its models where there are several tournaments.
func (p tournament) finish(t *Table, several bool) *Table {
	first := p.rows[0][0]
	if several {
		t.Name += "-" + render.FileName(modelTitle(first.Models)+" "+first.lock)
	}
	if len(p.left) > 0 {
		t.Note(render.Footnote, "Without a rank, since they have not run on all of these tasks: "+
			listed(p.left)+".")
	}
	return t
}

// methodsTable has every method on every task: the mean over seeds, its rank on the task, 1 being
// the best, and the mean rank over the tasks.
func (p tournament) methodsTable() *Table {
	tasks, samples := len(p.tasks), p.samples()
	now, spans := p.ranks(samples), results.Bootstrap("ranks", p.ranks, samples...)
	place := func(g *group) int {
		return slices.IndexFunc(p.rows, func(row []*group) bool { return row[0].Row() == g.Row() })
	}
	// ranked is a column of what is known of a row that has run on all tasks.
	ranked := func(c Column, of func(row int) Cell) field[*group] {
		return field[*group]{c, func(g *group) Cell {
			if i := place(g); i >= 0 {
				return of(i)
			}
			return Cell{}
		}}
	}
	digits := 0
	for _, r := range now[:tasks*len(p.rows)] {
		if r != math.Trunc(r) {
			digits = 1 // two rows share a rank
		}
	}
	var fields []field[*group]
	for j, task := range p.tasks {
		m := p.measures[j]
		better, arrow := task.direction(where(p.groups(), func(g *group) bool {
			return g.Task == task.id
		}))
		rank := ranked(Column{
			ID: task.id + "/rank", Title: "Rank", Span: task.Title + arrow, Digits: digits,
		}, func(i int) Cell { return render.Number(now[i*tasks+j]) })
		fields = append(fields, field[*group]{Column{
			ID: task.id, Title: m.title, Span: task.Title + arrow, Spread: true,
			Digits: task.Digits, Better: better, Equal: results.Tolerance(task.Tolerance),
		}, onTask(task, over(m.of))}, field[*group]{rank.Column, onTask(task, rank.cell)})
	}
	tests := 0
	for i := range p.rows {
		_, n := p.wins(i)
		tests = max(tests, n)
	}
	mean := func(i int) int { return tasks*len(p.rows) + i }
	fields = append(fields,
		ranked(Column{ID: "rank", Title: "Mean rank", Digits: 2}, func(i int) Cell {
			return render.Number(now[mean(i)])
		}),
		ranked(Column{ID: "low", Title: "Low", Digits: 2, Data: true}, func(i int) Cell {
			return orMissing(spans[mean(i)].Low, !p.few())
		}),
		ranked(Column{ID: "high", Title: "High", Digits: 2, Data: true}, func(i int) Cell {
			return orMissing(spans[mean(i)].High, !p.few())
		}),
		ranked(Column{ID: "wins", Title: "Above textbook", Text: true, Data: tests == 0},
			func(i int) Cell {
				won, all := p.wins(i)
				c := render.Words(fmt.Sprintf("%d of %d", won, all))
				c.Data = fmt.Sprint(won)
				return c
			}),
		ranked(Column{ID: "tests", Title: "Tests", Data: true}, func(i int) Cell {
			_, all := p.wins(i)
			return render.Number(float64(all))
		}))
	t := &Table{Name: "methods", Title: "Methods on all tasks"}
	methodRows(t, p.groups(), fields)
	complete(t, p.groups())
	return t
}

// wins counts the test sets on which the best program of a row is better than every row of its task
// without a search, among those that both have and that are not saturated.
func (p tournament) wins(row int) (won, all int) {
	for _, g := range p.rows[row] {
		better, _ := g.task.direction([]*group{g})
		own := where(p.plain, func(b *group) bool { return b.Task == g.Task })
		for _, s := range g.task.splitsOf(g.Runs, nil) {
			if s.Saturated {
				continue
			}
			mine, best := testOf(g.Winner(), results.ByTraining, s.Name), math.Inf(-1)
			for _, b := range own {
				if c := testOf(b.Winner(), results.ByTraining, s.Name); c.N > 0 {
					best = max(best, float64(better)*c.Mean)
				}
			}
			if mine.N > 0 && !math.IsInf(best, -1) {
				all++
				if g.Compare(float64(better)*mine.Mean, best) > 0 {
					won++
				}
			}
		}
	}
	return won, all
}

// improvementTable compares every two methods over tasks.
func (p tournament) improvementTable() *Table {
	type pair struct {
		a, b  *group
		now   []float64 // on each task
		mean  bounded
		apart int
		// chosen says that seeds may have been chosen: no test counts.
		chosen bool
	}
	tasks, samples := len(p.tasks), p.samples()
	improvement := func(s [][]float64) []float64 {
		out := make([]float64, tasks+1)
		for j := range tasks {
			out[j] = p.rows[0][j].Superiority(s[j], s[tasks+j])
		}
		out[tasks] = record.Mean(out[:tasks])
		return out
	}
	of := func(i int) [][]float64 { return samples[i*tasks : (i+1)*tasks] }
	var pairs []pair
	for i := range p.rows {
		for k := i + 1; k < len(p.rows); k++ {
			a, b := i, k
			now := improvement(slices.Concat(of(a), of(b)))
			if results.Tolerance(0).Compare(now[tasks], 0.5) < 0 {
				a, b = b, a
			}
			own := slices.Concat(of(a), of(b))
			now = improvement(own)
			x := pair{a: p.rows[a][0], b: p.rows[b][0], now: now}
			var spans []results.Interval
			for j := range tasks {
				m, n := len(own[j]), len(own[tasks+j])
				spans = append(spans, results.SuperiorityInterval(now[j], m, n))
				x.mean.few = x.mean.few || min(m, n) < results.FewestSeeds
				x.chosen = x.chosen || p.rows[a][j].Chosen() != "" || p.rows[b][j].Chosen() != ""
				if p.rows[0][j].RankTest(own[j], own[tasks+j]) <= results.Alpha {
					x.apart++
				}
			}
			x.mean.at, x.mean.Interval = now[tasks], results.MeanOf(now[:tasks], spans)
			pairs = append(pairs, x)
		}
	}
	fields := []field[pair]{
		text("row", "Better", func(x pair) string { return x.a.title() }),
		text("against", "than", func(x pair) string { return x.b.title() }),
	}
	for j, task := range p.tasks {
		fields = append(fields,
			number(task.id, task.Title, 2, func(x pair) float64 { return x.now[j] }))
	}
	fields = append(fields, boundedFields([3]string{"improvement", "low", "high"}, "P(better)", 2,
		func(x pair) bounded { return x.mean })...)
	fields = append(fields, column("separated", "Separated on", 0, func(x pair) Cell {
		return orMissing(float64(x.apart), !x.chosen)
	}))
	t := newTable("improvement", "Probability of improvement over tasks", pairs, fields...)
	for i, x := range pairs {
		t.Rows[i].ID, t.Rows[i].Models = x.a.Row()+"|"+x.b.Row(), x.a.Models
		t.Rows[i].Remarks = remarks(x.a)
	}
	t.Note(render.Footnote, superiorityNote)
	complete(t, slices.Concat(p.rows...))
	return t
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }
