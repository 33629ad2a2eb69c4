package results_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// TestExpectedBest compares ExpectedBest with the mean of the largest value over all subsets.
func TestExpectedBest(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for all := 1; all <= 6; all++ {
		values := make([]float64, all)
		for i := range values {
			values[i] = math.Round(r.NormFloat64()*4) / 2 // with ties
		}
		for n := 1; n <= all; n++ {
			sum, subsets := 0.0, 0.0
			for set := range uint(1) << all {
				if bits.OnesCount(set) != n {
					continue
				}
				best := math.Inf(-1)
				for i, v := range values {
					if set>>i&1 == 1 {
						best = max(best, v)
					}
				}
				sum, subsets = sum+best, subsets+1
			}
			if got := results.ExpectedBest(values, n); math.Abs(got-sum/subsets) > 1e-12 {
				t.Errorf("best of %d of %v: %v, want %v", n, values, got, sum/subsets)
			}
		}
		if got := results.ExpectedBest(values, all); math.Abs(got-slices.Max(values)) > 1e-12 {
			t.Errorf("best of all of %v: %v", values, got)
		}
	}
}

// surface returns runs of 100 evaluations whose best values after 10, 20, 50 and 100 evaluations
// are given.
func surface(values ...[4]float64) (out []*results.Run) {
	for _, v := range values {
		r := &results.Run{Header: record.Header{Budget: 100}, Result: &record.Result{}}
		for i, at := range []int{10, 20, 50, 100} {
			r.Curve = append(r.Curve, results.Improvement{Evaluation: at, Value: v[i]})
		}
		out = append(out, r)
	}
	return out
}

func TestFrontier(t *testing.T) {
	f := results.NewFrontier(surface(
		[4]float64{9, 8, 8, 7}, [4]float64{7, 7, 6, 6}, [4]float64{9, 9, 9, 5},
		[4]float64{8, 8, 6, 6}, [4]float64{9, 8, 7, 6}, [4]float64{9, 9, 8, 7},
	), -1, 0)
	if diff := cmp.Diff([]int{10, 20, 50, 100}, f.Grid); diff != "" || f.Most() != 3 {
		t.Errorf("%d seeds at most, grid mismatch (-want +got):\n%s", f.Most(), diff)
	}
	// After 50 evaluations the values are 8 6 9 6 7 8. Of 15 pairs, 9 contain a 6, and 3 other
	// pairs contain a 7.
	want := -(9*6 + 3*7 + 3*8.0) / 15
	if got := f.Value(results.Cell{Seeds: 2, Evaluations: 50}); math.Abs(got-want) > 1e-12 {
		t.Errorf("two seeds of 50: %v, want %v", got, want)
	}
	if got, ok := f.Best(100); !ok || got != (results.Cell{Seeds: 1, Evaluations: 100}) {
		t.Errorf("best of 100: %+v, %v", got, ok)
	}
	if _, ok := f.Best(9); ok {
		t.Error("Best found a cell for 9 evaluations")
	}
	if _, ok := f.HeldOut(9); ok {
		t.Error("HeldOut found a value for 9 evaluations")
	}
	// Runs 1, 3 and 5 choose one seed of 100 evaluations, whose value for the other runs is 19/3.
	// The other runs choose two seeds of 50, whose value for runs 1, 3 and 5 is 22/3.
	if got, ok := f.HeldOut(100); !ok || math.Abs(got+(19+22)/6.0) > 1e-12 {
		t.Errorf("held out: %v, %v", got, ok)
	}
	cells := f.Cells(100)
	for i, in := range f.Intervals(cells) {
		if v := f.Value(cells[i]); in.Low > v || in.High < v {
			t.Errorf("%+v: %v is not in %+v", cells[i], v, in)
		}
	}
	if got := results.NewFrontier(nil, -1, 0); got.Most() != 0 || len(got.Cells(100)) != 0 {
		t.Errorf("a frontier without runs: %+v", got)
	}
	late := surface([4]float64{9, 8, 8, 7})
	late[0].Curve = late[0].Curve[2:]
	late[0].Header.Budget = 1000
	golden.Same(t, "grid from the first score",
		[]int{50, 100, 200, 500, 1000}, results.NewFrontier(late, -1, 0).Grid)
}
