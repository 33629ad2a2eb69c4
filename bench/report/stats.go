package report

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// spread is the mean of the values and their sample standard deviation (n − 1), as the paper
// reports its three runs. With one value the deviation is NaN.
func spread(values []float64) Cell {
	switch len(values) {
	case 0:
		return Cell{}
	case 1:
		return Cell{Mean: values[0], SD: math.NaN(), N: 1}
	}
	mean, sd := stat.MeanStdDev(values, nil)
	return Cell{Mean: mean, SD: sd, N: len(values)}
}

// smallestP is the smallest two-sided p that the rank test of Mann and Whitney can reach with m against n values
// without ties: both orders that separate the samples, out of all.
func smallestP(m, n int) float64 {
	orders := 1.0 // (m+n choose n)
	for i := 1; i <= n; i++ {
		orders = orders * float64(m+i) / float64(i)
	}
	return min(1, 2/orders)
}

// median of the values, which are left as they are; NaN for none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(values))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
