package results

import (
	"cmp"
	"math"
	"slices"
)

// A Tolerance is the relative difference up to which two values of a task are equal, in everything
// that compares them: the same layout, summed in another order, differs in its last bit and would
// take another rank. The zero Tolerance is the one of tasks that state none, 1e-12.
type Tolerance float64

const usualTolerance Tolerance = 1e-12

// Compare is -1, 0 or 1 when a is less than, equal to or greater than b.
func (t Tolerance) Compare(a, b float64) int {
	apart := math.Abs(a - b)
	if !math.IsInf(apart, 0) &&
		apart <= float64(cmp.Or(t, usualTolerance))*max(math.Abs(a), math.Abs(b)) {
		return 0
	}
	return cmp.Compare(a, b)
}

// Ranks are the places of the values in ascending order, from 1; equal values share the mean of
// their places. Neighbours in this order are compared, so that equality is the same in both ways.
func (t Tolerance) Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	out := make([]float64, len(values))
	for first := 0; first < len(order); {
		next := first + 1
		for next < len(order) && t.Compare(values[order[next-1]], values[order[next]]) == 0 {
			next++
		}
		for _, i := range order[first:next] {
			out[i] = float64(first+1+next) / 2
		}
		first = next
	}
	return out
}

// RankAmong is the rank of x among it and others, 1 being the best; equal values share the mean of
// theirs. better is the sign of better values.
func (t Tolerance) RankAmong(x float64, others []float64, better int) float64 {
	rank := 1.0
	for _, y := range others {
		rank += float64(1+better*t.Compare(y, x)) / 2
	}
	return rank
}

// Superiority is the probability of improvement, that a value of x is larger than one of y: the
// share of pairs, equal ones counted half. It is the statistic U of Mann and Whitney over its
// largest value.
func (t Tolerance) Superiority(x, y []float64) float64 {
	twice := 0
	for _, a := range x {
		for _, b := range y {
			twice += 1 + t.Compare(a, b)
		}
	}
	return float64(twice) / 2 / float64(len(x)*len(y))
}

// signs counts the pairs of which x has the larger value, and y.
func (t Tolerance) signs(x, y []float64) (wins, losses int) {
	for i := range x {
		switch t.Compare(x[i], y[i]) {
		case 1:
			wins++
		case -1:
			losses++
		}
	}
	return wins, losses
}
