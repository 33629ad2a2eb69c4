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

// reference is the source of one of the task's reference programs.
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

// TestPythonPrograms scores programs as a search does: through a confined interpreter. The larger
// test splits take long: scripts/test-long has the split of 200 cities, PACEBENCH_SLOW names
// others.
func TestPythonPrograms(t *testing.T) {
	const head = "import numpy as np\n" + signature
	p, task := tasktest.Pool(t), tspconstruct.Task()
	for _, c := range []struct {
		name, source string
		want         map[string]float64
	}{
		{"nearest", reference(t, "nearest"), map[string]float64{
			"train": 6.823968618406, "test50": 6.938473934318, "test200": 13.361906406923,
			"test500": 20.793768050227, "test1000": 28.91703058318,
		}},
		{"lonely_first", reference(t, "lonely_first"), map[string]float64{
			"train": 6.356012753597, "test50": 6.468310653097, "test200": 12.471961708396,
		}},
		{"way_on", reference(t, "way_on"), map[string]float64{
			"train": 8.214298906786, "test50": 8.341674639953, "test200": 16.326623612011,
			"test500": 25.434649605496, "test1000": 35.420872163177,
		}},
		{"printed", reference(t, "printed"), map[string]float64{ // as the paper's authors score it
			"train": 6.103043479, "test50": 6.299989505, "test200": 12.064015275,
			"test500": 18.824721352, "test1000": 26.596352939,
		}},
		// The classical rows, to nine digits as in another program.
		{"greedy_edge", reference(t, "greedy_edge"), map[string]float64{
			"train": 6.587293303, "test50": 6.584625624, "test200": 12.559742518,
			"test500": 19.478334345, "test1000": 26.996457294,
		}},
		{"farthest_insertion", reference(t, "farthest_insertion"), map[string]float64{
			"train": 5.974488158, "test50": 5.949995541, "test200": 11.652273858,
			"test500": 18.264312734, "test1000": 25.765922324,
		}},
		{"greedy_edge_2opt", reference(t, "greedy_edge_2opt"), map[string]float64{
			"train": 5.798004302, "test50": 5.789177191, "test200": 10.933966343,
			"test500": 16.964739047, "test1000": 23.776880436,
		}},
		{"farthest_insertion_2opt", reference(t, "farthest_insertion_2opt"), map[string]float64{
			"train": 5.805164673, "test50": 5.780226763, "test200": 11.137624878,
			"test500": 17.404922514, "test1000": 24.527552076,
		}},
		{
			"an element of the array, the last", head + " return unvisited_nodes[-1]\n",
			map[string]float64{"train": 35.854501829784},
		},
		{
			"a matrix that keeps what is written to it",
			head + ` best = unvisited_nodes[distance_matrix[current_node, unvisited_nodes].argmin()]
 distance_matrix[:, unvisited_nodes[:3]] += 0.03
 distance_matrix[:, best] += 10
 return best
`, map[string]float64{"train": 7.631666458474},
		},
		{
			"a module that counts its calls through all instances", `calls = 0
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
 global calls
 calls += 1
 first, second = (distance_matrix[current_node, k] for k in unvisited_nodes[:2])
 return unvisited_nodes[1 if calls % 5 == 0 and second < 1.3 * first else 0]
`, map[string]float64{"train": 7.073584386237},
		},
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
			if strings.HasSuffix(split, "00") && !tasktest.Slow(split) {
				continue
			}
			o, err := (&bench.TaskEvaluator{Task: task, Loader: p}).Score(
				context.Background(), split, program.Program{Source: c.source})
			if err != nil || !o.OK() {
				t.Errorf("%s on %s: %+v, %v", c.name, split, o.Fault, err)
				continue
			}
			if got := -o.Score; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s on %s: %.12f, want %.12f", c.name, split, got, want)
			}
		}
	}
}

// TestPythonAnswersOutsideTheContract has values that only an interpreter can return.
func TestPythonAnswersOutsideTheContract(t *testing.T) {
	p, task := tasktest.Pool(t), tspconstruct.Task()
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
	// What operator.index accepts is an index.
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
