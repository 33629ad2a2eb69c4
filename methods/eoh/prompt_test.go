package eoh

import (
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// twoParents are candidates as the shared parser returns them.
func twoParents() []evolve.Candidate {
	return []evolve.Candidate{
		{
			ID: 3, Thought: "{Go to the nearest node.}", Score: -7.25,
			Shown: "def select_next_node(current_node, destination_node, unvisited_nodes, " +
				"distance_matrix):\n    return unvisited_nodes[0]\n",
		},
		{
			ID: 8, Thought: "{Weigh the way there against the way home.}", Score: -6.5,
			Shown: "import math\n\ndef toll(d):\n    return math.sqrt(d)\n\n" +
				"def select_next_node(current_node, destination_node, unvisited_nodes, " +
				"distance_matrix):\n" +
				"    row = distance_matrix[current_node]\n    return min(unvisited_nodes, " +
				"key=lambda n: row[n] - 0.3 * toll(distance_matrix[n, destination_node]))\n",
		},
	}
}

// TestPrompts compares all prompts with golden files. Building a prompt changes no parent.
func TestPrompts(t *testing.T) {
	both := twoParents()
	for _, op := range []evolve.Operator{i1, e1, e2, m1, m2} {
		parents := both
		switch {
		case op.Name == "i1":
			parents = nil
		case !op.Pairs:
			parents = both[1:]
		}
		golden.Text(t, "testdata/"+op.Name+".golden",
			buildPrompt(op, benchtest.Problem(), parents)+"\n")
	}
	golden.Same(t, "parents", twoParents(), both, cmpopts.EquateComparable(prompt.Code{}))
}
