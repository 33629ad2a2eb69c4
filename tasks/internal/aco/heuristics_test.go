package aco

import (
	"math"
	"slices"

	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// heuristics has the heuristics, before Floor, for which results of a colony are known.
var heuristics = map[string]func(tsp.Instance) []float64{
	"inv": inverse, "inv2": power(2), "inv4": power(4),
	"ones": power(0), "topk10": nearest10, "pace": peaked,
}

// inverse is 1/d, the heuristic of the plain colony.
var inverse = power(1)

// peaked is the TSP-ACO heuristic that the paper prints as a program, as a formula: with q = 1/d²,
// p its 75th percentile over the matrix, a = (1 + sin(πd)/2)/d and s = q over its row's sum, the
// entry is (q - min)/(max - min)·a·s if q ≥ p, and otherwise not positive.
func peaked(in tsp.Instance) []float64 {
	n := len(in)
	d := in.Matrix(1)
	q := make([]float64, n*n)
	for i := range q {
		q[i] = 1 / (d[i] * d[i])
	}
	sorted := slices.Sorted(slices.Values(q))
	at := 0.75 * float64(n*n-1)
	low := int(at)
	threshold := sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
	least, most := math.Inf(1), 0.0
	for _, v := range q {
		if v >= threshold {
			least, most = min(least, v), max(most, v)
		}
	}
	out := make([]float64, n*n)
	for i := range n {
		sum := 0.0
		for _, v := range q[i*n : (i+1)*n] {
			sum += v
		}
		for j := range n {
			k := i*n + j
			v := q[k]
			if v < threshold {
				v = 0
			}
			a := 0.0
			if i != j {
				a = 1 / d[k] * (1 + 0.5*math.Sin(math.Pi*d[k]))
			}
			out[k] = (v - least) / (most - least) * a * (q[k] / sum)
		}
	}
	return out
}

// power returns the heuristic 1/d^p.
func power(p float64) func(tsp.Instance) []float64 {
	return func(in tsp.Instance) []float64 {
		m := in.Matrix(1)
		for i, d := range m {
			m[i] = math.Pow(d, -p)
		}
		return m
	}
}

// nearest10 returns 1/d for the ten nearest other cities of each row, and zero elsewhere.
func nearest10(in tsp.Instance) []float64 {
	out := make([]float64, len(in)*len(in))
	for i, order := range in.Orders() {
		for _, j := range order[:10] {
			out[i*len(in)+int(j)] = 1 / in.Distance(i, int(j))
		}
	}
	return out
}
