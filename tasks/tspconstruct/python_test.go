package tspconstruct_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
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

// due reports whether to run a split: the larger test splits take a long time.
func due(split string) bool {
	return split == "train" || split == "test50" || tasktest.Slow(split)
}

// near reports whether a length is within the tolerance of known lengths: 1e-9, and relative 1e-11
// above 100.
func near(got, want float64) bool { return math.Abs(got-want) <= max(1e-9, 1e-11*math.Abs(want)) }

// TestPythonPrograms scores programs as a search does: through a confined interpreter. The larger
// test splits take a long time: scripts/test-long runs the split of 200 cities, and PACEBENCH_SLOW
// names further splits to run.
func TestPythonPrograms(t *testing.T) {
	const head = "import numpy as np\n" + signature
	p, task := tasktest.Workers(t), tspconstruct.Task()
	for _, c := range []struct {
		name, source string
		want         map[string]float64
	}{
		{"printed", reference(t, "printed"), map[string]float64{ // as the paper's authors score it
			"train": 6.103043479, "test50": 6.299989505, "test200": 12.064015275,
			"test500": 18.824721352, "test1000": 26.596352939,
		}},
		{
			"an array of unvisited cities that is its own", head + ` next = int(unvisited_nodes[0])
 unvisited_nodes[:] = -1
 return next
`, map[string]float64{"train": 6.823968618406},
		},
		{
			"SciPy: the city that sees the others most alike",
			head + ` from scipy.spatial.distance import cdist
 seen = cdist(distance_matrix[[current_node]], distance_matrix[unvisited_nodes])
 return unvisited_nodes[seen.argmin()]
`, map[string]float64{"train": 7.027237935867},
		},
	} {
		for split, want := range c.want {
			if !due(split) {
				continue
			}
			o, err := (&bench.TaskEvaluator{Task: task, Loader: p}).Score(
				context.Background(), split, program.Program{Source: c.source})
			if err != nil || !o.OK() {
				t.Errorf("%s on %s: %+v, %v", c.name, split, o.Fault, err)
				continue
			}
			if got := -o.Score; !near(got, want) {
				t.Errorf("%s on %s: %.12f, want %.12f", c.name, split, got, want)
			}
		}
	}
}

// TestPythonAnswersOutsideTheContract runs programs that return what only an interpreter can
// return.
func TestPythonAnswersOutsideTheContract(t *testing.T) {
	p, task := tasktest.Workers(t), tspconstruct.Task()
	for _, c := range []struct{ name, result, want string }{
		{
			"an array of one city", "unvisited_nodes[:1]",
			"invalid: call 1 returned an array of shape [1], not a city's index",
		},
		{
			"a float", "float(unvisited_nodes[0])",
			"invalid: call 1 returned a float, not a city's index",
		},
		{
			"a NumPy float", "distance_matrix[0, 1]",
			"invalid: call 1 returned a float, not a city's index",
		},
		{"NaN", "float('nan')", "invalid: call 1 returned a float, not a city's index"},
		{"True", "True", "invalid: call 1 returned a bool, not a city's index"},
		{"None", "None", "invalid: call 1 returned None, not a city's index"},
		{"a string", "'3'", "invalid: call 1 returned an object of type str, not a city's index"},
		{
			"the destination", "destination_node",
			"invalid: call 1 returned city 0, which is visited",
		},
		{"a negative index", "-1", "invalid: call 1 returned -1, not one of 50 cities"},
		{"one too many", "50", "invalid: call 1 returned 50, not one of 50 cities"},
		{
			"a huge index", "2**63 - 1",
			"invalid: call 1 returned 9223372036854775807, not one of 50 cities",
		},
		{
			"an exception with two cities left",
			"unvisited_nodes[0] if len(unvisited_nodes) > 2 else unvisited_nodes[9]", "raised: ",
		},
	} {
		source := signature + " return " + c.result + "\n"
		o, err := (&bench.TaskEvaluator{Task: task, Loader: p}).Score(
			context.Background(), "train", program.Program{Source: source})
		if err != nil || o.OK() || !strings.HasPrefix(o.Fault.Error(), c.want) {
			t.Errorf("%s: %+v, %v, want fault %q", c.name, o.Fault, err, c.want)
		}
	}
	// Everything that operator.index accepts is an index.
	for _, result := range []string{
		"unvisited_nodes[0]", "int(unvisited_nodes[0])", "np.uint8(unvisited_nodes[0])",
		"np.array(unvisited_nodes[0])",
	} {
		source := "import numpy as np\n" + signature + " return " + result + "\n"
		o, err := (&bench.TaskEvaluator{Task: task, Loader: p}).Score(
			context.Background(), "train", program.Program{Source: source})
		if err != nil || math.Abs(-o.Score-6.823968618406) > 1e-9 {
			t.Errorf("%s: %+v, %v", result, o, err)
		}
	}
}
