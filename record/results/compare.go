package results

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pacebench/pacebench/record"
)

// Statistics of few seeds, after Agarwal et al., "Deep Reinforcement Learning at the Edge of the
// Statistical Precipice" (NeurIPS 2021): intervals by the stratified bootstrap, and the probability
// of improvement. The exact test of Mann and Whitney (1947) decides whether the seeds separate two
// samples.

const (
	// Confidence is the level of an Interval; for the bootstrap, the share of resamples inside it.
	Confidence = 0.95
	// Alpha is the largest p at which two samples are Separated. It is the smallest p that three
	// values can reach against three, and they reach it if all values of one sample are above all
	// values of the other.
	Alpha = 0.1
	// maxResamples is the number of random resamples. If there are no more possible resamples, all
	// of them are used, and nothing is random.
	maxResamples = 10_000
)

// Coverage is how often, in percent, an Interval of Bootstrap contains the true mean of few values,
// and the true difference of two means. Confidence claims 95 percent. The numbers were simulated
// for normal samples.
var Coverage = []struct{ Seeds, Percent, Difference int }{{3, 75, 80}, {5, 85, 88}, {10, 90, 92}}

// SuperiorityCoverage is the lowest coverage, in percent, of SuperiorityInterval for three to ten
// seeds and P(better) from 0.5 to 0.97.
const SuperiorityCoverage = 88

// An Interval is a confidence interval.
type Interval struct{ Low, High float64 }

// Bootstrap returns the percentile interval of each number of a statistic. It resamples every
// sample separately, with replacement. The random numbers depend only on name, so that equal
// samples have equal intervals in every table.
func Bootstrap(name string, statistic func(samples [][]float64) []float64,
	samples ...[]float64) []Interval {
	var sizes []int // for each value, the size of its sample
	all := 1.0
	resample := make([][]float64, len(samples))
	for i, s := range samples {
		resample[i] = make([]float64, len(s))
		for range s {
			sizes = append(sizes, len(s))
			all *= float64(len(s))
		}
	}
	var values [][]float64 // for each number of the statistic, its values over the resamples
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

// FewestSeeds is the smallest number of values that have an interval.
const FewestSeeds = 3

// BootstrapMean returns the Interval of the mean; ok is false for fewer than FewestSeeds values.
func BootstrapMean(values []float64) (i Interval, ok bool) {
	if len(values) < FewestSeeds {
		return i, false
	}
	return Bootstrap("mean", func(s [][]float64) []float64 {
		return []float64{record.Mean(s[0])}
	}, values)[0], true
}

// SuperiorityInterval returns the 95 % interval of P(better) for samples of m and n values with the
// estimate theta: Newcombe's score interval (Statistics in Medicine 2006, method 5). A bootstrap
// interval would be too short: if three values are above three other values, it is from 1 to 1. For
// three against three values and a true P(better) of 0.92, only 37 % of the bootstrap intervals
// contain 0.92.
func SuperiorityInterval(theta float64, m, n int) Interval {
	z := distuv.UnitNormal.Quantile((1 + Confidence) / 2)
	low := func(theta float64) float64 { // the value that is z standard errors below theta
		from, to := 0.0, theta
		for range 60 {
			t := (from + to) / 2
			more := (float64(m+n)/2 - 1) * ((1-t)/(2-t) + t/(1+t))
			if theta-t > z*math.Sqrt(t*(1-t)*(1+more)/float64(m*n)) {
				from = t
			} else {
				to = t
			}
		}
		return from
	}
	return Interval{low(theta), 1 - low(1-theta)}
}

// MeanOf returns the interval of the mean of independent numbers, each with its own interval: the
// distances to the ends add up as standard errors do (Zou and Donner 2008).
func MeanOf(values []float64, spans []Interval) Interval {
	mean, below, above := 0.0, 0.0, 0.0
	for i, v := range values {
		mean += v / float64(len(values))
		below, above = math.Hypot(below, v-spans[i].Low), math.Hypot(above, spans[i].High-v)
	}
	n := float64(len(values))
	return Interval{mean - below/n, mean + above/n}
}

// RankTest returns the two-sided p of Mann and Whitney's test: the share of all ways to split the
// values into samples of these sizes whose rank sum is at least as far from the middle. Tied values
// share their ranks, and p stays exact.
func (t Tolerance) RankTest(x, y []float64) float64 {
	return t.splits(x, y, func(sum, own, middle int) bool {
		return math.Abs(float64(sum-middle)) >= math.Abs(float64(own-middle))
	})
}

// RankTestAbove returns the one-sided p for larger values in x: the share of all splits in which
// the rank sum is at least as large as in the data.
func (t Tolerance) RankTestAbove(x, y []float64) float64 {
	return t.splits(x, y, func(sum, own, _ int) bool { return sum >= own })
}

// splits returns the share of extreme splits among all ways to split the values into samples of
// these sizes. extreme receives twice the rank sum of x: in the split, in the data, and on average.
// The function counts the subsets of doubled mid-ranks by size and sum, value by value. Counts are
// whole numbers, which a float64 represents exactly up to 2⁵³, and cannot overflow for samples of
// usual sizes.
func (t Tolerance) splits(x, y []float64, extreme func(sum, own, middle int) bool) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 1
	}
	if len(x) > len(y) { // the size of the table grows with the square of len(x)
		x, y = Larger(y, -1), Larger(x, -1)
	}
	m, n := len(x), len(y)
	ranks, own := t.Ranks(append(slices.Clone(x), y...)), 0
	for _, r := range ranks[:m] {
		own += int(2 * r)
	}
	slices.Sort(ranks)
	ways := make([][]float64, m+1) // by size, then sum
	for k := range ways {
		ways[k] = make([]float64, 2*k*(m+n)+1)
	}
	ways[0][0] = 1
	largest := make([]int, m+1) // for each size, the largest sum so far
	for i, r := range ranks {
		v := int(2 * r)
		for k := min(i, m-1); k >= max(0, m-1-(m+n-1-i)); k-- { // other sizes cannot reach m
			to := ways[k+1][v:]
			for sum, count := range ways[k][:largest[k]+1] {
				to[sum] += count
			}
			largest[k+1] = largest[k] + v // ranks ascend, so the last ones have the largest sum
		}
	}
	as, all := 0.0, 0.0
	for sum, count := range ways[m] {
		all += count
		if count > 0 && extreme(sum, own, m*(m+n+1)) {
			as += count
		}
	}
	return as / all
}

// Holm adjusts the p-values of a family of tests (Holm 1979). If every hypothesis with an adjusted
// p of at most α is rejected, the chance of any wrong rejection is at most α.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	out, least := make([]float64, len(p)), 0.0
	for k, i := range order {
		least = max(least, min(1, float64(len(p)-k)*p[i]))
		out[i] = least
	}
	return out
}

// Separated reports whether the seeds show that x has the larger values.
func (t Tolerance) Separated(x, y []float64) bool {
	return t.Superiority(x, y) > 0.5 && t.RankTest(x, y) <= Alpha
}
