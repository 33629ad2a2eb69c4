package pop

import "math/rand/v2"

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
