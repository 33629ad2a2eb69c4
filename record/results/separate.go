package results

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// This file applies rules that are declared before the first run and add seeds until two rows are
// separated (see docs/suites.md).

// A Rule defines when a pair of rows is tested, and at which level it counts as separated.
type Rule struct {
	Looks []int   // number of seeds in each row at each look, ascending
	Alpha float64 // the largest chance of any wrong separation, over all pairs and looks
	Pairs int     // number of tested pairs
	Tolerance
}

// Level returns the largest p at which one look separates two independent rows: a union bound,
// which holds for any dependence between the tests.
func (r Rule) Level() float64 { return r.Alpha / float64(r.Pairs*len(r.Looks)) }

// Evidence returns the smallest e-value that separates two paired rows.
func (r Rule) Evidence() float64 { return float64(r.Pairs) / r.Alpha }

// A SeedValue is the value of a seed; larger is better. A Failed seed counts as worse than all
// values of its pair.
type SeedValue struct {
	Value  float64
	Failed bool
}

// A Verdict is the state of the comparison of two rows.
type Verdict struct {
	Seeds  int     // in each row at the last look so far, which was decisive if Better is not 0
	P      float64 // at the last look so far; for paired rows, the e-value
	Better int     // 1: the first row, -1: the second, 0: not separated
	Next   int     // seeds in each row at the next look; 0: there is no next look
}

// Judge compares two rows by seed, up to the first seed that one row lacks. Paired rows share
// random numbers within a seed, so Judge tests the signs of their differences, after every seed.
func (r Rule) Judge(a, b []SeedValue, paired bool) (v Verdict) {
	looks := r.Looks
	if paired {
		looks = nil
		for n := range slices.Max(r.Looks) {
			looks = append(looks, n+1)
		}
	}
	for _, n := range looks {
		if len(a) < n || len(b) < n {
			v.Next = n
			return v
		}
		x, y := ranked(a[:n], b[:n])
		v.Seeds = n
		var separated bool
		if paired {
			v.P = signEvidence(r.signs(x, y))
			separated = v.P >= r.Evidence()
		} else {
			v.P = r.RankTest(x, y)
			separated = v.P <= r.Level()
		}
		if separated {
			v.Better = -1
			if r.better(x, y, paired) {
				v.Better = 1
			}
			return v
		}
	}
	return v
}

// better reports whether x has the larger values, by the statistic that separated them.
func (r Rule) better(x, y []float64, paired bool) bool {
	if paired {
		wins, losses := r.signs(x, y)
		return wins > losses
	}
	return r.Superiority(x, y) > 0.5
}

// ranked returns the values of two rows, with failed seeds below all other values.
func ranked(a, b []SeedValue) (x, y []float64) {
	worst := 0.0
	for _, p := range slices.Concat(a, b) {
		if !p.Failed {
			worst = min(worst, p.Value-1)
		}
	}
	values := func(points []SeedValue) (out []float64) {
		for _, p := range points {
			if p.Failed {
				p.Value = worst
			}
			out = append(out, p.Value)
		}
		return out
	}
	return values(a), values(b)
}

// signEvidence returns the e-value of Krichevsky and Trofimov's mixture on the signs of the n
// untied pairs, of which s are wins and f losses: 2ⁿ · B(s + ½, f + ½) / B(½, ½). Under the null
// hypothesis, the chance that it ever exceeds E is at most 1/E.
func signEvidence(s, f int) float64 {
	return math.Exp(float64(s+f)*math.Ln2 +
		mathext.Lbeta(float64(s)+0.5, float64(f)+0.5) - mathext.Lbeta(0.5, 0.5))
}

// SeedsNeeded returns how many seeds in each of two rows would separate them at p ≤ 0.05 with a
// chance of 0.8, if a value of one row is larger than a value of the other with a chance of theta
// (Noether 1987). k pilot seeds cannot show a theta above 1 − 1/(2k²). It is +Inf for a theta of ½
// or less.
func SeedsNeeded(theta float64, k int) float64 {
	theta = min(theta, 1-1/(2*float64(k*k)))
	if theta <= 0.5 {
		return math.Inf(1)
	}
	z := distuv.UnitNormal.Quantile(1-0.05/2) + distuv.UnitNormal.Quantile(0.8)
	return math.Ceil(z * z / (6 * (theta - 0.5) * (theta - 0.5)))
}

// FewestPilots is the smallest number of seeds in a row for which SeedsNeeded is shown: if 19 seeds
// are needed, estimates from three seeds range from 7 to 424.
const FewestPilots = 5

// A Separation is the comparison that a suite declared for rows of a task.
type Separation struct {
	Suite, Task string
	Rule        Rule
	MaxUSD      float64 // 0: no limit
	Capped      bool    // MaxUSD is spent, so open pairs stay open
	Digest      string  // of the declaration
	Unchained   bool    // a run does not name the declaration
	Pairs       []SeparatedPair
	Used        map[string]Use // by row
}

// A SeparatedPair has two rows and the state of their comparison.
type SeparatedPair struct {
	A, B   string
	Paired bool
	Verdict
}

// Use counts what a row has used so far.
type Use struct {
	Seeds    int
	USD      float64
	Unpriced int // seeds with an unknown cost, which USD does not include
}

// Open returns the number of seeds at the next look, or 0 if there is no next look, and the rows of
// the undecided pairs.
func (s Separation) Open() (next int, rows map[string]bool) {
	rows = map[string]bool{}
	for _, p := range s.Pairs {
		if p.Next > 0 {
			rows[p.A], rows[p.B] = true, true
			if next == 0 || p.Next < next {
				next = p.Next
			}
		}
	}
	return next, rows
}
