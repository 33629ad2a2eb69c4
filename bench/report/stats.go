package report

import (
	"math"

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
