package tspconstruct_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

func TestMain(m *testing.M) { tasktest.Main(m) }

// reference returns the source of one of the task's reference programs.
func reference(t testing.TB, name string) string {
	t.Helper()
	for _, r := range tspconstruct.Task().References {
		if r.Name == name {
			return r.Source
		}
	}
	t.Fatalf("no reference %s", name)
	return ""
}

const signature = "def select_next_node(" +
	"current_node, destination_node, unvisited_nodes, distance_matrix):\n"

// near reports whether a length is within the tolerance of known lengths: 1e-9, and relative 1e-11
// above 100.
func near(got, want float64) bool { return math.Abs(got-want) <= max(1e-9, 1e-11*math.Abs(want)) }

// TestPythonAnswersOutsideTheContract runs programs that return what only an interpreter can
// return. The fault of those in invalid is "invalid: call 1 returned …".
func TestPythonAnswersOutsideTheContract(t *testing.T) {
	e := &bench.TaskEvaluator{Task: tspconstruct.Task(), Loader: tasktest.Workers(t)}
	score := func(lines string) bench.Outcome {
		t.Helper()
		source := "import numpy as np\n" + signature + lines
		o, err := e.Score(t.Context(), "train", program.Program{Source: source})
		must.Do(t, err)
		return o
	}
	for result, want := range map[string]string{
		"unvisited_nodes[:1]":   "an array of shape [1], not a city's index",
		"distance_matrix[0, 1]": "a float, not a city's index",
		"float('nan')":          "a float, not a city's index",
		"True":                  "a bool, not a city's index",
		"None":                  "None, not a city's index",
		"'3'":                   "an object of type str, not a city's index",
		"destination_node":      "city 0, which is visited",
		"-1":                    "-1, not one of 50 cities",
		"50":                    "50, not one of 50 cities",
		"2**63 - 1":             "9223372036854775807, not one of 50 cities",
	} {
		want = "invalid: call 1 returned " + want
		if o := score(" return " + result + "\n"); o.OK() || o.Fault.Error() != want {
			t.Errorf("%s: %+v, want fault %q", result, o.Fault, want)
		}
	}
	late := score(" return unvisited_nodes[0 if len(unvisited_nodes) > 2 else 9]\n")
	if late.OK() || !strings.HasPrefix(late.Fault.Error(), "raised: ") {
		t.Errorf("an exception with two cities left: %+v", late.Fault)
	}
	// Everything that operator.index accepts is an index, and the array is the program's own.
	for _, lines := range []string{
		" return int(unvisited_nodes[0])\n", " return np.uint8(unvisited_nodes[0])\n",
		" return np.array(unvisited_nodes[0])\n",
		" next = int(unvisited_nodes[0])\n unvisited_nodes[:] = -1\n return next\n",
	} {
		if o := score(lines); !o.OK() || !near(-o.Score, 6.823968618406) {
			t.Errorf("%s: %+v", lines, o)
		}
	}
}
