package eoh

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
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

func TestPrompts(t *testing.T) {
	for _, op := range []evolve.Operator{i1, e1, e2, m1, m2} {
		parents := twoParents()
		switch {
		case op.Name == "i1":
			parents = nil
		case !op.Pairs:
			parents = parents[1:]
		}
		golden.Text(t, "testdata/"+op.Name+".golden",
			buildPrompt(op, benchtest.Problem(), parents)+"\n")
	}
}

func TestPromptContent(t *testing.T) {
	problem := benchtest.Problem()
	var goals []string
	for _, op := range append([]evolve.Operator{i1}, cycle...) {
		parents := twoParents()
		switch {
		case op.Name == "i1":
			parents = nil
		case !op.Pairs:
			parents = parents[:1]
		}
		text := buildPrompt(op, problem, parents)
		if n := strings.Count(text, problem.Description); n != 1 {
			t.Errorf("%s: the task's text stands there %d times, want once", op.Name, n)
		}
		if n := strings.Count(text, `"""`+problem.Template.Doc+`"""`); n != 1 {
			t.Errorf("%s: the target's docstring stands there %d times, want once", op.Name, n)
		}
		at := -1
		for i, p := range twoParents() {
			want := 0
			if i < len(parents) {
				want = 1
			}
			if n := strings.Count(text, p.Thought); n != want {
				t.Errorf("%s: thought %d stands there %d times, want %d", op.Name, i, n, want)
			}
			if n := strings.Count(text, p.Shown); n != want {
				t.Errorf("%s: body %d stands there %d times, want %d", op.Name, i, n, want)
			}
			if j := strings.Index(text, p.Shown); want == 1 && j < at {
				t.Errorf("%s: the parents are not in the order in which they were drawn", op.Name)
			} else {
				at = j
			}
		}
		for part, want := range map[string]int{
			"7.25": 0, "6.5": 0, // scores
			"import numpy": 1, // what is imported already; parents are shown without it
			"```":          2, // the form of the answer
		} {
			if n := strings.Count(text, part); n != want {
				t.Errorf("%s: %q stands there %d times, want %d", op.Name, part, n, want)
			}
		}
		if shared := strings.Contains(text, "shared idea"); shared != (op.Name == "e2") {
			t.Errorf("%s: asks for a shared idea: %v", op.Name, shared)
		}
		if op.Name != "i1" {
			if slices.Contains(goals, op.Goal) {
				t.Errorf("%s: its goal is another operator's", op.Name)
			}
			goals = append(goals, op.Goal)
		}
	}
}

func TestRequestsHaveOneUserMessage(t *testing.T) {
	model := methodtest.Model(byCall)
	methodtest.Run(t, small(), model, 12)
	for _, r := range model.Requests() {
		if r.System != "" || len(r.User) != 1 || r.Temperature != 1 || r.MaxTokens != 8192 {
			t.Errorf("%s: system %q, %d parts, temperature %g, %d tokens", r.Purpose, r.System,
				len(r.User), r.Temperature, r.MaxTokens)
		}
		if r.Purpose.Role() != "algorithm" {
			t.Errorf("purpose %s, want role algorithm", r.Purpose)
		}
	}
}

func TestBuildingPromptsChangesNoParent(t *testing.T) {
	parents := twoParents()
	for _, op := range cycle {
		buildPrompt(op, benchtest.Problem(), parents)
	}
	if diff := cmp.Diff(twoParents(), parents,
		cmpopts.EquateComparable(prompt.Code{})); diff != "" {
		t.Errorf("parents mismatch (-want +got):\n%s", diff)
	}
}
