package aco

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Settings say what the colony is. They are part of a task's definition.
type Settings struct {
	Ants       int
	Iterations int
	Decay      float64 // factor on all pheromone between iterations
}

// Standard is the colony of ReEvo and MCTS-AHD, and the paper's: 30 ants, 100 iterations,
// decay 0.9, α = β = 1.
var Standard = Settings{Ants: 30, Iterations: 100, Decay: 0.9}

// Options change the time that a solve takes and nothing else.
type Options struct {
	Workers int // ants that walk at once; below 2: one
	// See, when not nil, is told the tours of each iteration and their lengths. They are
	// overwritten after the call.
	See func(iteration int, tours [][]int32, lengths []float64)
}

// weights is the product of pheromone and heuristic, and how a tour is drawn from it. The
// pheromone is kept divided by decay^t, so that decay costs nothing and a deposit only
// touches the edges of tours. A common factor changes no probability. Tests have a second, plain
// one.
type weights interface {
	// walk draws a tour with the ant's own random numbers. Many ants walk at once.
	walk(a *ant)
	// deposit adds amount of pheromone on the edges of a tour that leave the cities from ≤ i < to.
	deposit(tour []int32, amount float64, from, to int)
	// scale multiplies everything by a factor below 1, for the cities from ≤ i < to.
	scale(factor float64, from, to int)
}

// An ant is the scratch memory of one tour.
type ant struct {
	rnd    rand.PCG
	start  int32
	tour   []int32
	length float64
	walker walker
}

// Solve returns the length of the best tour that the colony finds. eta is the n×n heuristic,
// row-major, with entries as Floor leaves them: rows are indexed by the current city, the diagonal
// is not used. An error is ctx's.
func Solve(
	ctx context.Context, in tsp.Instance, eta []float64, s Settings, stream Stream, o Options,
) (float64, error) {
	if len(eta) != len(in)*len(in) {
		panic("aco: heuristic and instance differ in size")
	}
	return solve(ctx, in, newBlocks(eta, len(in)), s, stream, o)
}

func solve(
	ctx context.Context, in tsp.Instance, w weights, s Settings, stream Stream, o Options,
) (float64, error) {
	c := newColony(in, w, s, o.Workers)
	best, lengths, tours := math.Inf(1), make([]float64, s.Ants), make([][]int32, s.Ants)
	for t := range s.Iterations {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		c.walk(stream, t)
		for a := range c.ants {
			lengths[a], tours[a] = c.ants[a].length, c.ants[a].tour
			best = min(best, lengths[a])
		}
		if o.See != nil {
			o.See(t, tours, lengths)
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
	in      tsp.Instance
	weights weights
	workers int
	ants    []ant
	// decayed is decay^t since the last renewal: pheromone proper is this times pheromone as kept.
	decayed float64
	since   int // updates since the last renewal
}

func newColony(in tsp.Instance, w weights, s Settings, workers int) *colony {
	c := &colony{
		Settings: s, in: in, weights: w, workers: min(max(workers, 1), s.Ants),
		ants: make([]ant, s.Ants), decayed: 1,
	}
	for a := range c.ants {
		c.ants[a].tour = make([]int32, len(in))
		c.ants[a].walker = newWalker(len(in))
	}
	return c
}

// renewAfter bounds the factor between pheromone as kept and pheromone proper to
// 0.9^-50 = 194, so that a row of 1e300, the largest entry accepted, still has a finite sum.
const renewAfter = 50

// walk lets every ant of iteration t draw its tour. Ant a belongs to worker a mod workers.
func (c *colony) walk(stream Stream, t int) {
	c.parallel(func(worker int) {
		for a := worker; a < len(c.ants); a += c.workers {
			ant := &c.ants[a]
			stream.seed(&ant.rnd, t, a)
			ant.start = int32(below(&ant.rnd, len(c.in)))
			c.weights.walk(ant)
			ant.length = c.in.Length(ant.tour)
		}
	})
}

// update lets the pheromone decay and every ant deposit 1/length on its tour, in both
// directions, the closing edge included. Workers share the rows, and each row takes the
// ants in their order, so that every sum is formed in one order.
func (c *colony) update() {
	c.decayed *= c.Decay
	c.since++
	renew := c.since == renewAfter
	factor := c.decayed
	if renew {
		c.decayed, c.since = 1, 0
	}
	c.parallel(func(worker int) {
		from, to := worker*len(c.in)/c.workers, (worker+1)*len(c.in)/c.workers
		if renew {
			c.weights.scale(factor, from, to)
		}
		for a := range c.ants {
			c.weights.deposit(c.ants[a].tour, 1/(c.ants[a].length*c.decayed), from, to)
		}
	})
}

// parallel runs do once for each worker and waits.
func (c *colony) parallel(do func(worker int)) {
	var wg sync.WaitGroup
	for w := 1; w < c.workers; w++ {
		wg.Go(func() { do(w) })
	}
	do(0)
	wg.Wait()
}

// floor is what every entry of a heuristic is at least.
const floor = 1e-9

// Floor prepares a heuristic in place: 1e-9 is added to every entry, and what is then below
// 1e-9 is set to it. Negative entries thereby mean "hardly ever".
func Floor(eta []float64) {
	for i, v := range eta {
		eta[i] = max(v+floor, floor)
	}
}
