package results

import (
	"cmp"
	"math"
	"slices"
)

// A Tolerance is the largest relative difference between two equal values of a task, in all
// comparisons. The length of the same tour, summed in another order, can differ in the last bit,
// which must not change a rank. The zero Tolerance means 1e-12, for tasks that state no tolerance.
type Tolerance float64

const usualTolerance Tolerance = 1e-12

// Compare returns -1, 0 or 1 if a is less than, equal to or greater than b.
func (t Tolerance) Compare(a, b float64) int {
	apart := math.Abs(a - b)
	if !math.IsInf(apart, 0) &&
		apart <= float64(cmp.Or(t, usualTolerance))*max(math.Abs(a), math.Abs(b)) {
		return 0
	}
	return cmp.Compare(a, b)
}

// Ranks returns the places of the values in ascending order, from 1; equal values share the mean of
// their places. Only neighbours in this order are compared, so descending order has the same ties.
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

// RankAmong returns the rank of x among x and others, where 1 is the best; equal values share the
// mean of their ranks. better is +1 if larger values are better, otherwise -1.
func (t Tolerance) RankAmong(x float64, others []float64, better int) float64 {
	rank := 1.0
	for _, y := range others {
		rank += float64(1+better*t.Compare(y, x)) / 2
	}
	return rank
}

// Superiority returns the probability of improvement: the share of pairs in which the value of x is
// larger than the value of y. Equal values count half. The share is the statistic U of Mann and
// Whitney divided by its largest value.
func (t Tolerance) Superiority(x, y []float64) float64 {
	twice := 0
	for _, a := range x {
		for _, b := range y {
			twice += 1 + t.Compare(a, b)
		}
	}
	return float64(twice) / 2 / float64(len(x)*len(y))
}

// signs counts the places at which x has the larger value, and the places at which y has the larger
// value.
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
