package tspconstruct

import (
	"context"
	"embed"
	"strings"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Name is the task's name on the command line and in results.
const Name = "tsp-construct"

// train is the training split: numpy.random.RandomState(2024).rand(16, 50, 2), as the public
// LLM4AD task draws it. The paper's printed program scores 6.103043479 on it.
const train = "train"

// data holds the instances of every split; 30 s for the training set is LLM4AD's limit. They are
// drawn when first used and never written to.
var data = tsp.NewData(append(
	[]tsp.Split{{Name: train, Seed: 2024, Count: 16, Nodes: 50, Limit: 30 * time.Second}},
	tsp.TestSplits()...))

// prelude has what a candidate's process runs before it.
var prelude = questions + seeding

//go:embed questions.py
var questions string

// seeding brings both global generators into one known state before each evaluation: NumPy's
// to where drawing the training set leaves it, which is what a candidate finds in LLM4AD.
const seeding = `import random
import numpy as np

np.random.seed(2024)
np.random.rand(16, 50, 2)
random.seed(2024)
`

const description = `Tours of the travelling salesman problem are built city by city. A tour ` +
	`starts at city 0, visits every city once and returns to city 0. Design the function that ` +
	`chooses, at each step, which of the unvisited cities comes next, so that the finished tours ` +
	`are as short as possible. The cities are points in the unit square and distances are ` +
	`Euclidean. The unvisited cities are handed over in order of increasing distance from the ` +
	`current one, and when a single city is left it is appended without a call. NumPy is ` +
	`imported as np.`

const docstring = `Choose the city to visit next.

Args:
    current_node: index of the city the tour has reached, an int.
    destination_node: index of the city where the tour ends, an int, always 0.
    unvisited_nodes: indices of all unvisited cities, nearest to current_node first,
        int64 array of shape (m,) with m >= 2.
    distance_matrix: distances between all cities, float64 array of shape (n, n), zero diagonal.

Returns:
    The index of the next city, an int that is an element of unvisited_nodes.`

// sourced has what LLM4AD's template and description and the paper tell.
var sourced = bench.Texts{
	Description: `The travelling salesman problem asks for the shortest tour that visits every ` +
		`city once and returns to its start. A tour is built step by step, from the city that it ` +
		`has reached. Design the function that chooses which of the unvisited cities comes next, ` +
		`so that the finished tours are as short as possible. NumPy is imported as np.`,
	Doc: `Choose the city to visit next.

Args:
    current_node: index of the city that the tour has reached, an int.
    destination_node: index of the city where the tour ends, an int.
    unvisited_nodes: indices of the unvisited cities, an array.
    distance_matrix: distances between the cities, array of shape (n, n).

Returns:
    The index of the next city to visit, an int.`,
}

// Task returns the task.
func Task() *bench.Task { return task(nil) }

// An observer sees every finished tour before its length is reported.
type observer func(split string, instance int, tour []int32, length float64)

func task(see observer) *bench.Task {
	return &bench.Task{
		Problem: bench.Problem{
			Name:        Name,
			Description: description,
			Template: program.Function{
				Name: "select_next_node",
				Params: []program.Param{
					{Name: "current_node", Annotation: "int"},
					{Name: "destination_node", Annotation: "int"},
					{Name: "unvisited_nodes", Annotation: "np.ndarray"},
					{Name: "distance_matrix", Annotation: "np.ndarray"},
				},
				Returns: "int",
				Doc:     docstring,
				Body:    "return int(unvisited_nodes[0])",
			},
			Imports: []string{"import numpy as np"},
			Modules: programs.Modules(),
			Goal:    bench.Minimize,
		},
		Label:   bench.TaskLabel{Title: "TSP-Construct", Unit: "mean tour length", Digits: 3},
		Version: "1",
		// 1 GiB for the candidate, and room for the matrices: a process keeps every array it was
		// handed.
		Splits: data.TaskSplits(func(s tsp.Split) int64 {
			return 1<<30 + int64(8*s.Count*s.Nodes*s.Nodes)
		}),
		Prelude: prelude,
		Score: func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
			length, err := score(ctx, in, f, see)
			return bench.Measure{Value: length}, err
		},
		Pictures:   "tours",
		Digest:     data.Digest,
		References: references(),
		Sourced:    sourced,
		Vocabulary: vocabulary,
	}
}

// sources are programs to compare with: the template's default, two rules that look further than
// the next city, and two constructions that plan the tour in the first call.
//
//go:embed references/*.py vocabulary.toml
var sources embed.FS

var vocabulary = programs.Vocabulary(sources)

// improve makes a program that plans its tours one that improves them before it hands them out.
//
//go:embed improve.py
var improve string

// references are the sources, and those that plan with improve behind them, as NAME_2opt.
func references() []bench.Reference {
	all := programs.References(sources)
	for _, r := range all {
		if strings.Contains(r.Source, "def plan(") {
			all = append(all, bench.Reference{
				Name: r.Name + "_2opt", Source: r.Source + "\n\n" + improve,
			})
		}
	}
	return all
}
