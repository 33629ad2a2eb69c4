package baselines

import "github.com/pacebench/pacebench/tasks/tspconstruct"

// planned returns classical heuristics that build a whole tour, as programs of TSP-Construct. They
// can plan the tour because the first call gives them all distances.
func planned() []Baseline {
	task := tspconstruct.Task()
	row := func(name, title, reference, settings string) Baseline {
		b := byProgram(task, name, title, reference, settings)
		b.Footnote = "pacebench's own program, which plans the whole tour in the first call"
		return b
	}
	const edge = "repeatedly adds the shortest edge that " +
		"gives no city a third edge and closes no cycle"
	const insertion = "starts with the longest edge and " +
		"inserts the farthest city where it adds the least length"
	const improved = "; then the best 2-opt move, or else the best Or-opt move, " +
		"until neither helps"
	return []Baseline{
		row("greedy-edge", "Greedy edge", "greedy_edge", edge),
		row("insertion", "Farthest insertion", "farthest_insertion", insertion),
		row("greedy-edge-2opt", "Greedy edge, 2-opt", "greedy_edge_2opt", edge+improved),
		row("insertion-2opt", "Farthest insertion, 2-opt", "farthest_insertion_2opt",
			insertion+improved),
	}
}
