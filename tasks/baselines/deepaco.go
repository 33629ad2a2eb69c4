package baselines

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pacebench/pacebench/tasks/baselines/deepaco"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
	"github.com/pacebench/pacebench/tasks/tspaco"
)

// A protocol says which network rates the edges of an instance, and of how many neighbours.
type protocol func(nodes int) (checkpoint string, k int)

// paperProtocol is what explains the paper's DeepACO row best: ten neighbours at every size,
// as in DeepACO's notebook, with the network of 100 cities for 50 and the one of 500 beyond.
func paperProtocol(nodes int) (string, int) {
	if nodes <= 100 {
		return "tsp100.safetensors", 10
	}
	return "tsp500.safetensors", 10
}

// trainingProtocol takes the network whose size is nearest in ratio, of those that the paper's
// sizes call for, with as many neighbours as it was trained with: a rule that looks at no test
// result, and the fair learned baseline.
func trainingProtocol(nodes int) (string, int) {
	if nodes <= 200 {
		return "tsp100.safetensors", 20
	}
	return "tsp500.safetensors", 50
}

// DeepACO returns the rows of DeepACO with the published checkpoints in dir; "" is where
// scripts/fetch-deepaco puts them. A missing or foreign file is Run's error, with a hint.
func DeepACO(dir string) []Baseline {
	return []Baseline{
		deepACO(Baseline{
			Name: "deepaco", Title: "DeepACO (k = 10)",
			Settings: "10 neighbours of a city at every size",
			Footnote: "ten neighbours of a city at every size, which fits the published row; " +
				"with as many as in its training it is the fair baseline",
		}, dir, paperProtocol),
		deepACO(Baseline{
			Name: "deepaco-train-k", Title: "DeepACO (k as trained)",
			Settings: "20 neighbours of a city up to 200 cities, 50 beyond",
		}, dir, trainingProtocol),
	}
}

// deepACO completes a row with its task and its Run.
func deepACO(b Baseline, dir string, choose protocol) Baseline {
	b.Task = tspaco.Name
	b.Settings = "official checkpoints, " + b.Settings + ", " + colony
	b.Run = func(ctx context.Context, split string) ([]float64, error) {
		set, err := tspaco.Instances(split)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from := dir
		if from == "" {
			if from, err = deepaco.DefaultDir(); err != nil {
				return nil, err
			}
		}
		file, k := choose(len(set[0]))
		net, err := deepaco.Load(filepath.Join(from, file), deepaco.Published[file])
		if err != nil {
			return nil, fmt.Errorf("deepaco: %w", err)
		}
		return colonies(ctx, split, func(cities tsp.Instance) []float64 {
			coords := make([]float32, 0, 2*len(cities))
			for _, p := range cities {
				coords = append(coords, float32(p.X), float32(p.Y))
			}
			g := deepaco.NewGraph(coords, k)
			return g.Matrix(net.Heuristic(g))
		})
	}
	return b
}
