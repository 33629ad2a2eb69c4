package baselines

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/tasks/internal/tsp"
	"github.com/pacebench/pacebench/tasks/tspaco"
)

// aco returns the plain colony: a heuristic of 1/d on every edge, prepared like a candidate's
// heuristic. The tours of the paper's row, on an unknown sample of 64 instances, are 0.6 to 1.9 %
// longer than this row's tours at every size.
func aco() Baseline {
	return Baseline{
		Name: "aco", Title: "ACO", Task: tspaco.Name, Settings: "1/d as the heuristic, " + colony,
		Run: func(ctx context.Context, split string) ([]float64, error) {
			return colonies(ctx, split, tspaco.Inverse)
		},
	}
}

// colony describes the colony of all rows on TSP-ACO.
const colony = "30 ants, 100 iterations"

// colonies solves every instance of a split with its own heuristic, as many at a time as there are
// cores. Every solve has its own random streams, so the order does not matter.
func colonies(
	ctx context.Context, split string, heuristic func(cities tsp.Instance) []float64,
) ([]float64, error) {
	set, err := tspaco.Instances(split)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(set))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i, cities := range set {
		g.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				values[i], err = tspaco.Solve(ctx, split, i, heuristic(cities))
			}
			return err
		})
	}
	return values, g.Wait()
}
