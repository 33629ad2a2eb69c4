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
	if os.Getenv("PACEBENCH_LONG") != "" {
		runs = 120
	}
	train := c.Sets.Splits[0]
	objective, first, last := make([]float64, runs), make([]float64, runs), make([]float64, runs)
	share := 1 / float64(train.Instances)
	for number := range train.Instances {
		in, err := c.Sets.Instance(train.Name, number)
		if err != nil {
			t.Fatal(err)
		}
		eta := heuristic(in)
		aco.Floor(eta)
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
			best, err := c.Solve(
				t.Context(), bench.Instance{Split: train.Name, Number: number}, eta, r, see)
			if err != nil {
				t.Fatal(err)
			}
			objective[r] += best * share
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
		if runs >= 100 && x.what == "objective" && math.Abs(sd/x.want.SD-1) > 0.45 {
			t.Errorf("sd of the objective %.4f, reference %.4f", sd, x.want.SD)
		}
	}
}

// Evaluation is one training evaluation of a heuristic, without Python.
func Evaluation[T any](b *testing.B, c *colony.Colony[T], heuristic func(in T) []float64) {
	train := c.Sets.Splits[0]
	for b.Loop() {
		for number := range train.Instances {
			in, err := c.Sets.Instance(train.Name, number)
			if err != nil {
				b.Fatal(err)
			}
			eta := heuristic(in)
			aco.Floor(eta)
			_, err = c.Solve(
				b.Context(), bench.Instance{Split: train.Name, Number: number}, eta, 0, nil)
			if err != nil {
				b.Fatal(err)
			}
		}
	}
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
