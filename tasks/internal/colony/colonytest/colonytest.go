// Package colonytest compares a colony with what another implementation of it measured. Start at
// Agree.
package colonytest

import (
	"math"
	"os"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/colony"
)

// A Reference is what runs of another implementation gave on the training set for one heuristic.
type Reference struct {
	Runs        int
	Objective   Spread // mean over instances of the best value
	First, Last Spread // of the ants' mean value in the first and in the last iteration
	// Tests are the means of at least two runs over test splits, looked at in scripts/test-long.
	Tests map[string]Spread
}

// A Spread is a mean over runs and the standard deviation of one.
type Spread struct{ Mean, SD float64 }

// Agree asks that means over replicates lie within 4 standard errors of the reference's, both
// spreads counted. The ants' means are sharp: the first shows a wrong mask, the last a wrong
// deposit. In scripts/test-long it takes 120 replicates, and compares the spread of the objective
// too.
func Agree[T any](
	t *testing.T, c *colony.Colony[T], heuristic func(in T) []float64, want Reference,
) {
	t.Helper()
	runs := 6
	if long() {
		runs = 120
	}
	train := c.Sets.Splits[0]
	objective, first, last := make([]float64, runs), make([]float64, runs), make([]float64, runs)
	share := 1 / float64(train.Instances)
	for number := range train.Instances {
		for r := range runs {
			see := func(iteration int, _ [][]int32, values []float64) {
				mean, _ := spread(values)
				switch iteration {
				case 0:
					first[r] += mean * share
				case c.Settings.Iterations - 1:
					last[r] += mean * share
				}
			}
			in := bench.Instance{Split: train.Name, Number: number}
			objective[r] += share * solve(t, c, heuristic, in, r, see)
		}
	}
	for _, x := range []struct {
		what string
		got  []float64
		want Spread
	}{
		{"objective", objective, want.Objective},
		{"first iteration", first, want.First}, {"last iteration", last, want.Last},
	} {
		mean, sd := spread(x.got)
		se := x.want.SD * math.Sqrt(1/float64(runs)+1/float64(want.Runs))
		z := (mean - x.want.Mean) / se
		t.Logf("%s: %.4f ± %.4f, reference %.4f ± %.4f, z = %.1f",
			x.what, mean, sd, x.want.Mean, x.want.SD, z)
		if !(math.Abs(z) < 4) {
			t.Errorf("%s: %.4f, reference %.4f, z = %.1f", x.what, mean, x.want.Mean, z)
		}
		if long() && x.what == "objective" && math.Abs(sd/x.want.SD-1) > 0.45 {
			t.Errorf("sd of the objective %.4f, reference %.4f", sd, x.want.SD)
		}
	}
	if long() {
		agreeOnTests(t, c, heuristic, want.Tests)
	}
}

// long reports whether scripts/test-long runs.
func long() bool { return os.Getenv("PACEBENCH_LONG") != "" }

// agreeOnTests compares one run over each test split, within 4 standard errors.
func agreeOnTests[T any](
	t *testing.T, c *colony.Colony[T], heuristic func(in T) []float64, want map[string]Spread,
) {
	t.Helper()
	for split, w := range want {
		sum, count := 0.0, c.Sets.Splits[c.Sets.Place(split)].Instances
		for number := range count {
			sum += solve(t, c, heuristic, bench.Instance{Split: split, Number: number}, 0, nil)
		}
		got := sum / float64(count)
		t.Logf("%s: %.4f, reference %.4f ± %.4f", split, got, w.Mean, w.SD)
		if math.Abs(got-w.Mean) > 4*w.SD*math.Sqrt(1+0.5) {
			t.Errorf("%s: %.4f, reference %.4f ± %.4f", split, got, w.Mean, w.SD)
		}
	}
}

// Evaluation is one training evaluation of a heuristic, without Python.
func Evaluation[T any](b *testing.B, c *colony.Colony[T], heuristic func(in T) []float64) {
	train := c.Sets.Splits[0]
	for b.Loop() {
		for number := range train.Instances {
			solve(b, c, heuristic, bench.Instance{Split: train.Name, Number: number}, 0, nil)
		}
	}
}

func solve[T any](
	t testing.TB, c *colony.Colony[T], heuristic func(in T) []float64, in bench.Instance,
	replicate int, see func(iteration int, paths [][]int32, values []float64),
) float64 {
	t.Helper()
	instance, err := c.Sets.Instance(in.Split, in.Number)
	if err != nil {
		t.Fatal(err)
	}
	eta := heuristic(instance)
	aco.Floor(eta)
	best, err := c.Solve(t.Context(), in, eta, replicate, see)
	if err != nil {
		t.Fatal(err)
	}
	return best
}

func spread(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean) / float64(len(values)-1)
	}
	return mean, math.Sqrt(sd)
}
