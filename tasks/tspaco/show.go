package tspaco

import (
	"context"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// show shows the effect of 1/d and of a program's heuristic on an instance: the chance of each step
// while the pheromone is equal everywhere, and the best tour of the colony. Rows and columns of
// both matrices are in the order of the program's tour, so that its edges are next to the diagonal.
func show(
	ctx context.Context, in bench.Instance, cities tsp.Instance, eta []float64,
	colony aco.Settings,
) error {
	inverse := Inverse(cities)
	program, length, err := best(ctx, in, cities, eta, colony)
	if err != nil {
		return err
	}
	plain, plainLength, err := best(ctx, in, cities, inverse, colony)
	if err != nil {
		return err
	}
	for _, p := range []bench.Picture{
		{
			Title:  "heuristic 1/d: chance of a step from row to column; dark 0.01 %, bright 100 %",
			Pixels: tsp.Preferences(inverse, program),
		},
		{
			Title:  "heuristic of this program, same scale",
			Pixels: tsp.Preferences(eta, program),
		},
		{
			Title:  fmt.Sprintf("best tour with 1/d: %.4f", plainLength),
			Pixels: cities.Picture(plain),
		},
		{
			Title:  fmt.Sprintf("best tour with this program: %.4f", length),
			Pixels: cities.Picture(program),
		},
	} {
		if err := in.Film.Show(p); err != nil {
			return err
		}
	}
	return nil
}

// best returns the best tour of a colony with the random numbers of the first evaluation.
func best(
	ctx context.Context, in bench.Instance, cities tsp.Instance, eta []float64, colony aco.Settings,
) (tour []int32, length float64, err error) {
	keep := func(_ int, tours [][]int32, lengths []float64) {
		if shortest := slices.Min(lengths); tour == nil || shortest < length {
			tour, length = slices.Clone(tours[slices.Index(lengths, shortest)]), shortest
		}
	}
	s := stream(in.Split, in.Number, 0)
	_, err = aco.Solve(ctx, cities, eta, colony, s, aco.Options{See: keep})
	return tour, length, err
}
