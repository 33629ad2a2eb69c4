// Package explain measures how much each part of a program contributes to its score. Measure lists
// the programs to score, in order; the caller scores them. Everything else, such as effects,
// intervals and credit, is computed from their values, so a run keeps only a file of values. Start
// at Plan and Measure.
package explain

import (
	"crypto/sha256"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pacebench/pacebench/record/results"
)

const (
	alpha = 0.05
	power = 0.8
	// exact is the largest number of instances for which the sign-flip test is exact: 16 instances
	// have 65,536 sign patterns.
	exact = 16
	// draws is the number of random sign patterns for more instances. The smallest p is then
	// 1/10,000, which Holm's adjustment over 60 parts raises to 0.006.
	draws = 9_999
	// fewest is the smallest number of instances for which intervals use Student's t.
	fewest = 10
)

// An Effect is the effect of a part on one split: how much higher the score of the program is than
// the score of the part's knock-out, as a mean over the instances. A part with a positive effect
// helps. Effects have the task's unit.
type Effect struct {
	N       int     // instances
	Mean    float64 // NaN: not measured
	Low     float64 // lower end of the 95 % interval; NaN: too few instances
	High    float64
	P       float64 // sign-flip test, two-sided
	Holm    float64 // P adjusted over the parts on this split
	Visible float64 // smallest effect that is significant with a power of 80 %; NaN: no such effect
	Same    bool    // the knock-out changes no value
	sd      float64 // standard deviation of the differences
}

// unmeasured is the effect of a part whose knock-out does not run, or was not scored on the split.
var unmeasured = Effect{
	Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), P: math.NaN(), Holm: math.NaN(),
	Visible: math.NaN(),
}

// Number returns x for tables and JSON, with nil instead of NaN.
func Number(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// Significant reports whether the effect differs from 0 after Holm's adjustment.
func (e Effect) Significant() bool { return e.Holm <= alpha }

// newEffect computes the effect from paired differences of scores, without Holm and Visible.
func newEffect(d []float64, stream string) Effect {
	e := unmeasured
	e.N = len(d)
	e.Mean, e.sd = stat.MeanStdDev(d, nil)
	e.Same = !slices.ContainsFunc(d, func(x float64) bool { return x != 0 })
	e.P = signFlip(d, stream)
	if len(d) < fewest {
		e.Low, e.High = flipRange(d)
	} else {
		e.Low, e.High, _ = results.NewSample(d).MeanInterval()
	}
	return e
}

// family sets Holm and Visible of the measured effects, which are tested together.
func family(effects []*Effect) {
	effects = slices.DeleteFunc(effects, func(e *Effect) bool { return math.IsNaN(e.P) })
	var ps []float64
	for _, e := range effects {
		ps = append(ps, e.P)
	}
	// Holm's first step compares the smallest p with alpha divided by the number of tests.
	level := alpha / float64(len(effects))
	for i, p := range results.Holm(ps) {
		e := effects[i]
		e.Holm = p
		n := float64(e.N)
		if e.N > 1 && (e.N > exact || math.Pow(2, 1-n) <= level) {
			t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
			e.Visible = (t.Quantile(1-level/2) + t.Quantile(power)) * e.sd / math.Sqrt(n)
		}
	}
}

// signFlip returns the two-sided p of the sign-flip test of the mean: the share of sign patterns
// whose sum is at least as far from 0 as the sum of d. It is exact for few instances; otherwise it
// is an estimate from random numbers that depend on the stream's name.
func signFlip(d []float64, stream string) float64 {
	sum, size := 0.0, 0.0
	for _, x := range d {
		sum += x
		size += math.Abs(x)
	}
	least := math.Abs(sum) - 1e-10*size // sums in another order differ in the last digits
	if len(d) <= exact {
		extreme, now := 0, -size
		signed := make([]float64, len(d))
		for i, x := range d {
			signed[i] = -math.Abs(x)
		}
		for k := 0; ; { // Gray code: each pattern differs from the last one in one sign
			if math.Abs(now) >= least {
				extreme++
			}
			if k++; k == 1<<len(d) {
				return float64(extreme) / float64(k)
			}
			i := bits.TrailingZeros(uint(k))
			signed[i] = -signed[i]
			now += 2 * signed[i]
		}
	}
	r := rand.New(rand.NewChaCha8(sha256.Sum256([]byte("pacebench.explain.v1\x00" + stream))))
	extreme := 1 // the observed pattern
	for range draws {
		now, word := 0.0, uint64(0)
		for i, x := range d {
			if i%64 == 0 {
				word = r.Uint64()
			}
			if word&1 == 0 {
				x = -x
			}
			word >>= 1
			now += x
		}
		if math.Abs(now) >= least {
			extreme++
		}
	}
	return float64(extreme) / (draws + 1)
}

// flipRange returns the range of effects that the sign-flip test does not reject: an interval with
// a confidence of at least 95 %. Its ends are means of subsets (Hartigan 1969). With fewer than 6
// values, no effect is rejected, and both ends are NaN.
func flipRange(d []float64) (low, high float64) {
	all := 1 << len(d)
	out := int(alpha / 2 * float64(all))
	if out == 0 {
		return math.NaN(), math.NaN()
	}
	means := make([]float64, 0, all-1)
	for set := 1; set < all; set++ {
		sum := 0.0
		for i, x := range d {
			if set>>i&1 == 1 {
				sum += x
			}
		}
		means = append(means, sum/float64(bits.OnesCount(uint(set))))
	}
	slices.Sort(means)
	return means[out-1], means[len(means)-out]
}
