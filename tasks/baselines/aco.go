package baselines

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/tasks/internal/tsp"
	"github.com/pacebench/pacebench/tasks/tspaco"
)

// aco returns the plain colony: a heuristic of 1/d on every edge, prepared like every candidate's.
// The tours of the paper's row are 0.6 to 1.9 % longer at all sizes, on an unknown sample of 64
// instances.
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

// colonies solves every instance of a split with the heuristic made for it, with one concurrent
// solve for each core. Every solve has its own streams, so the order does not matter.
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
