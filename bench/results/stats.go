package results

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// A Sample is the mean of some values and their sample standard deviation (n − 1), as the paper
// reports its three runs. SD is NaN with fewer than two values.
type Sample struct {
	Mean, SD float64
	N        int // number of values; 0: there is no mean
	Values   []float64
	Runs     []*Run // whose values they are, of a sample over runs
}

// NewSample computes the statistics of the values.
func NewSample(values []float64) Sample {
	switch len(values) {
	case 0:
		return Sample{}
	case 1:
		return Sample{Mean: values[0], SD: math.NaN(), N: 1, Values: values}
	}
	mean, sd := stat.MeanStdDev(values, nil)
	return Sample{Mean: mean, SD: sd, N: len(values), Values: values}
}

// SmallestP is the smallest two-sided p that the rank test of Mann and Whitney can reach with m
// against n values without ties: both orders that separate the samples, out of all.
func SmallestP(m, n int) float64 {
	orders := 1.0 // (m+n choose n)
	for i := 1; i <= n; i++ {
		orders = orders * float64(m+i) / float64(i)
	}
	return min(1, 2/orders)
}

// SeedsFor is the smallest number of seeds in each of two rows with which the rank test can reach
// p.
func SeedsFor(p float64) int {
	n := 1
	for SmallestP(n, n) > p {
		n++
	}
	return n
}

// Over samples a number of each finished run, by seed; runs without it are left out.
func (g *Group) Over(number func(*Run) (float64, bool)) Sample {
	var values []float64
	var runs []*Run
	for _, r := range g.Finished() {
		if v, ok := number(r); ok {
			values, runs = append(values, v), append(runs, r)
		}
	}
	s := NewSample(values)
	s.Runs = runs
	return s
}

// Train is the best training value.
func (r *Run) Train() (float64, bool) {
	if r.Best == nil {
		return 0, false
	}
	return r.Best.Value, true
}

// Fresh is the re-evaluated training value of the best program.
func (r *Run) Fresh() (float64, bool) {
	p, _, ok := r.Rescored()
	return p.Fresh, ok
}

// Test is the value of the best program on a test split; a program that fails there has none.
func (r *Run) Test(split string) (float64, bool) {
	if r.Result == nil {
		return 0, false
	}
	o := r.Result.Tests[split]
	if o == nil || o.Fault != nil {
		return 0, false
	}
	return o.Mean, true
}

// Noise is the standard deviation of one evaluation, pooled over seeds, and the number of seeds.
func (g *Group) Noise() (noise float64, n int) {
	squares := 0.0
	for _, r := range g.Finished() {
		if _, noise, ok := r.Rescored(); ok {
			squares, n = squares+noise*noise, n+1
		}
	}
	return math.Sqrt(squares / float64(n)), n
}
