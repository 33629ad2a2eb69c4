package results_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/results"
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
		if diff := cmp.Diff([]results.Interval{c.want}, got); diff != "" {
			t.Errorf("Bootstrap of %v (%s) mismatch (-want +got):\n%s", c.values, c.why, diff)
		}
	}
}

// With many values resamples are random, from a stream of their own, and the interval is the one
// that theory gives.
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
		t.Error("the stream has no name")
	}
	half := 1.96 * s.SD / 10
	want := results.Interval{Low: s.Mean - half, High: s.Mean + half}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 0.03)); diff != "" {
		t.Errorf("mismatch (-normal theory +bootstrap):\n%s", diff)
	}
	if want := (results.Interval{Low: 4.8022, High: 5.1761}); cmp.Diff(want, got,
		cmpopts.EquateApprox(0, 1e-4)) != "" {
		t.Errorf("%v, want %v as ever: reports are equal to the byte", got, want)
	}
}

func TestRankTest(t *testing.T) {
	count := func(n int, from float64) (out []float64) {
		for i := range n {
			out = append(out, from+float64(i))
		}
		return out
	}
	for _, c := range []struct {
		x, y           []float64
		superiority, p float64
		why            string
	}{
		{[]float64{4, 5, 6}, []float64{1, 2, 3}, 1, 0.1, "both extreme orders of 20"},
		{[]float64{3, 5, 6}, []float64{1, 2, 4}, 8.0 / 9, 0.2,
			"4 of 20 orders have U of 0, 1, 8 or 9"},
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, 0.5, 1, "ties count half"},
		{[]float64{2, 2, 2}, []float64{2, 2, 2}, 0.5, 1, "nothing but ties"},
		{[]float64{4, 5}, []float64{1, 2, 3}, 1, 0.2, "two of 10"},
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

// TestRankTestAbove has the constants of SciPy's exact test, and of an enumeration for the ties.
func TestRankTestAbove(t *testing.T) {
	to := func(n int) (out []float64) {
		for i := range n {
			out = append(out, float64(i+1))
		}
		return out
	}
	for _, c := range []struct {
		method []float64
		pool   int
		want   float64
	}{
		{[]float64{20.5, 22.5, 25.5, 28.5, 31}, 30, 0.00801522955223},
		{[]float64{50.5, 55.5, 60.5, 65.5, 70.5, 75.5, 80.5, 85.5, 90.5, 95.5}, 100,
			0.00897711541700},
		{[]float64{25, 28, 30}, 30, 0.00879765395894},
		{[]float64{31}, 30, 1.0 / 31},
		{[]float64{31, 32, 33}, 30, 1 / combin.GeneralizedBinomial(33, 3)},
		{[]float64{101, 102, 103}, 100, 1 / combin.GeneralizedBinomial(103, 3)},
		{[]float64{31, 32, 33, 34, 35}, 30, 1 / combin.GeneralizedBinomial(35, 5)},
		{nil, 30, 1},
	} {
		if got := equal.RankTestAbove(c.method, to(c.pool)); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("%v above 1 to %d: p = %.14g, want %.14g", c.method, c.pool, got, c.want)
		}
	}
}

// TestRankTestsAgainstEnumeration lists all splits of up to twelve values with ties.
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

// TestBootstrapCoverage: what the percentile interval of a mean covers with few seeds, which is
// said under every table of intervals.
func TestBootstrapCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range results.Coverage {
		covered, draws := 0, 2000
		if c.Seeds == 10 {
			draws = 400 // of 10 000 resamples each
		}
		for range draws {
			values := make([]float64, c.Seeds)
			for i := range values {
				values[i] = r.NormFloat64()
			}
			if i := results.Bootstrap("coverage", mean, values)[0]; i.Low <= 0 && i.High >= 0 {
				covered++
			}
		}
		got := 100 * float64(covered) / float64(draws)
		if math.Abs(got-float64(c.Percent)) > 3 {
			t.Errorf("with %d seeds %.1f %%, want about %d %%", c.Seeds, got, c.Percent)
		}
	}
}

// Were six methods with three seeds all equal, the rule for marks would mark something in 1.6 % of
// columns: that the first n methods have the first 3n values, for any n.
func TestSeparatedByChance(t *testing.T) {
	chance := 0.0
	for n := 1; n < 6; n++ {
		chance += combin.GeneralizedBinomial(6, float64(n)) / combin.GeneralizedBinomial(18,
			float64(3*n))
	}
	if chance > 0.017 {
		t.Errorf("marked by chance in %.4f of columns", chance)
	}
}

// docs/results.md works this example out by hand.
func TestTheDocumentedExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	a, b := []float64{6.2, 6.3, 6.4}, []float64{6.35, 6.5, 6.6}
	difference := results.Bootstrap("pair", func(s [][]float64) []float64 {
		return []float64{record.Mean(s[0]) - record.Mean(s[1]), equal.Superiority(s[1], s[0])}
	}, a, b)
	own := results.Bootstrap("mean", mean, a)[0]
	for _, want := range []string{
		fmt.Sprintf("| A | 6.2, 6.3, 6.4 | %.3f ± %.3f | %.1f to %.1f |", record.Mean(a),
			results.NewSample(a).SD, own.Low, own.High),
		fmt.Sprintf("difference −%.3f, from −%.3f to −%.3f", record.Mean(b)-record.Mean(a),
			-difference[0].Low, -difference[0].High),
		fmt.Sprintf("8/9 = %.2f, from %.2f to %.2f", equal.Superiority(b, a), difference[1].Low,
			difference[1].High),
		fmt.Sprintf("p = 4/20 = %.1f", equal.RankTest(a, b)),
		fmt.Sprintf("p = 2/20 = %.1f", equal.RankTest(a, []float64{6.45, 6.5, 6.6})),
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), want) {
			t.Errorf("docs/results.md does not say %q", want)
		}
	}
}
