package baselines

import (
	"context"

	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// greedy is Greedy Construct: from city 0 always to the nearest unvisited city. It reproduces the
// published 6.938, 13.362, 20.794 and 28.917.
func greedy() Baseline {
	return Baseline{
		Name: "greedy", Title: "Greedy Construct", Task: tspconstruct.Name,
		Settings: "from node 0 to the nearest unvisited node",
		Run: func(ctx context.Context, split string) ([]float64, error) {
			nearest := func(_ int, unvisited []int32) (int, error) { return int(unvisited[0]), nil }
			set, err := tspconstruct.Instances(split)
			if err != nil {
				return nil, err
			}
			lengths := make([]float64, len(set))
			for i := range lengths {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if lengths[i], err = tspconstruct.Measure(split, i, nearest); err != nil {
					return nil, err
				}
			}
			return lengths, nil
		},
	}
}
