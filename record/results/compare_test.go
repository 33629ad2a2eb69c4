package results_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

func mean(samples [][]float64) []float64 { return []float64{record.Mean(samples[0])} }

func TestBootstrap(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   results.Interval
		why    string
	}{
		{[]float64{7}, results.Interval{Low: 7, High: 7}, "one value"},
		{[]float64{1, 2, 6}, results.Interval{Low: 1, High: 6},
			"each end has 1 of 27 resamples, 3.7 %: more than the 2.5 % that are cut off"},
		{[]float64{0, 0, 0, 4}, results.Interval{Low: 0, High: 3},
			"of 256, 81 have no 4, 108 one, 54 two, 12 three and 1 four: 7 lie above a mean of 3"},
		{[]float64{0, 0, 0, 0, 5}, results.Interval{Low: 0, High: 3},
			"of 3125, 1024 have no 5 and 181 more than two: 78 are cut off"},
	} {
		got := results.Bootstrap("test", mean, c.values)
		golden.Same(t, fmt.Sprintf("Bootstrap of %v (%s)", c.values, c.why),
			[]results.Interval{c.want}, got)
	}
}

// TestRandomResamples checks that resamples of many values are random, from a named stream, and
// that the interval is close to the interval of normal theory.
func TestRandomResamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 100)
	for i := range values {
		values[i] = 5 + r.NormFloat64()
	}
	s := results.NewSample(values)
	got := results.Bootstrap("test", mean, values)[0]
	if again := results.Bootstrap("test", mean, values)[0]; again != got {
		t.Errorf("%v, then %v", got, again)
	}
	if other := results.Bootstrap("another", mean, values)[0]; other == got {
		t.Error("the name does not change the random numbers")
	}
	half := 1.96 * s.SD / 10
	want := results.Interval{Low: s.Mean - half, High: s.Mean + half}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 0.03)); diff != "" {
		t.Errorf("mismatch (-normal theory +bootstrap):\n%s", diff)
	}
	if want := (results.Interval{Low: 4.8022, High: 5.1761}); cmp.Diff(want, got,
		cmpopts.EquateApprox(0, 1e-4)) != "" {
		t.Errorf("%v, want %v: other random numbers would change every report", got, want)
	}
}

// count returns n values in steps of 1, beginning with from.
func count(n int, from float64) (out []float64) {
	for i := range n {
		out = append(out, from+float64(i))
	}
	return out
}

func TestRankTest(t *testing.T) {
	for _, c := range []struct {
		x, y           []float64
		superiority, p float64
		why            string
	}{
		{[]float64{3, 5, 6}, []float64{1, 2, 4}, 8.0 / 9, 0.2,
			"4 of 20 orders have U of 0, 1, 8 or 9"},
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, 0.5, 1, "ties count half"},
		{[]float64{7}, nil, math.NaN(), 1, "nothing to compare"},
		{count(10, 0), count(10, 5.5), 0.1, 0.0015046872632011952,
			"scipy.stats.mannwhitneyu, exact"},
		{count(12, 0), count(15, 2), 50.0 / 180, 0.05118057784634713,
			"by counts, with ten ties"},
		{count(5, 100), count(30, 0), 1, 2 / combin.GeneralizedBinomial(35, 5),
			"both extreme orders of 324632: the normal approximation says 4e-4"},
	} {
		if got := equal.Superiority(c.x, c.y); math.Abs(got-c.superiority) > 1e-12 {
			t.Errorf("Superiority(%v, %v) = %v, want %v: %s", c.x, c.y, got, c.superiority, c.why)
		}
		if got := equal.RankTest(c.x, c.y); math.Abs(got-c.p) > 1e-12 {
			t.Errorf("RankTest(%v, %v) = %v, want %v: %s", c.x, c.y, got, c.p, c.why)
		}
	}
}

// TestRankTestAbove expects the p of SciPy's exact test, or of an enumeration if there are ties.
func TestRankTestAbove(t *testing.T) {
	for _, c := range []struct {
		method []float64
		pool   int
		want   float64
	}{
		{[]float64{20.5, 22.5, 25.5, 28.5, 31}, 30, 0.00801522955223},
		{[]float64{50.5, 55.5, 60.5, 65.5, 70.5, 75.5, 80.5, 85.5, 90.5, 95.5}, 100,
			0.00897711541700},
		{[]float64{25, 28, 30}, 30, 0.00879765395894},
		{count(3, 101), 100, 1 / combin.GeneralizedBinomial(103, 3)},
		{nil, 30, 1},
	} {
		if got := equal.RankTestAbove(c.method, count(c.pool, 1)); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("%v above 1 to %d: p = %.14g, want %.14g", c.method, c.pool, got, c.want)
		}
	}
}

// TestRankTestsAgainstEnumeration enumerates all splits of up to twelve values with ties.
func TestRankTestsAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for size := 2; size <= 12; size++ {
		for m := 1; m < size; m++ {
			values := make([]float64, size)
			for i := range values {
				values[i] = float64(r.IntN(size))
			}
			ranks := equal.Ranks(values)
			sum := func(places []int) (s float64) {
				for _, i := range places {
					s += ranks[i]
				}
				return s
			}
			own := make([]int, m)
			for i := range own {
				own[i] = i
			}
			above, far, all := 0.0, 0.0, 0.0
			middle := float64(m*(size+1)) / 2
			for g := combin.NewCombinationGenerator(size, m); g.Next(); all++ {
				other := sum(g.Combination(nil))
				if other >= sum(own) {
					above++
				}
				if math.Abs(other-middle) >= math.Abs(sum(own)-middle) {
					far++
				}
			}
			x, y := values[:m], values[m:]
			if got := equal.RankTest(x, y); got != far/all {
				t.Errorf("RankTest(%v, %v) = %v, want %v", x, y, got, far/all)
			}
			if got := equal.RankTestAbove(x, y); got != above/all {
				t.Errorf("RankTestAbove(%v, %v) = %v, want %v", x, y, got, above/all)
			}
		}
	}
}

