package offline

import (
	"context"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/llm"
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
