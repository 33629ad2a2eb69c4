package baselines

import (
	"github.com/pacebench/pacebench/tasks/bppaco"
	"github.com/pacebench/pacebench/tasks/cvrpaco"
	"github.com/pacebench/pacebench/tasks/mkpaco"
	"github.com/pacebench/pacebench/tasks/opaco"
	"github.com/pacebench/pacebench/tasks/tspgls"
)

// textbook returns rows that most papers leave out: short textbook rules as programs of the task,
// and classical heuristics without a colony.
func textbook() []Baseline {
	cvrp, mkp, op, gls := cvrpaco.Task(), mkpaco.Task(), opaco.Task(), tspgls.Task()
	bpp := bppaco.Task()
	pack := func(name, title, settings string, rule func(items []int64) int) Baseline {
		return Baseline{
			Name: name, Title: title, Task: bppaco.Name, Settings: settings,
			Run: each(bpp, func(split string, instance int) (float64, error) {
				items, err := bppaco.Items(split, instance)
				return float64(rule(items)), err
			}),
		}
	}
	return []Baseline{
		byProgram(cvrp, "aco", "ACO", "inverse", "1/d as the heuristic"),
		byProgram(cvrp, "aco-square", "ACO, 1/d²", "inverse_square", "1/d² as the heuristic"),
		{
			Name: "savings", Title: "Savings", Task: cvrp.Name,
			Settings: "repeatedly joins the pair of routes that saves most, " +
				"if one vehicle can serve both",
			Run: each(cvrp, cvrpaco.Savings),
		},
		byProgram(mkp, "aco", "ACO", "prize_per_weight", "prize over the sum of weights"),
		byProgram(mkp, "aco-cubed", "ACO, (prize / max weight)³", "prize_per_heaviest_cubed",
			"prize over the largest weight, to the third power"),
		byProgram(op, "aco", "ACO", "prize_per_distance", "prize over distance"),
		byProgram(op, "aco-square", "ACO, prize/d²", "prize_per_distance_squared",
			"prize over the square of the distance"),
		byProgram(bpp, "aco", "ACO", "largest_first", "the size of the second item"),
		pack("first-fit-decreasing", "First fit decreasing",
			"the largest item first, into the first bin that has room", bppaco.FirstFitDecreasing),
		pack("best-fit-decreasing", "Best fit decreasing",
			"the largest item first, into the fullest bin that has room",
			bppaco.BestFitDecreasing),
		byProgram(gls, "gls", "GLS", "distance", "the distances as the guide"),
	}
}
