package offline

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

const selectTask = `A salesman's tour is built node by node. Design how the next node is chosen.`

const selectTarget = `The Python function to design:

def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, ` +
	`distance_matrix: np.ndarray) -> int:
    """Choose the node to visit next.

    Args:
        current_node: the node just entered
        destination_node: the node where the tour ends
        unvisited_nodes: all unvisited nodes, nearest first
        distance_matrix: distances, shape (n, n)

    Returns:
        One of unvisited_nodes.
    """
`

const closingProgram = "Answer with one sentence in braces and the code. " +
	"Give no further explanation."

const closingAnalysed = "Answer with a description in single quotes, an analysis in square " +
	"brackets, one sentence in braces, then one block of code."

func blocks(parts ...string) string { return strings.Join(parts, "\n\n") }

func promptI1() string { return blocks(selectTask, selectTarget, closingProgram) }

func ask(t testing.TB, m *Model, text string, draw uint64) string {
	t.Helper()
	q := llm.Request{User: llm.Text(text), Temperature: 1, Draw: draw}
	r, err := m.Complete(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r.Text
}

// TestFreshPrograms runs new programs on the training instances: nearly all run, they differ, and
// few beat nearest neighbour by much.
func TestFreshPrograms(t *testing.T) {
	e := newEvaluator(t)
	m := New(tasks.All(), Perfect())
	var scores []float64
	slow := 0.0
	for draw := range uint64(40) {
		reply := ask(t, m, promptI1(), draw)
		v := e.score(codeOf(reply))
		slow = max(slow, v.Seconds)
		if v.Score == nil {
			t.Errorf("draw %d: %s in\n%s", draw, v.Fault, reply)
			continue
		}
		scores = append(scores, *v.Score)
	}
	slices.Sort(scores)
	n := len(scores)
	t.Logf("%d programs: best %.3f, decile %.3f, quartile %.3f, median %.3f, worst %.3f; "+
		"slowest %.2f s", n, scores[0], scores[n/10], scores[n/4], scores[n/2], scores[n-1], slow)
}

type scored struct {
	idea, code string
	length     float64
}

// TestSearchImproves runs a plain (20+1) search over the prompts of EoH: it must end clearly below
// nearest neighbour's 6.824.
func TestSearchImproves(t *testing.T) {
	const budget = 100
	e := newEvaluator(t)
	m := New(tasks.All(), StatedRates())
	r := rand.New(rand.NewPCG(1, 2))
	var pop []scored
	faults := map[string]int{}
	total := 0.0
	goals := []string{
		"Goal: create a new algorithm whose form is entirely different " +
			"from all the algorithms above.",
		"Goal: create a new algorithm that is different in form from the algorithms above, " +
			"but takes its motivation from them.",
		"Goal: create a new algorithm that is a modified version of the algorithm above " +
			"and has another form.",
		"Goal: find out which parameters matter most in the algorithm above, and create " +
			"a new algorithm with other settings of these parameters.",
	}
	for i := range budget {
		text := promptI1()
		if i >= 20 && len(pop) > 1 {
			parents := 1 + (3-i%4)/2
			var shown []string
			for range parents {
				q := pop[min(r.IntN(len(pop)), r.IntN(len(pop)))]
				shown = append(shown, "Algorithm, its idea and its code:\n"+q.idea+"\n\n"+q.code)
			}
			text = blocks(selectTask, blocks(shown...), goals[i%4], selectTarget, closingProgram)
		}
		reply := ask(t, m, text, r.Uint64())
		code := codeOf(reply)
		v := e.score(code)
		total += v.Seconds
		if v.Score == nil {
			kind, _, _ := strings.Cut(v.Fault, ":")
			faults[kind]++
			continue
		}
		if slices.ContainsFunc(pop, func(q scored) bool { return q.length == *v.Score }) {
			faults["duplicate"]++
			continue
		}
		pop = append(pop, scored{ideaOf(reply), code, *v.Score})
		slices.SortStableFunc(pop, func(a, b scored) int {
			return int(1e9 * (a.length - b.length))
		})
		pop = pop[:min(20, len(pop))]
		if i%100 == 99 || i == 19 {
			t.Logf("%d: best %.4f, worst kept %.4f, faults %v, %.1f s",
				i+1, pop[0].length, pop[len(pop)-1].length, faults, total)
		}
	}
	t.Logf("best %.4f:\n%s\n%s", pop[0].length, pop[0].idea, pop[0].code)
	if pop[0].length > 6.75 {
		t.Errorf("best of %d is %.3f, want clearly below 6.824", budget, pop[0].length)
	}
}

// TestEdgePrograms runs new programs and programs with an EAP for TSP-ACO: all return a finite
// matrix.
func TestEdgePrograms(t *testing.T) {
	e := newEvaluator(t)
	m := New(tasks.All(), Perfect())
	var lengths []float64
	for draw := range uint64(30) {
		code := codeOf(ask(t, m, blocks(acoTarget, closingProgram), draw))
		helper := codeOf(ask(t, m, blocks(acoTarget, promptGoalE3), draw))
		functions, _ := pytext.Functions(helper)
		fn := functions[0].Name
		child := codeOf(ask(t, m, blocks(acoTarget, "The parent algorithm:\n"+code,
			"EAP `"+fn+"`:\n\n"+helper, "Goal: insert the focus EAP.",
			"Call exactly: `"+fn+"` and no other EAP.", closingOffspring), draw))
		if !pytext.Calls(child, fn) {
			t.Errorf("draw %d: %s is not called in\n%s", draw, fn, child)
		}
		for _, source := range []string{code, "import numpy as np\n\n" + helper + "\n\n" + child} {
			if v := e.score(source); v.Score == nil {
				t.Errorf("draw %d: %s in\n%s", draw, v.Fault, source)
			} else {
				lengths = append(lengths, *v.Score)
			}
		}
	}
	slices.Sort(lengths)
	t.Logf("mean length of a drawn edge: least %.3f, median %.3f, most %.3f",
		lengths[0], lengths[len(lengths)/2], lengths[len(lengths)-1])
}
