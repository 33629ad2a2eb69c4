package report

import (
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// onTask returns cell for the groups of a task, and an empty cell for the groups of other tasks.
func onTask(t task, cell func(*group) Cell) func(*group) Cell {
	return func(g *group) Cell {
		if g.Task != t.id {
			return Cell{}
		}
		return cell(g)
	}
}

// estimated marks a cell of the group if the tokens of a finished run are estimated.
func estimated(g *group, c Cell) Cell {
	return estimate(c, slices.ContainsFunc(g.Finished(), func(r *results.Run) bool {
		return r.Tokens().Estimated
	}))
}

func spread(s results.Sample) Cell {
	return Cell{Mean: s.Mean, SD: s.SD, N: s.N, Values: s.Values, Runs: digests(s.Runs)}
}

// spread returns a sample of the group's seeds as a cell.
func (g *group) spread(s results.Sample) Cell {
	c := spread(s)
	c.Chosen = g.Chosen() != ""
	return c
}

// over returns a function that makes a group's cell from the numbers of its finished runs.
func over(number func(*results.Run) (float64, bool)) func(*group) Cell {
	return func(g *group) Cell { return g.spread(g.Over(number)) }
}

// testOf returns the result of a run's chosen program on a test split.
func testOf(r *results.Run, by results.Choice, split string) Cell {
	if r == nil {
		return Cell{}
	}
	switch o := r.Tested(by, split); {
	case o == nil:
		return Cell{}
	case o.Fault != nil:
		return render.Words("fault: " + string(o.Fault.Kind))
	default:
		return render.Number(o.Mean)
	}
}

func orMissing(x float64, ok bool) Cell {
	if !ok {
		return Cell{}
	}
	return render.Number(x)
}

// estimate marks a number that depends on estimated tokens.
func estimate(c Cell, is bool) Cell {
	c.Estimated = is && c.N > 0
	return c
}

// A valueList makes a cell of several numbers, which have their full precision in CSV.
type valueList struct{ text, data []string }

func (l *valueList) add(text, data string) {
	l.text, l.data = append(l.text, text), append(l.data, data)
}

func (l *valueList) cell() Cell {
	c := render.Words(strings.Join(l.text, "  "))
	c.Data = strings.Join(l.data, " ")
	return c
}
