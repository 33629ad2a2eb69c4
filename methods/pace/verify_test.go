package pace

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// plansOf returns plans over a library e0 … e4. The parent calls e0 and e1.
func plansOf(t testing.TB, an program.Analyzer) map[string]*plan {
	r := state(t, small(), 5)
	e := r.library.eaps()
	a := parent(t, an, e, "total = e0(distance_matrix) + e1(distance_matrix)",
		"return unvisited_nodes[int(total) % 2]")
	b := parent(t, an, e, "return unvisited_nodes[e2(distance_matrix) % 2]")
	return map[string]*plan{
		I1: {operator: I1, known: e},
		P1: {operator: P1, parents: []*Algorithm{a}, focus: e[2], must: e[:3], known: e},
		P2: {operator: P2, parents: []*Algorithm{a}, focus: e[2], target: e[0],
			must: e[1:3], known: e},
		P3: {operator: P3, parents: []*Algorithm{a}, must: e[:2], known: e},
		P4: {operator: P4, parents: []*Algorithm{a, b}, must: []*EAP{e[0], e[2]},
			may: []*EAP{e[1]}, atMost: 3, known: e},
	}
}

// TestContracts checks that a reply is refused for each kind of reason. Package program has the
// tests of what a call is, and TestPromptAndCheckAgree compares contracts with all sets of calls.
func TestContracts(t *testing.T) {
	an := programtest.Analyzer(t)
	plans := plansOf(t, an)
	body := func(calls ...string) string {
		return methodtest.Answer("an idea", append([]string{"x = distance_matrix"}, calls...)...)
	}
	ret := func(names ...string) string {
		sum := "0"
		for _, n := range names {
			sum += " + " + n + "(x)"
		}
		return "return unvisited_nodes[int(" + sum + ") % 2]"
	}
	tests := []struct {
		name     string
		operator string
		reply    string
		refused  string // part of the reason; empty: accepted
	}{
		{"I1 calls nothing", I1, body("return unvisited_nodes[0]"), ""},
		{"I1 calls an EAP", I1, body(ret("e0")), "`e0`"},
		{"P1 complete", P1, body(ret("e0", "e1", "e2")), ""},
		{"P1 without the focus", P1, body(ret("e0", "e1")), "`e2`"},
		{"P1 with an EAP that was not shown", P1, body(ret("e0", "e1", "e2", "e3")), "`e3`"},
		{"P1 in a helper beside the target", P1,
			"{an idea}\ndef helper(x):\n    return e2(x)\n\n" +
				methodtest.Target("x = distance_matrix", "total = helper(x)", ret("e0", "e1")), ""},
		{"P1 defines the focus beside the target", P1,
			"{an idea}\ndef e2(x):\n    return 1\n\n" +
				methodtest.Target("x = distance_matrix", ret("e0", "e1", "e2")), "`e2`"},
		{"P1 wraps the parent", P1, methodtest.Answer("an idea", "e2(distance_matrix)",
			"total = e0(distance_matrix) + e1(distance_matrix)",
			"return unvisited_nodes[int(total) % 2]"), "not used"},
		{"P1 with its own use of another EAP's name", P1,
			body("def e4(x):", "    return 1", ret("e0", "e1", "e2", "e4")), ""},
		{"P1 with a copy of a shown EAP", P1, "{an idea}\n" + plans[P1].must[1].Source + "\n" +
			methodtest.Target("x = distance_matrix", ret("e0", "e1", "e2")), ""},
		{"P1 with a name that is nowhere defined", P1,
			body("x = scaled(x)", ret("e0", "e1", "e2")), ""},
		{"P1 with an import that is not allowed", P1, body("import os", ret("e0", "e1", "e2")),
			"the code imports `os`"},
		{"P2 still calls the target", P2, body(ret("e0", "e1", "e2")), "`e0`"},
		{"P4 with all", P4, body(ret("e0", "e1", "e2")), ""},
		{"another signature", P3,
			"{an idea}\ndef select_next_node(current_node, unvisited_nodes):\n    return 0\n",
			"select_next_node"},
		{"two target functions", I1,
			"{an idea}\n" + methodtest.Target("return 1") + methodtest.Target("return 2"), ""},
		{"no code", P3, "I cannot do that.", "no function"},
		{"no thought is not a reason", P3,
			methodtest.Target("x = distance_matrix", ret("e0", "e1")), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			child, refused := judge(t, an, plans[tt.operator], tt.reply)
			if (tt.refused == "") != (refused == "") || (child == nil) != (refused != "") ||
				!strings.Contains(refused, tt.refused) {
				t.Errorf("child %v, refused %q, want %q, for\n%s", child, refused, tt.refused,
					tt.reply)
			}
		})
	}
}

// TestProgramsHoldExactlyTheirEAPs checks the program that is evaluated, and that an EAP outlives
// the algorithm from which it was extracted.
func TestProgramsHoldExactlyTheirEAPs(t *testing.T) {
	r := state(t, small(), 3, nil, nil)
	r.library.arms[1].Origin, r.library.arms[1].From = E2, 77 // its algorithm is gone
	r.library.arms[0].Exposures, r.library.arms[2].Exposures = 1, 1
	p := r.plan(P1)
	if p.focus.Name != "e1" {
		t.Fatalf("focus %s, want e1, the only one to warm up", p.focus.Name)
	}
	if text := operatorPrompt(r.problem, p); !strings.Contains(text, eapSource("e1", 1)) {
		t.Errorf("the prompt does not show e1:\n%s", text)
	}
	const body = "return unvisited_nodes[math.floor(e1(distance_matrix)) % 2]"
	documented := "import math\n" + methodtest.Target(`"""Mine."""`, body)
	child, refused := judge(t, programtest.Analyzer(t), p,
		"```python\n"+documented+"```\n{late idea}")
	if child == nil {
		t.Fatal(refused)
	}
	golden.Same(t, "program", "import numpy as np\n\n\n"+eapSource("e1", 1)+"\n\n"+documented,
		child.Program.Source)
	golden.Same(t, "shown code", "import math\n"+methodtest.Target(body), child.Shown)
	golden.Same(t, "call set", []string{"e1"}, names(child.Calls))
}
