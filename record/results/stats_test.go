package results_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/record/results"
)

func TestNewSample(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   results.Sample
		why    string
	}{
		{nil, results.Sample{}, "no value"},
		{[]float64{3}, results.Sample{Mean: 3, SD: math.NaN(), N: 1}, "one seed has no deviation"},
		{[]float64{1, 2, 3}, results.Sample{Mean: 2, SD: 1, N: 3}, "n - 1: sqrt((1+0+1)/2)"},
		{[]float64{2, 4}, results.Sample{Mean: 3, SD: math.Sqrt2, N: 2}, "sqrt((1+1)/1)"},
	} {
		c.want.Values = c.values
		golden.Same(t, fmt.Sprintf("results.NewSample(%v) (%s)", c.values, c.why),
			c.want,
			results.NewSample(c.values), cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-12))
	}
}

func TestSmallestP(t *testing.T) {
	for sizes, want := range map[[2]int]float64{
		{3, 5}: 2.0 / 56, // two of 56 orders are extreme
		{1, 1}: 1,        // both orders are extreme
	} {
		if got := results.SmallestP(sizes[0], sizes[1]); math.Abs(got-want) > 1e-12 {
			t.Errorf("results.SmallestP of %v seeds = %g, want %g", sizes, got, want)
		}
	}
	for p, want := range map[float64]int{0.1: 3, 0.05: 4, 0.05 / 10: 6, 0.05 / 21: 6} {
		if got := results.SeedsFor(p); got != want {
			t.Errorf("results.SeedsFor(%v) = %d, want %d", p, got, want)
		}
	}
}

func TestIsOffline(t *testing.T) {
	for model, want := range map[string]bool{
		"offline": true, "openai:offline": true, "openai:offline-v1": true,
		"openai:offline,max_tokens=4096": true, `openai:x/offline-2,extra={"a":"b/c:d"}`: true,
		"openai:gpt-4o-mini": false, "replay:offline.d": false,
		`openai:gpt,extra={"a":"b:offline"}`: false, "openai:gpt,x=offline:": false,
	} {
		if results.IsOffline(model) != want {
			t.Errorf("results.IsOffline(%q) = %v, want %v", model, !want, want)
		}
	}
}
