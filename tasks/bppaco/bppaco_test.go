package bppaco

import (
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestBinsAreThePublicCodes compares numbers of bins with the numbers of the public code, on all
// training instances in sequence, with three seeds of NumPy's generator.
func TestBinsAreThePublicCodes(t *testing.T) {
	for _, c := range []struct {
		name string
		rate func(item, largest int64) float64
		want [3][5]int
	}{
		{"largest first", func(item, largest int64) float64 {
			return float64(item) / float64(largest)
		}, [3][5]int{
			{212, 213, 214, 220, 218}, {212, 214, 214, 219, 216}, {211, 213, 213, 218, 216},
		}},
		{"constant", func(int64, int64) float64 { return 1 }, [3][5]int{
			{216, 217, 218, 223, 221}, {216, 217, 217, 223, 221}, {216, 218, 217, 222, 219},
		}},
	} {
		for replicate, want := range c.want {
			for number, bins := range want {
				items, err := Items("train", number)
				must.Do(t, err)
				n, largest := len(items), slices.Max(items)
				h := make([]float64, n*n)
				for i := range h {
					h[i] = c.rate(items[i%n], largest)
				}
				must.Do(t, prepare(h))
				got, err := Solve(t.Context(), "train", number, replicate, h)
				if err != nil || got != bins {
					t.Errorf("%s, seed %d, instance %d: %d bins, want %d, %v",
						c.name, seed+replicate, number, got, bins, err)
				}
			}
		}
	}
}
