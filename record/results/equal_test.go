package results_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// equal is the tolerance of tasks that state no tolerance.
const equal results.Tolerance = 0

// TestToleranceDecidesNoRank compares two sums of the radii of one layout of 26 circles, added up
// in different orders.
func TestToleranceDecidesNoRank(t *testing.T) {
	const a, b = 2.1666666666666665, 2.166666666666666
	x, y := []float64{a, a, a}, []float64{b, b, b}
	if got := equal.Ranks([]float64{a, b, 2, a}); !slices.Equal(got, []float64{3, 3, 1, 3}) {
		t.Errorf("ranks %v", got)
	}
	if got := equal.Superiority(x, y); got != 0.5 {
		t.Errorf("P(better) = %v", got)
	}
	if p, above := equal.RankTest(x, y), equal.RankTestAbove(x, y); p != 1 || above != 1 {
		t.Errorf("p = %v, one-sided %v", p, above)
	}
	if equal.Separated(x, y) {
		t.Error("equal values are separated")
	}
	rule := results.Rule{Looks: []int{3}, Alpha: 0.5, Pairs: 1}
	var one, two []results.SeedValue
	for i := range x {
		one = append(one, results.SeedValue{Value: x[i]})
		two = append(two, results.SeedValue{Value: y[i]})
	}
	for _, paired := range []bool{false, true} {
		if v := rule.Judge(one, two, paired); v.Better != 0 {
			t.Errorf("paired %v: %+v", paired, v)
		}
	}
	g := &results.Group{}
	for seed, score := range []float64{b, a} {
		best := &record.BestResult{Score: score, Value: score, Evaluation: 1}
		g.Runs = append(g.Runs, &results.Run{
			Header: record.Header{Seed: uint64(seed + 1), Budget: 1},
			Result: &record.Result{}, Totals: record.Totals{Best: best, Evaluations: 1},
			Curve: []results.Improvement{{Evaluation: 1, Value: score}},
		})
	}
	if got := g.Winner().Header.Seed; got != 1 {
		t.Errorf("seed %d wins, not the earliest of equals", got)
	}
	if got := g.Runtime(a, +1); got.Successes != 2 {
		t.Errorf("%d runs reach the value of one of them", got.Successes)
	}
	target := 0.0 + 0.5/results.Targets*3 // the first target of a scale from 0 to 3
	scale := results.Scale{Worst: 0, Best: 3}
	if got := scale.Reached(math.Nextafter(target, 0)); got != 1.0/results.Targets {
		t.Errorf("%v of the targets are reached", got)
	}
}

// TestCompare tries values at the tolerance, NaN and infinities.
func TestCompare(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		tolerance results.Tolerance
		a, b      float64
		want      int
	}{
		{0, 1, 1 + 5e-13, 0}, {0, 1, 1 + 2e-12, -1}, {0, 1e9 + 1e-4, 1e9, 0}, {0, 2e-20, 1e-20, 1},
		{0, 0, 1e-300, -1}, {0, inf, inf, 0}, {0, inf, 1, 1}, {0, 1, inf, -1}, {0, -inf, inf, -1},
		{1e-3, 100, 100.05, 0}, {1e-3, 100, 100.2, -1}, {0, math.MaxFloat64, -math.MaxFloat64, 1},
	} {
		if got := c.tolerance.Compare(c.a, c.b); got != c.want {
			t.Errorf("%g: compare(%v, %v) = %d, want %d", float64(c.tolerance), c.a, c.b, got,
				c.want)
		}
	}
	// A chain of neighbours that are equal within the tolerance shares one rank, even if its ends
	// differ.
	if got := results.Tolerance(0.1).Ranks([]float64{100, 108, 116, 200}); !slices.Equal(got,
		[]float64{2, 2, 2, 4}) {
		t.Errorf("ranks %v", got)
	}
}
