package gym_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
)

func TestMain(m *testing.M) { tasktest.Main(m) }

// TestCartPole compares numbers of steps with counts from a plain loop over the same seeds.
func TestCartPole(t *testing.T) {
	e := tasktest.Control(t, cartpoleTask)
	const head = "import numpy as np\ndef push(observation):\n "
	for _, c := range []struct {
		source, split string
		want          []float64
	}{
		{head + cartpoleTask.Template.Body + "\n", "train", []float64{51, 35, 36}},
		{head + cartpoleTask.Template.Body + "\n", "test", []float64{43, 49, 52, 35, 51}},
		{cartpoleTask.References[0].Source, "test", []float64{500, 500, 500, 500, 500}},
		{head + "return 0\n", "train", []float64{10, 9, 9}},
	} {
		o, err := e.Score(t.Context(), c.split, program.Program{Source: c.source})
		if err != nil || !cmp.Equal(o.Values, c.want) {
			t.Errorf("%s on %s: %+v, %v, want %v", c.source, c.split, o, err, c.want)
		}
	}
	for result, want := range map[string]string{
		"2":    "interface: seed 2, step 1: returned 2, not one of the actions 0 to 1",
		"-1":   "interface: seed 2, step 1: returned -1, not one of the actions 0 to 1",
		"True": "interface: seed 2, step 1: returned a bool, not one of the actions 0 to 1",
		"None": "interface: seed 2, step 1: returned None, not one of the actions 0 to 1",
		"[1]": "interface: seed 2, step 1: returned an array of shape [1], " +
			"not one of the actions 0 to 1",
		"{}['key']": "raised: seed 2, step 1: line 3: KeyError: 'key'",
	} {
		in := bench.Instance{Split: "train", Number: 1}
		_, err := tasktest.Play(t, e, in, head+"return "+result+"\n")
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", result, err, want)
		}
	}
}
