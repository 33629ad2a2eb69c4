package pop

import (
	"math"
	"math/rand/v2"
)

// Weights returns the weights of n ranks, best first: 1/(rank+n), where the best has the
// rank first. LLM4AD's port of EoH counts from 0 (llm4ad/method/eoh/population.py:80-86 at
// e8d848f); the official EoH and PACE (design decision D6) count from 1.
func Weights(n, first int) []float64 {
	w := make([]float64, n)
	for r := range w {
		w[r] = 1 / float64(r+first+n)
	}
	return w
}

// Exponential returns the weights of n ranks, best first, each e^-pressure times the one before it.
// LLM4AD's MLES has a pressure of 0.5 (llm4ad/method/mles/population.py:130-150 at e8d848f).
func Exponential(n int, pressure float64) []float64 {
	w := make([]float64, n)
	for r := range w {
		w[r] = math.Exp(-pressure * float64(r))
	}
	return w
}

// Select draws n parents from the survivors that selection may draw, by the weights that the law
// gives to as many ranks. They are in the order in which they were drawn. Draws are independent, so
// one may come twice; with distinct it cannot, and there are fewer where there are no more. Without
// a finite survivor there are no parents.
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

// Draw returns an index with a probability proportional to its weight, from one number of r.
// It panics when no weight is positive.
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
	return last // rounding used up u: the last one with a weight
}
