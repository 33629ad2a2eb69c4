package mctsahd

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
)

// examples are three programs as prompts show them, best first.
func examples() []*Candidate {
	target := func(lines ...string) string { return methodtest.Target(lines...) }
	return []*Candidate{
		{ID: 8, Score: -6.102_999_999_999_9,
			Description: "Weighs the way there against the way home, which it favours by 0.3.",
			Code: "import math\n\ndef toll(d):\n    return math.sqrt(d)\n\n" +
				target("row = distance_matrix[current_node]",
					"return min(unvisited_nodes, key=lambda n: row[n] - 0.3 * "+
						"toll(distance_matrix[n, destination_node]))")},
		{ID: 3, Score: -7.25, Description: "Goes to the nearest node.\nTies: {first}.",
			Code: target("return min(unvisited_nodes, key=lambda n: " +
				"distance_matrix[current_node, n])")},
		{ID: 1, Score: -9, Description: "Takes the first node.",
			Code: target("return unvisited_nodes[0]")},
	}
}

func TestPrompts(t *testing.T) {
	all := examples()
	for op, shown := range map[operator][]*Candidate{
		i1: nil, e1: all, e2: all[:2], m1: all[:1], m2: all[1:2], s1: all,
	} {
		golden.Text(t, "testdata/"+string(op)+".golden",
			buildPrompt(op, benchtest.Problem(), shown)+"\n")
	}
	golden.Text(t, "testdata/alignment.golden",
		alignmentPrompt(benchtest.Problem(), "{Go to the nearest node.}",
			"def select_next_node(current_node, destination_node, unvisited_nodes, "+
				"distance_matrix):\n    \"\"\"Choose the next node of the tour.\"\"\"\n"+
				"    return unvisited_nodes[0]\n")+"\n")
}

func TestObjective(t *testing.T) {
	for score, want := range map[float64]string{
		83.2: "-83.2", -6.103043479: "6.103043479", 0: "0", 1e-9: "-1e-09",
	} {
		if got := objective(score); got != want {
			t.Errorf("objective(%v) = %s, want %s", score, got, want)
		}
	}
}
