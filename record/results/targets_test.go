package results_test

import (
	"math"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// ended returns a finished run of five evaluations with these improvements. Each evaluation takes a
// thousand tokens.
func ended(curve ...results.Improvement) *results.Run {
	r := &results.Run{Header: record.Header{Budget: 5}, Result: &record.Result{}, Curve: curve}
	for i := range r.Curve {
		r.Curve[i].Tokens = 1000 * r.Curve[i].Evaluation
	}
	r.Evaluations = 5
	return r
}

// two returns two seeds whose best values after each evaluation are – 8 8 6 6 and 9 9 9 9 5.
func two() *results.Group {
	return &results.Group{Runs: []*results.Run{
		ended(results.Improvement{Evaluation: 2, Value: 8},
			results.Improvement{Evaluation: 4, Value: 6}),
		ended(results.Improvement{Evaluation: 1, Value: 9},
			results.Improvement{Evaluation: 5, Value: 5}),
	}}
}

var scale = results.Scale{Worst: 10, Best: 6}

func TestAOCC(t *testing.T) {
	g := two()
	for i, want := range []float64{(0 + 0.5 + 0.5 + 1 + 1) / 5, (4*0.25 + 1) / 5} {
		if got := scale.AOCC(g.Runs[i]); math.Abs(got-want) > 1e-12 {
			t.Errorf("seed %d: %v, want %v", i+1, got, want)
		}
	}
	if got := scale.AOCC(ended()); got != 0 {
		t.Errorf("without a score: AOCC %v, want 0", got)
	}
	up := results.Scale{Worst: -92, Best: 8}
	if got := up.Progress(-42); got != 0.5 {
		t.Errorf("progress of a value to be maximised: %v", got)
	}
}

// TestECDF: the area under the ECDF differs from AOCC by at most half the width of a target.
func TestECDF(t *testing.T) {
	g := two()
	points, runs := g.ECDF(scale)
	area, want := 0.0, 0.0
	for i, p := range points {
		end := 5.0 + 1
		if i+1 < len(points) {
			end = points[i+1].X
		}
		if p.X >= 1 {
			area += p.Mean * (end - p.X) / 5
		}
	}
	for _, r := range g.Runs {
		want += scale.AOCC(r) / 2
	}
	if runs != 2 || math.Abs(area-want) > 1.0/(2*results.Targets) {
		t.Errorf("the area of %d runs is %v, AOCC %v", runs, area, want)
	}
	if got := points[len(points)-1]; got.Mean != 1 || got.X != 5 {
		t.Errorf("the ECDF ends at %+v", got)
	}
}

func TestRuntime(t *testing.T) {
	g := two()
	for target, want := range map[float64]results.Runtime{
		8: {Used: 2 + 5, Successes: 2, Runs: 2},
		6: {Used: 4 + 5, Successes: 2, Runs: 2},
		5: {Used: 5 + 5, Successes: 1, Runs: 2},
		4: {Used: 10, Successes: 0, Runs: 2},
	} {
		if got := g.Runtime(target, -1); got != want {
			t.Errorf("to %v: %+v, want %+v", target, got, want)
		}
	}
	if _, ok := g.Runtime(8, -1).Mean(); ok {
		t.Error("Mean gives a number for two successes")
	}
	g.Runs = append(g.Runs, two().Runs...)
	if mean, ok := g.Runtime(6, -1).Mean(); !ok || mean != 4.5 {
		t.Errorf("mean %v, %v", mean, ok)
	}
	if got := g.Runtime(8, +1); got.Successes != 4 {
		t.Errorf("with larger values better: %+v, want 4 successes", got)
	}
}

func TestRunLengths(t *testing.T) {
	want := []results.RunLength{{Evaluations: 3, Value: 8.5}} // after 1, one seed has no score
	golden.Same(t, "two seeds", want, two().RunLengths())
	one := &results.Group{Runs: two().Runs[1:]}
	one.Runs[0].Header.Budget = 1000
	var lengths []int
	for _, l := range one.RunLengths() {
		lengths = append(lengths, l.Evaluations)
	}
	golden.Same(t, "one seed", []int{1, 3, 10, 30, 100, 300, 1000}, lengths)
	if got := (&results.Group{}).RunLengths(); got != nil {
		t.Errorf("run lengths without runs: %v", got)
	}
}

// TestAfter: a step does not count if the tokens end inside the step.
func TestAfter(t *testing.T) {
	r := two().Runs[0]
	for x, want := range map[float64]float64{1999: 0, 2000: 8, 3999: 8, 4000: 6, 9000: 6} {
		got, ok := r.After(results.ByTokens, x)
		if ok != (want != 0) || math.Abs(got-want) > 0 {
			t.Errorf("after %v tokens %v, %v; want %v", x, got, ok, want)
		}
	}
	if used := results.ByEvaluations.Used(r); used != 5 {
		t.Errorf("%v evaluations used", used)
	}
}
