// Package colony makes ant-colony tasks: a candidate returns the heuristic of an instance in one
// call, and this package runs the colony that uses it. Start at Colony.
package colony

import (
	"context"
	"runtime"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/sets"
)

// seed names the random streams of all colonies, as in TSP-ACO.
const seed = 1234

// A Colony is a task on instances of type T.
type Colony[T any] struct {
	Words    bench.Task // name, goal, texts and programs
	Sets     *sets.Sets[T]
	Settings aco.Settings // in training
	Tests    int          // iterations on the test splits
	// Replicates is the number of new solves of each instance for each of the ten best programs of
	// a run: enough to bring the standard error to a quarter of the differences between published
	// methods.
	Replicates int
	// Ask returns the arguments of a candidate's call and the shape of the heuristic that it
	// returns.
	Ask     func(in T) (args []bench.Value, shape []int)
	Problem func(in T) aco.Problem
}

// Task returns the task.
func (c *Colony[T]) Task() *bench.Task {
	t := c.Words
	t.SetSplits(c.Sets.Bench())
	t.Digest = c.Sets.Digest
	programs.Noisy(&t, c.Replicates, c.score)
	return &t
}

// score asks a candidate for its heuristic and runs the colony.
func (c *Colony[T]) score(
	ctx context.Context, replicate int, in bench.Instance, f bench.Target,
) (float64, error) {
	instance, err := c.Sets.Instance(in.Split, in.Number)
	if err != nil {
		return 0, err
	}
	args, shape := c.Ask(instance)
	v, err := f.Call(ctx, args...)
	if err != nil {
		return 0, err
	}
	eta, err := aco.Heuristic(v, shape...)
	if err != nil {
		return 0, err
	}
	return c.Solve(ctx, in, eta, replicate, nil)
}

// Solve returns the best value that the colony finds on an instance. The split's index in Sets is
// the Family of the random streams, as in TSP-ACO. see is as in aco.Options.
func (c *Colony[T]) Solve(
	ctx context.Context, in bench.Instance, eta []float64, replicate int,
	see func(iteration int, paths [][]int32, values []float64),
) (float64, error) {
	instance, err := c.Sets.Instance(in.Split, in.Number)
	if err != nil {
		return 0, err
	}
	settings, options := c.Settings, aco.Options{See: see}
	place := c.Sets.Index(in.Split)
	if !c.Sets.LikeTraining(in.Split) {
		settings.Iterations, options.Workers = c.Tests, runtime.NumCPU()
	}
	stream := aco.Stream{
		Seed: seed, Family: uint64(place), Instance: in.Number, Replicate: replicate,
	}
	return c.Problem(instance).Solve(ctx, eta, settings, stream, options)
}
