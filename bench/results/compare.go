package results

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// Statistics of few seeds, after Agarwal et al., "Deep Reinforcement Learning at the Edge of the
// Statistical Precipice" (NeurIPS 2021): intervals by the stratified bootstrap, and the probability
// of improvement. Whether seeds separate two samples is the exact test of Mann and Whitney (1947).

const (
	// Confidence is the share of resamples inside an Interval.
	Confidence = 0.95
	// Alpha is the largest p at which two samples are Separated: the smallest that three against
	// three values can reach. It takes all of one sample beyond all of the other, then.
	Alpha = 0.1
	// maxResamples is the number of random resamples; where there are no more possible ones, all of
	// them are taken, and nothing is random.
	maxResamples = 10_000
	// maxOrders is the number of splits of two samples up to which p is exact: 10 against 10.
	maxOrders = 200_000
)

// An Interval is the range of a statistic over resamples.
type Interval struct{ Low, High float64 }

// Bootstrap gives for each number of a statistic its percentile interval. Every sample is resampled
// with replacement by itself. Random resamples come from the stream of that name alone, so that
// equal samples have equal intervals wherever they stand.
func Bootstrap(name string, statistic func(samples [][]float64) []float64,
	samples ...[]float64) []Interval {
	var sizes []int // of the sample of each value
	all := 1.0
	resample := make([][]float64, len(samples))
	for i, s := range samples {
		resample[i] = make([]float64, len(s))
		for range s {
			sizes = append(sizes, len(s))
			all *= float64(len(s))
		}
	}
	var values [][]float64 // of each number of the statistic
	take := func(choice []int) {
		for i, s := range samples {
			for j := range s {
				resample[i][j] = s[choice[j]]
			}
			choice = choice[len(s):]
		}
		for i, v := range statistic(resample) {
			if i == len(values) {
				values = append(values, nil)
			}
			values[i] = append(values[i], v)
		}
	}
	choice := make([]int, len(sizes))
	if all <= maxResamples {
		for g := combin.NewCartesianGenerator(sizes); g.Next(); {
			take(g.Product(choice))
		}
	} else {
		r := rand.New(
			rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "pacebench.bootstrap.v1\x00%s", name))))
		for range maxResamples {
			for i, n := range sizes {
				choice[i] = r.IntN(n)
			}
			take(choice)
		}
	}
	out := make([]Interval, len(values))
	for i, v := range values {
		slices.Sort(v)
		out[i].Low = stat.Quantile((1-Confidence)/2, stat.Empirical, v, nil)
		out[i].High = stat.Quantile((1+Confidence)/2, stat.Empirical, v, nil)
	}
	return out
}

// Superiority is the probability of improvement, that a value of x is larger than one of y: the
// share of pairs, equal ones counted half. It is the statistic U of Mann and Whitney over its
// largest value.
func Superiority(x, y []float64) float64 {
	sum := 0.0
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				sum++
			case a == b:
				sum += 0.5
			}
		}
	}
	return sum / float64(len(x)*len(y))
}

// RankTest is the two-sided p of Mann and Whitney's test: among all ways to split the values into
// samples of these sizes, the share of those that are at least as one-sided. With many values it is
// the normal approximation, corrected for ties.
func RankTest(x, y []float64) float64 {
	m, n := len(x), len(y)
	if m == 0 || n == 0 {
		return 1
	}
	ranks := Ranks(append(slices.Clone(x), y...))
	middle := float64(m*(m+n+1)) / 2
	far := func(sum float64) float64 { return math.Abs(sum - middle) }
	sum := 0.0
	for _, r := range ranks[:m] {
		sum += r
	}
	if combin.GeneralizedBinomial(float64(m+n), float64(m)) > maxOrders {
		sd := math.Sqrt(stat.PopVariance(ranks, nil) * float64(m*n) / float64(m+n-1))
		if sd == 0 {
			return 1
		}
		return min(1, 2*distuv.UnitNormal.Survival(max(0, far(sum)-0.5)/sd))
	}
	as, all := 0, 0
	chosen := make([]int, m)
	for g := combin.NewCombinationGenerator(m+n, m); g.Next(); all++ {
		other := 0.0
		for _, i := range g.Combination(chosen) {
			other += ranks[i]
		}
		if far(other) >= far(sum) { // sums of halves are exact
			as++
		}
	}
	return float64(as) / float64(all)
}

// Ranks are the places of the values in ascending order, from 1; equal values share the mean of
// theirs.
func Ranks(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		below, equal := 0, 0
		for _, w := range values {
			if w < v {
				below++
			} else if w == v {
				equal++
			}
		}
		out[i] = float64(below) + float64(equal+1)/2
	}
	return out
}

// Separated reports whether the seeds tell that x has the larger values.
func Separated(x, y []float64) bool { return Superiority(x, y) > 0.5 && RankTest(x, y) <= Alpha }
