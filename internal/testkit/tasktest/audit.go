package tasktest

import (
	"fmt"
	"math/cmplx"
	"slices"
)

// Audit checks and measures a tour without the code of the tasks and of tsp.Instance.Length, so
// that it reveals mistakes in them. It sorts the tour and compares it with 0…n-1. It computes the
// length as a sum of complex moduli, from the shortest edge to the longest, with compensated
// summation.
func Audit[P ~struct{ X, Y float64 }](in []P, tour []int32) (float64, error) {
	type point = struct{ X, Y float64 }
	sorted := slices.Sorted(slices.Values(tour))
	want := make([]int32, len(in))
	for i := range want {
		want[i] = int32(i)
	}
	if !slices.Equal(sorted, want) {
		return 0, fmt.Errorf("tour is not a permutation of %d cities", len(in))
	}
	edges := make([]float64, len(tour))
	last := point(in[tour[len(tour)-1]])
	for at, city := range tour {
		here := point(in[city])
		edges[at] = cmplx.Abs(complex(here.X, here.Y) - complex(last.X, last.Y))
		last = here
	}
	slices.Sort(edges)
	sum, carry := 0.0, 0.0
	for _, e := range edges {
		y := e - carry
		next := sum + y
		carry = (next - sum) - y
		sum = next
	}
	return sum, nil
}
