package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// A tournament has the methods that were run with the same models on the same tasks.
type tournament struct {
	tasks    []task
	measures []measure  // one for each task
	rows     [][]*group // by method and then by task
	left     []*group   // rows of methods that were not run on all tasks
	plain    []*group   // rows without a search, of any task
}

// tournaments returns the tournaments of at least two methods and two tasks. It leaves out tasks
// with only one method, and tasks with settings.
func tournaments(groups []*group) []tournament {
	plain := where(groups, func(g *group) bool { return g.Baseline() && !g.Trained() })
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
		for _, row := range gather(own, methodOf) {
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

// methodOf identifies a method and its version.
func methodOf(g *group) string { return g.Method + "\x00" + g.version }

func (p tournament) groups() []*group { return append(slices.Concat(p.rows...), p.left...) }

// field returns the rows that have run on all tasks.
func (p tournament) field() (f results.Field) {
	for j, task := range p.tasks {
		better, _ := task.direction(where(p.groups(), func(g *group) bool {
			return g.Task == task.id
		}))
		f.Of, f.Better = append(f.Of, p.measures[j].of), append(f.Better, better)
	}
	for _, row := range p.rows {
		var groups []*results.Group
		for _, g := range row {
			groups = append(groups, g.Group)
		}
		f.Rows = append(f.Rows, groups)
	}
	return f
}

// finish adds the models to the table's name if there are several tournaments, and lists the
// methods without a rank.
func (p tournament) finish(t *Table, several bool) *Table {
	first := p.rows[0][0]
	if several {
		t.Name += "-" + render.FileName(modelTitle(first.Models)+" "+first.lock)
	}
	if len(p.left) > 0 {
		t.Note(render.Footnote, "Without a rank, because they were not run on all of these tasks: "+
			listed(p.left)+".")
	}
	return t
}

// methodsTable has for every method the mean over the seeds and its rank on each task (1 is the
// best), and the mean rank over the tasks.
func (p tournament) methodsTable() *Table {
	ranks, mean := p.field().Ranks()
	place := func(g *group) int {
		return slices.IndexFunc(p.rows, func(row []*group) bool {
			return row[0].Row() == g.Row() && row[0].version == g.version
		})
	}
	// ranked returns a field whose cells are empty for rows that were not run on all tasks.
	ranked := func(c Column, of func(row int) Cell) field[*group] {
		return field[*group]{c, func(g *group) Cell {
			if i := place(g); i >= 0 {
				return of(i)
			}
			return Cell{}
		}}
	}
	digits := 0
	for _, r := range slices.Concat(ranks...) {
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
		}, func(i int) Cell { return render.Number(ranks[i][j]) })
		value := task.column(task.id, m.title, better)
		value.Span = task.Title + arrow
		fields = append(fields, field[*group]{value, onTask(task, over(m.of))},
			field[*group]{rank.Column, onTask(task, rank.cell)})
	}
	tests := 0
	for i := range p.rows {
		_, n := p.wins(i)
		tests = max(tests, n)
	}
	fields = append(fields,
		ranked(Column{ID: "rank", Title: "Mean rank", Digits: 2}, func(i int) Cell {
			return render.Number(mean[i].At)
		}),
		ranked(Column{ID: "low", Title: "Low", Digits: 2, Data: true}, func(i int) Cell {
			return orMissing(mean[i].Low, !mean[i].Few)
		}),
		ranked(Column{ID: "high", Title: "High", Digits: 2, Data: true}, func(i int) Cell {
			return orMissing(mean[i].High, !mean[i].Few)
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
	t := methodTable("methods", "Methods on all tasks", p.groups(), fields)
	complete(t, p.groups())
	return t
}

// wins counts the test sets on which the best program of a row beats every row of its task that
// does not search. It counts only test sets that are not saturated and on which both the row and
// one of these other rows have a value.
func (p tournament) wins(row int) (won, all int) {
	for _, g := range p.rows[row] {
		better, _ := g.task.direction([]*group{g})
		var plain []*results.Group
		for _, b := range p.plain {
			if b.Task == g.Task {
				plain = append(plain, b.Group)
			}
		}
		var splits []string
		for _, s := range g.task.splitsOf(g.Runs, nil) {
			if !s.Saturated {
				splits = append(splits, s.Name)
			}
		}
		w, n := g.TestsWon(plain, splits, better)
		won, all = won+w, all+n
	}
	return won, all
}
