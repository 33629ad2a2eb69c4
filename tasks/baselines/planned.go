package baselines

import (
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// planned are classical heuristics that build a whole tour, as programs of TSP-Construct: the first
// call gives a program all distances, so it can plan the tour.
func planned() []Baseline {
	sources := map[string]string{}
	for _, r := range tspconstruct.Task().References {
		sources[r.Name] = r.Source
	}
	row := func(name, title, reference, settings string) Baseline {
		return Baseline{
			Name: name, Title: title, Task: tspconstruct.Name, Settings: settings,
			Footnote: "a program of ours that plans the whole tour in the first call",
			Program:  sources[reference],
		}
	}
	const edge = "the shortest edge first that makes no fork and closes no cycle"
	const insertion = "the farthest city is put where it adds least, from the longest edge on"
	const improved = ", then the best 2-opt or else Or-opt move until none helps"
	return []Baseline{
		row("greedy-edge", "Greedy edge", "greedy_edge", edge),
		row("insertion", "Farthest insertion", "farthest_insertion", insertion),
		row("greedy-edge-2opt", "Greedy edge, 2-opt", "greedy_edge_2opt", edge+improved),
		row("insertion-2opt", "Farthest insertion, 2-opt", "farthest_insertion_2opt",
			insertion+improved),
	}
}
