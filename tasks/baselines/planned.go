package baselines

import "github.com/pacebench/pacebench/tasks/tspconstruct"

// planned are classical heuristics that build a whole tour, as programs of TSP-Construct: the first
// call gives a program all distances, so it can plan the tour.
func planned() []Baseline {
	task := tspconstruct.Task()
	row := func(name, title, reference, settings string) Baseline {
		b := byProgram(task, name, title, reference, settings)
		b.Footnote = "a program of ours that plans the whole tour in the first call"
		return b
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
