package baselines

import "github.com/pacebench/pacebench/tasks/shipped"

// rules returns the rows of the tasks that are written in Python. Each row is a program.
func rules() []Baseline {
	row := func(task, name, title, reference, settings string) Baseline {
		return byProgram(shipped.Task(task), name, title, reference, settings)
	}
	rows := []Baseline{
		row("obp-weibull", "first-fit", "First fit", "first_fit",
			"the first bin that has room"),
		row("obp-weibull", "best-fit", "Best fit", "",
			"the fullest bin that has room"),
		row("tsp-construct-mcts", "greedy", "Greedy Construct", "",
			"from city 0 to the nearest unvisited city"),
		row("asp", "constant", "Constant", "", "the first of the remaining vectors"),
		row("tsp-construct-local", "nearest", "Nearest neighbour", "",
			"the nearest unvisited city"),
		row("tsp-construct-local", "isolation", "Isolation", "isolation",
			"prefers a near city that is far from its own three nearest cities and, at first, "+
				"near the start"),
	}
	rule := func(name, title, settings string) {
		rows = append(rows, Baseline{
			Name: name, Title: title, Task: "tsp-construct-local", Settings: settings,
			Program: shipped.Rule(name),
		})
	}
	rule("two-step", "Two steps",
		"the step that is shortest together with the shortest step that can follow it")
	rule("window", "Exact window", "the first step of the shortest path through all candidates")
	for _, b := range planned() { // the two tasks have the same interface
		b.Task = "tsp-construct-mcts"
		rows = append(rows, b)
	}
	return rows
}
