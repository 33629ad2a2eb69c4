package baselines

import "github.com/pacebench/pacebench/tasks/tspconstruct"

// greedy returns Greedy Construct: it starts at city 0 and always goes to the nearest unvisited
// city. It reproduces the published values 6.938, 13.362, 20.794 and 28.917.
func greedy() Baseline {
	nearest := func(_ int, unvisited []int32) (int, error) { return int(unvisited[0]), nil }
	return Baseline{
		Name: "greedy", Title: "Greedy Construct", Task: tspconstruct.Name,
		Settings: "from node 0 to the nearest unvisited node",
		Run: each(tspconstruct.Task(), func(split string, instance int) (float64, error) {
			return tspconstruct.Measure(split, instance, nearest)
		}),
	}
}
