package tspaco_test

import (
	"context"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/tspaco"
)

// An inverse is a candidate written in Go that returns 1/d.
type inverse struct{ bench.Target }

func (inverse) Call(_ context.Context, args ...bench.Value) (bench.Value, error) {
	a := args[0].(bench.Array)
	eta, _ := a.Floats()
	for i, d := range eta {
		eta[i] = 1 / d
	}
	return bench.Array{DType: "float64", Shape: a.Shape, Data: numpy.Bytes(eta)}, nil
}

func score(t *testing.T, task *bench.Task, split string, instance int) float64 {
	t.Helper()
	in := bench.Instance{Split: split, Number: instance}
	m, err := task.Score(t.Context(), in, inverse{})
	must.Do(t, err)
	return m.Value
}

func TestSolveGivesWhatACandidateGets(t *testing.T) {
	for _, split := range []string{"train", "test50"} {
		set, err := tspaco.Instances(split)
		must.Do(t, err)
		got, err := tspaco.Solve(t.Context(), split, 1, tspaco.Inverse(set[1]))
		if want := score(t, tspaco.Task(), split, 1); err != nil || got != want {
			t.Errorf("%s: Solve %v, Score %v, %v", split, got, want, err)
		}
	}
}

// TestFreshReplicatesShareNoStreamWithTheSearch also checks that an evaluation with three
// replicates is the mean of three evaluations with one.
func TestFreshReplicatesShareNoStreamWithTheSearch(t *testing.T) {
	all := map[int][]float64{}
	for _, replicates := range []int{1, 3} {
		task := tspaco.New(tspaco.Config{Replicates: replicates})
		var got []float64
		for k := range 4 {
			v, err := task.Rescore.Score(t.Context(), k, bench.Instance{Split: "train"}, inverse{})
			must.Do(t, err)
			got = append(got, v)
		}
		if searched := score(t, task, "train", 0); got[0] != searched {
			t.Errorf("replicate 0 is %v, the search saw %v", got[0], searched)
		}
		all[replicates] = slices.Clone(got)
		slices.Sort(got)
		if len(slices.Compact(got)) != 4 {
			t.Errorf("replicates repeat: %v", got)
		}
	}
	if one := all[1]; all[3][0] != (one[0]+one[1]+one[2])/3 {
		t.Errorf("three replicates have the mean %v, want the mean of %v", all[3][0], one[:3])
	}
}

// TestIterationsAreThoseOfTheTests checks that fewer iterations give longer tours on a test
// instance, and that training ignores the setting.
func TestIterationsAreThoseOfTheTests(t *testing.T) {
	short, task := tspaco.New(tspaco.Config{Iterations: 5}), tspaco.Task()
	if got, want := score(t, short, "train", 0), score(t, task, "train", 0); got != want {
		t.Errorf("training gives %v, want the %v of 100 iterations", got, want)
	}
	few, many := score(t, short, "test50", 0), score(t, task, "test50", 0)
	if few <= many {
		t.Errorf("%v after 5 iterations, %v after 100", few, many)
	}
}