func TestHolm(t *testing.T) {
	got := results.Holm([]float64{0.04, 0.01, 0.3, 0.012, 0.02})
	want := []float64{0.08, 0.05, 0.3, 0.05, 0.06}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("mismatch (-by hand +got):\n%s", diff)
	}
	if got := results.Holm([]float64{0.6, 0.9}); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v, want no p above 1", got)
	}
}

// TestBootstrapCoverage: with few seeds, the percentile intervals of a mean and of a difference
// have the coverage that tables state.
func TestBootstrapCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	difference := func(s [][]float64) []float64 {
		return []float64{record.Mean(s[0]) - record.Mean(s[1])}
	}
	for _, c := range results.Coverage {
		for _, of := range []struct {
			name    string
			number  func([][]float64) []float64
			samples int
			percent int
		}{{"mean", mean, 1, c.Percent}, {"difference", difference, 2, c.Difference}} {
			covered, draws, within := 0, 1000, 3.5
			if c.Seeds*of.samples >= 8 {
				draws, within = 100, 6 // of 10 000 resamples each
			}
			for range draws {
				samples := make([][]float64, of.samples)
				for i := range samples {
					for range c.Seeds {
						samples[i] = append(samples[i], r.NormFloat64())
					}
				}
				i := results.Bootstrap("coverage", of.number, samples...)[0]
				if i.Low <= 0 && i.High >= 0 {
					covered++
				}
			}
			got := 100 * float64(covered) / float64(draws)
			if math.Abs(got-float64(of.percent)) > within {
				t.Errorf("%s with %d seeds: coverage %.1f %%, want about %d %%", of.name, c.Seeds,
					got, of.percent)
			}
		}
	}
}

// TestSuperiorityCoverage: the intervals of P(better) and of its mean over three tasks have the
// coverage that tables state, for normal values of equal spread.
func TestSuperiorityCoverage(t *testing.T) {
	const draws = 4000
	r := rand.New(rand.NewPCG(7, 8))
	sample := func(n int, mean float64) (values []float64) {
		for range n {
			values = append(values, r.NormFloat64()+mean)
		}
		return values
	}
	for _, sizes := range [][2]int{{3, 3}, {3, 5}, {5, 5}, {10, 10}, {3, 30}} {
		for _, theta := range []float64{0.5, 0.64, 0.76, 0.86, 0.92, 0.97} {
			shift := math.Sqrt2 * distuv.UnitNormal.Quantile(theta)
			covered, over := 0, 0
			for range draws {
				var at []float64
				var spans []results.Interval
				for range 3 {
					at = append(at, equal.Superiority(sample(sizes[0], shift), sample(sizes[1], 0)))
					spans = append(spans,
						results.SuperiorityInterval(at[len(at)-1], sizes[0], sizes[1]))
				}
				if i := spans[0]; i.Low <= theta && theta <= i.High {
					covered++
				}
				if i := results.MeanOf(at, spans); i.Low <= theta && theta <= i.High {
					over++
				}
			}
			for name, n := range map[string]int{"one task": covered, "three tasks": over} {
				percent := 100 * float64(n) / draws
				if percent < results.SuperiorityCoverage-0.5 {
					t.Errorf("%s, %v seeds, P(better) = %g: %.1f %%", name, sizes, theta, percent)
				}
			}
		}
	}
	for theta, want := range map[float64]results.Interval{
		1: {Low: 0.5010, High: 1}, 0: {Low: 0, High: 0.4990}, 0.5: {Low: 0.1528, High: 0.8472},
	} {
		i := results.SuperiorityInterval(theta, 3, 3)
		if math.Abs(i.Low-want.Low) > 1e-3 || math.Abs(i.High-want.High) > 1e-3 {
			t.Errorf("three against three, %g: %.4f to %.4f", theta, i.Low, i.High)
		}
	}
}

// TestTheDocumentedExample: docs/reading-results.md works out this example by hand.
func TestTheDocumentedExample(t *testing.T) {
	page := must.Read(t, "../../docs/reading-results.md")
	a, b := []float64{6.2, 6.3, 6.4}, []float64{6.35, 6.5, 6.6}
	difference := results.Bootstrap("pair", func(s [][]float64) []float64 {
		return []float64{record.Mean(s[0]) - record.Mean(s[1])}
	}, a, b)
	span := results.SuperiorityInterval(equal.Superiority(b, a), 3, 3)
	own := results.Bootstrap("mean", mean, a)[0]
	for _, want := range []string{
		fmt.Sprintf("| A | 6.2, 6.3, 6.4 | %.3f ± %.3f | %.1f to %.1f |", record.Mean(a),
			results.NewSample(a).SD, own.Low, own.High),
		fmt.Sprintf("difference −%.3f, from −%.3f to −%.3f", record.Mean(b)-record.Mean(a),
			-difference[0].Low, -difference[0].High),
		fmt.Sprintf("8/9 = %.2f, from %.2f to %.2f", equal.Superiority(b, a), span.Low,
			span.High),
		fmt.Sprintf("p = 4/20 = %.1f", equal.RankTest(a, b)),
		fmt.Sprintf("p = 2/20 = %.1f", equal.RankTest(a, []float64{6.45, 6.5, 6.6})),
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), want) {
			t.Errorf("docs/reading-results.md does not say %q", want)
		}
	}
}
