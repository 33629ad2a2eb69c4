package baselines

import (
	"context"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/bppaco"
	"github.com/pacebench/pacebench/tasks/cvrpaco"
	"github.com/pacebench/pacebench/tasks/mkpaco"
	"github.com/pacebench/pacebench/tasks/opaco"
	"github.com/pacebench/pacebench/tasks/tspgls"
)

// textbook are rows that most papers leave out: short textbook rules as programs of the task, and
// classical heuristics without a colony.
func textbook() []Baseline {
	line := func(task *bench.Task, name, title, reference, settings string) Baseline {
		i := slices.IndexFunc(task.References, func(r bench.Reference) bool {
			return r.Name == reference
		})
		return Baseline{
			Name: name, Title: title, Task: task.Name, Settings: settings,
			Program: task.References[i].Source,
		}
	}
	pack := func(name, title, settings string, rule func(items []int64) int) Baseline {
		return Baseline{
			Name: name, Title: title, Task: bppaco.Name, Settings: settings,
			Run: func(ctx context.Context, split string) ([]float64, error) {
				return each(ctx, bppaco.Task(), split, func(instance int) (float64, error) {
					items, err := bppaco.Items(split, instance)
					return float64(rule(items)), err
				})
			},
		}
	}
	cvrp, mkp, op, gls := cvrpaco.Task(), mkpaco.Task(), opaco.Task(), tspgls.Task()
	return []Baseline{
		line(cvrp, "aco", "ACO", "inverse", "1/d as the heuristic"),
		line(cvrp, "aco-square", "ACO, 1/d²", "inverse_square", "1/d² as the heuristic"),
		{
			Name: "savings", Title: "Savings", Task: cvrp.Name,
			Settings: "the pair of routes that saves most is joined while it fits a vehicle",
			Run: func(ctx context.Context, split string) ([]float64, error) {
				return each(ctx, cvrp, split, func(instance int) (float64, error) {
					return cvrpaco.Savings(split, instance)
				})
			},
		},
		line(mkp, "aco", "ACO", "prize_per_weight", "prize over the sum of weights"),
		line(mkp, "aco-cubed", "ACO, (prize / max weight)³", "prize_per_heaviest_cubed",
			"prize over the largest weight, to the third power"),
		line(op, "aco", "ACO", "prize_per_distance", "prize over distance"),
		line(op, "aco-square", "ACO, prize/d²", "prize_per_distance_squared",
			"prize over the square of the distance"),
		line(bppaco.Task(), "aco", "ACO", "largest_first", "the size of the second item"),
		pack("first-fit-decreasing", "First fit decreasing",
			"the largest item first, into the first bin that takes it", bppaco.FirstFitDecreasing),
		pack("best-fit-decreasing", "Best fit decreasing",
			"the largest item first, into the bin with the least room that takes it",
			bppaco.BestFitDecreasing),
		line(gls, "gls", "GLS", "distance", "the distances as the guide"),
	}
}

// each applies a rule to each instance of a split.
func each(
	ctx context.Context, task *bench.Task, split string, rule func(instance int) (float64, error),
) ([]float64, error) {
	s, ok := task.Split(split)
	if !ok {
		return nil, fmt.Errorf("%s has no split %q", task.Name, split)
	}
	values := make([]float64, s.Instances)
	for i := range values {
		err := ctx.Err()
		if err == nil {
			values[i], err = rule(i)
		}
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}
