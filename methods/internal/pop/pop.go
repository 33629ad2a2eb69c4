// Package pop contains the population that the evolutionary methods share: registration, which
// demotes duplicates, survival of the fittest, and selection by rank. Start at Population and
// Weights. The package does not depend on prompts, operators or the engine. The method defines the
// data of an individual.
package pop

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// None marks an individual without a score: it crashed, ran out of time, or returned something
// other than a number.
var None = math.Inf(-1)

// An Individual is one evaluated program in a population.
type Individual[T any] struct {
	Value T
	Text  string  // compared for equality: the code without parts that all individuals share
	Score float64 // as evaluated, larger is better; None without a score
	// Fitness is used by selection and survival: Score, or None for an individual that failed or
	// that had the text or the score of an earlier individual when it was registered.
	Fitness float64
}

// A Population keeps the best individuals seen. New individuals wait in a buffer. When the buffer
// holds batch individuals, survivors and buffer compete for the places.
type Population[T any] struct {
	size, batch int
	survivors   []*Individual[T]
	buffer      []*Individual[T]
	generation  int
}

// New returns an empty population of at most size survivors. batch = size gives the (P+P) scheme of
// EoH and ReEvo, and batch = 1 gives a steady state.
func New[T any](size, batch int) *Population[T] {
	if size < 1 || batch < 1 {
		panic("pop: a population needs a size and a batch of at least 1")
	}
	return &Population[T]{size: size, batch: batch}
}

// Register adds an individual to the buffer, and calls Survive when the buffer is full. Before the
// first generation, it returns nil for an individual without a score, because the first population
// takes only running programs. A duplicate takes a place too, at the bottom of the order.
func (p *Population[T]) Register(value T, text string, score float64) *Individual[T] {
	if p.generation == 0 && score == None {
		return nil
	}
	x := &Individual[T]{Value: value, Text: text, Score: score, Fitness: score}
	for _, y := range slices.Concat(p.survivors, p.buffer) {
		if y.Text == text || y.Fitness == score {
			x.Fitness = None
		}
	}
	p.buffer = append(p.buffer, x)
	if len(p.buffer) >= p.batch {
		p.Survive()
	}
	return x
}

// Survive moves the buffer to the survivors, keeps the fittest and begins the next generation.
// Among failures and duplicates, the older ones stay.
func (p *Population[T]) Survive() {
	all := slices.Concat(p.survivors, p.buffer)
	slices.SortStableFunc(all, func(a, b *Individual[T]) int {
		return cmp.Compare(b.Fitness, a.Fitness)
	})
	p.survivors, p.buffer = all[:min(p.size, len(all))], nil
	p.generation++
}

// Survivors returns the population without the buffer, fittest first. The slice belongs to the
// caller; the individuals are shared and must not be changed.
func (p *Population[T]) Survivors() []*Individual[T] { return slices.Clone(p.survivors) }

// Waiting returns the individuals in the buffer, oldest first.
func (p *Population[T]) Waiting() []*Individual[T] { return slices.Clone(p.buffer) }

// Ranked returns the survivors with finite fitness, which selection may draw, fittest first.
func (p *Population[T]) Ranked() []*Individual[T] {
	return slices.DeleteFunc(p.Survivors(), func(x *Individual[T]) bool {
		return x.Fitness == None
	})
}

// Generation returns the number of calls of Survive; 0 means that the first population is not yet
// complete.
func (p *Population[T]) Generation() int { return p.generation }

// Weights returns the weights of n ranks, best first: 1/(rank+n), with ranks that count from first.
// LLM4AD's port of EoH counts from 0 (llm4ad/method/eoh/population.py:80-86 at e8d848f); the
// official EoH and PACE (design decision D6) count from 1.
func Weights(n, first int) []float64 {
	w := make([]float64, n)
	for r := range w {
		w[r] = 1 / float64(r+first+n)
	}
	return w
}

// Exponential returns the weights of n ranks, best first, each e^-pressure times the previous one.
// LLM4AD's MLES has a pressure of 0.5 (llm4ad/method/mles/population.py:130-150 at e8d848f).
func Exponential(n int, pressure float64) []float64 {
	w := make([]float64, n)
	for r := range w {
		w[r] = math.Exp(-pressure * float64(r))
	}
	return w
}

// Select draws n parents from the ranked survivors and returns them in the order in which they were
// drawn. law returns the weights for a number of ranks. Draws are independent, so a parent may
// occur twice. If distinct is true, no parent occurs twice, and there are at most as many parents
// as ranked survivors. Without a ranked survivor there are no parents.
func (p *Population[T]) Select(
	r *rand.Rand, n int, law func(ranks int) []float64, distinct bool,
) []T {
	ranked := p.Ranked()
	if distinct {
		n = min(n, len(ranked))
	}
	if len(ranked) == 0 {
		return nil
	}
	weights := law(len(ranked))
	var out []T
	for range n {
		i := Draw(r, weights)
		out = append(out, ranked[i].Value)
		if distinct {
			weights[i] = 0
		}
	}
	return out
}

// Draw returns an index with a probability proportional to its weight, using one number from r. It
// panics if no weight is positive.
func Draw(r *rand.Rand, weights []float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	u, last := r.Float64()*total, -1
	for i, w := range weights {
		if w <= 0 {
			continue
		}
		if last = i; u < w {
			return i
		}
		u -= w
	}
	if last < 0 {
		panic("pop: nothing to draw from")
	}
	return last // u is left over by rounding: take the last positive weight
}

// Pick draws an eligible element of ranked, which is sorted best first. The weight of an element is
// given by its rank among all elements, from 1. If no element is eligible, Pick uses no random
// number, and ok is false.
func Pick[T any](r *rand.Rand, ranked []T, eligible func(T) bool) (x T, ok bool) {
	weights := Weights(len(ranked), 1)
	for i, y := range ranked {
		if eligible(y) {
			ok = true
		} else {
			weights[i] = 0
		}
	}
	if !ok {
		return x, false
	}
	return ranked[Draw(r, weights)], true
}
