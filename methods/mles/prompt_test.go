package mles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/llm"
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
			Picture: llm.NewImage("image/png", []byte("the first picture")),
		},
		{
			ID: 8, Thought: "{Weigh the way there against the way home.}", Score: -6.5,
			Shown: "import math\n\ndef toll(d):\n    return math.sqrt(d)\n\n" +
				"def select_next_node(current_node, destination_node, unvisited_nodes, " +
				"distance_matrix):\n" +
				"    row = distance_matrix[current_node]\n    return min(unvisited_nodes, " +
				"key=lambda n: row[n] - 0.3 * toll(distance_matrix[n, destination_node]))\n",
			Picture: llm.NewImage("image/png", []byte("the second picture")),
			Records: "step 0: at node 4\nstep 9: at node 2",
		},
	}
}

// TestPrompts keeps all prompts as golden files; building one changes no parent.
func TestPrompts(t *testing.T) {
	both := twoParents()
	for _, o := range append([]evolve.Operator{initial}, cycle...) {
		parents := both
		switch {
		case o.Name == "I1":
			parents = nil
		case o.Sees:
			parents = both[1:]
		}
		parts := New().parts(o, benchtest.Problem(), parents)
		var b strings.Builder
		for i, p := range parts {
			if len(parts) > 1 {
				fmt.Fprintf(&b, "==== part %d ====\n", i+1)
			}
			if p.Image != nil {
				fmt.Fprintf(&b, "%s, %d bytes, SHA-256 %s\n", p.Image.MediaType, len(p.Image.Data),
					p.Image.Digest)
			}
			b.WriteString(p.Text)
			if !strings.HasSuffix(p.Text, "\n") && p.Text != "" {
				b.WriteString("\n")
			}
		}
		golden.Text(t, "testdata/"+o.Name+".golden", b.String())
	}
	golden.Same(t, "parents", twoParents(), both, cmp.AllowUnexported(prompt.Code{}))
}
