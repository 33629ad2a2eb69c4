package tsp

import (
	"fmt"
	"math/cmplx"
	"slices"
)

// Length is the length of the closed tour, summed edge by edge from its first city.
func (in Instance) Length(tour []int32) float64 {
	sum := 0.0
	for at := range tour {
		next := at + 1
		if next == len(tour) {
			next = 0
		}
		sum += in.Distance(int(tour[at]), int(tour[next]))
	}
	return sum
}

// Check says what keeps tour from visiting each of n cities once, or nil.
func Check(tour []int32, n int) error {
	if len(tour) != n {
		return fmt.Errorf("tour of %d cities, want %d", len(tour), n)
	}
	seen := make([]bool, n)
	for at, city := range tour {
		if city < 0 || int(city) >= n {
			return fmt.Errorf("city %d at place %d of a tour of %d", city, at, n)
		}
		if seen[city] {
			return fmt.Errorf("city %d visited twice", city)
		}
		seen[city] = true
	}
	return nil
}

// Audit checks and measures a tour a second time, by other means than Check and Length, so
// that a mistake in either shows: the tour is sorted and compared with 0…n-1; its length is
// the sum of complex moduli, the edges taken by length from the shortest, with the rounding
// error of every addition carried along.
func Audit(in Instance, tour []int32) (float64, error) {
	sorted := slices.Sorted(slices.Values(tour))
	want := make([]int32, len(in))
	for i := range want {
		want[i] = int32(i)
	}
	if !slices.Equal(sorted, want) {
		return 0, fmt.Errorf("tour is not a permutation of %d cities", len(in))
	}
	edges := make([]float64, len(tour))
	last := in[tour[len(tour)-1]]
	for at, city := range tour {
		here := in[city]
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
