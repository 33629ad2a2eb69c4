// Package colonytest collects the results of many solves of a colony with one heuristic. Start at
// Watch.
package colonytest

import (
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/colony"
)

// A Study has the results of one program on a training set, by replicate, as means over the
// instances.
type Study struct {
	Objective   []float64 // best value of the colony
	First, Last []float64 // ants' mean value in the first and in the last iteration
}

// Watch returns a form of the colony's task that solves every instance runs times, and the Study
// that the task fills. The ants' means detect errors: First shows a wrong mask, Last a wrong
// deposit.
func Watch[T any](c *colony.Colony[T], runs int) (*bench.Task, *Study) {
	t, s := c.Task(), &Study{
		make([]float64, runs), make([]float64, runs), make([]float64, runs),
	}
	t.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		instance, err := c.Sets.Instance(in.Split, in.Number)
		if err != nil {
			return bench.Measure{}, err
		}
		args, shape := c.Ask(instance)
		v, err := f.Call(ctx, args...)
		if err != nil {
			return bench.Measure{}, err
		}
		eta, err := aco.Heuristic(v, shape...)
		share := 1 / float64(c.Sets.Splits[0].Instances)
		for r := 0; r < runs && err == nil; r++ {
			var best float64
			best, err = c.Solve(ctx, in, eta, r,
				func(iteration int, _ [][]int32, values []float64) {
					mean := 0.0
					for _, v := range values {
						mean += v / float64(len(values))
					}
					switch iteration {
					case 0:
						s.First[r] += mean * share
					case c.Settings.Iterations - 1:
						s.Last[r] += mean * share
					}
				})
			s.Objective[r] += best * share
		}
		return bench.Measure{}, err
	}
	return t, s
}
