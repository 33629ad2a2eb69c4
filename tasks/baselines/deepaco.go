package baselines

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pacebench/pacebench/tasks/baselines/deepaco"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
	"github.com/pacebench/pacebench/tasks/tspaco"
)

// A protocol chooses, for a number of cities, the network's checkpoint and the number k of
// neighbours of each city.
type protocol func(nodes int) (checkpoint string, k int)

// paperProtocol fits the paper's DeepACO row best: ten neighbours at every size, as in DeepACO's
// notebook. Instances of up to 100 cities use the network trained on 100 cities; larger instances
// use the network trained on 500.
func paperProtocol(nodes int) (string, int) {
	if nodes <= 100 {
		return "tsp100.safetensors", 10
	}
	return "tsp500.safetensors", 10
}

// trainingProtocol chooses between the networks trained on 100 and on 500 cities: for each size of
// the task, the network whose training size is closer by ratio, with its number of neighbours in
// training. The rule depends on no test result, so this is the fair trained baseline.
func trainingProtocol(nodes int) (string, int) {
	if nodes <= 200 {
		return "tsp100.safetensors", 20
	}
	return "tsp500.safetensors", 50
}

// DeepACO returns the rows of DeepACO with the published checkpoints in dir; "" means the directory
// that scripts/fetch-deepaco uses by default. If a file is missing or has other content, Run
// returns an error with a hint.
func DeepACO(dir string) []Baseline {
	return []Baseline{
		deepACO(Baseline{
			Name: "deepaco", Title: "DeepACO (k = 10)",
			Settings: "10 neighbours per city at every size",
			Footnote: "ten neighbours per city at every size, which fits the published row; " +
				"the row with as many neighbours as in training is the fair baseline",
		}, dir, paperProtocol),
		deepACO(Baseline{
			Name: "deepaco-train-k", Title: "DeepACO (k as trained)",
			Settings: "20 neighbours per city for up to 200 cities, 50 for more",
		}, dir, trainingProtocol),
	}
}

// deepACO adds the task and Run to a row.
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
