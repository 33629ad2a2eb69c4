package aco

import (
	"context"
	"math"
	"sync"

	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Settings define the colony. They are part of a task's definition.
type Settings struct {
	Ants       int
	Iterations int
	Decay      float64 // factor on all pheromone after each iteration
}

// Standard is the colony of ReEvo, MCTS-AHD and the paper: 30 ants, 100 iterations, decay 0.9 and
// α = β = 1.
var Standard = Settings{Ants: 30, Iterations: 100, Decay: 0.9}

// Options do not change the result of a solve.
type Options struct {
	Workers int // number of concurrent ants; below 1: one
	// See, if not nil, is called in each iteration with the ants' paths and their values. Both
	// slices are overwritten after the call.
	See func(iteration int, paths [][]int32, values []float64)
}

// weights are the products of pheromone and heuristic, from which ants draw paths. The pheromone is
// stored divided by decay^t, so that decay costs nothing and a deposit changes only the edges or
// nodes of a path. A common factor changes no probability. Blocks are fast for tours of many
// cities; a table supports any rules.
type weights interface {
	// rows returns the number of rows: one for each current node, or one for all nodes.
	rows() int
	// walk draws a path with the ant's own random numbers. Many ants walk concurrently.
	walk(a *Ant)
	// deposit adds an amount of pheromone along a path, but only in the rows from ≤ i < to.
	deposit(path []int32, amount float64, from, to int)
	// scale multiplies the weights in the rows from ≤ i < to by a factor below 1.
	scale(factor float64, from, to int)
	// raise raises the stored pheromone in the rows from ≤ i < to to at least a lower bound.
	raise(least float64, from, to int)
}

// Solve returns the length of the shortest tour that the colony finds. eta is the n×n heuristic
// after Floor, row-major, with one row for each current city; the diagonal is not used. Solve fails
// only if ctx ends.
func Solve(
	ctx context.Context, in tsp.Instance, eta []float64, s Settings, stream Stream, o Options,
) (float64, error) {
	if len(eta) != len(in)*len(in) {
		panic("aco: heuristic and instance differ in size")
	}
	return solve(ctx, tour(in), newBlocks(eta, len(in)), s, stream, o)
}

// tour returns the travelling salesman problem without Admit, because blocks draw the steps.
func tour(in tsp.Instance) Problem {
	return Problem{
		Nodes: len(in), Start: Anywhere,
		Value: func(a *Ant) float64 { return in.Length(a.Path) },
	}
}

func solve(
	ctx context.Context, p Problem, w weights, s Settings, stream Stream, o Options,
) (float64, error) {
	c := newColony(p, w, s, o.Workers)
	best, values, paths := math.Inf(1), make([]float64, s.Ants), make([][]int32, s.Ants)
	if p.Total > 0 {
		best = math.Inf(-1)
	}
	for t := range s.Iterations {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		c.walk(stream, t)
		for a := range c.ants {
			v := c.ants[a].value
			values[a], paths[a] = v, c.ants[a].Path
			if p.Total > 0 {
				best = max(best, v)
			} else {
				best = min(best, v)
			}
		}
		if o.See != nil {
			o.See(t, paths, values)
		}
		if t+1 < s.Iterations {
			c.update()
		}
	}
	return best, nil
}

// A colony is a solve in progress.
type colony struct {
	Settings
	problem Problem
	weights weights
	workers int
	ants    []Ant
	// decayed is decay^t for the t updates since the last renewal: the real pheromone is decayed
	// times the stored pheromone.
	decayed float64
	since   int // updates since the last renewal
}

func newColony(p Problem, w weights, s Settings, workers int) *colony {
	c := &colony{
		Settings: s, problem: p, weights: w, workers: min(max(workers, 1), s.Ants),
		ants: make([]Ant, s.Ants), decayed: 1,
	}
	for a := range c.ants {
		c.ants[a].Path = make([]int32, 0, p.Nodes)
		c.ants[a].walker = newWalker(p.Nodes)
	}
	return c
}

// renewAfter bounds the factor between stored and real pheromone to 0.9^-50 = 194, so that a row of
// 1e300, the largest accepted entry, still has a finite sum.
const renewAfter = 50

// walk lets every ant of iteration t draw its path. Ant a belongs to worker a mod workers.
func (c *colony) walk(stream Stream, t int) {
	c.parallel(func(worker int) {
		for a := worker; a < len(c.ants); a += c.workers {
			ant := &c.ants[a]
			stream.seed(&ant.rnd, t, a)
			ant.begin(c.problem.Start)
			c.weights.walk(ant)
			ant.value = c.problem.Value(ant)
		}
	})
	if c.problem.Idle == 0 {
		return
	}
	longest := 0
	for a := range c.ants {
		longest = max(longest, len(c.ants[a].Path))
	}
	for a := range c.ants {
		c.ants[a].value += c.problem.Idle * float64(longest-len(c.ants[a].Path))
	}
}

// update decays the pheromone and lets every ant deposit on its path. Each worker updates its own
// rows, with the ants in order, so the order of every sum is the same with any number of workers.
func (c *colony) update() {
	c.decayed *= c.Decay
	c.since++
	renew := c.since == renewAfter
	factor := c.decayed
	if renew {
		c.decayed, c.since = 1, 0
	}
	rows := c.weights.rows()
	c.parallel(func(worker int) {
		from, to := worker*rows/c.workers, (worker+1)*rows/c.workers
		if renew {
			c.weights.scale(factor, from, to)
		}
		for a := range c.ants {
			value := c.ants[a].value
			amount := 1 / (value * c.decayed)
			if c.problem.Total > 0 {
				amount = value / (c.problem.Total * c.decayed)
			}
			c.weights.deposit(c.ants[a].Path, amount, from, to)
		}
		if c.problem.Least > 0 {
			c.weights.raise(c.problem.Least/c.decayed, from, to)
		}
	})
}

// parallel runs do once for each worker and waits for all.
func (c *colony) parallel(do func(worker int)) {
	var wg sync.WaitGroup
	for w := 1; w < c.workers; w++ {
		wg.Go(func() { do(w) })
	}
	do(0)
	wg.Wait()
}
