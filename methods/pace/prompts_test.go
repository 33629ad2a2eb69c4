package pace

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
)

func TestPrompts(t *testing.T) {
	r := state(t, small(), 0)
	an := programtest.Analyzer(t)
	for _, source := range []string{
		"def way_home(distance_matrix, unvisited_nodes, destination_node):\n" +
			"    \"\"\"Distances from the unvisited nodes to the destination.\"\"\"\n" +
			"    return distance_matrix[unvisited_nodes, destination_node]\n",
		"def isolation(distance_matrix, unvisited_nodes):\n    \"\"\"Mean distance of each " +
			"unvisited node to all nodes.\"\"\"\n" +
			"    return distance_matrix[unvisited_nodes].mean(axis=1)\n",
		"def crowding(distance_matrix, unvisited_nodes):\n    \"\"\"How many nodes are near each " +
			"unvisited node.\"\"\"\n    near = distance_matrix[unvisited_nodes] < 0.1\n" +
			"    return near.sum(axis=1)\n",
	} {
		d, err := program.ExtractFunctions(t.Context(), an, source)
		must.Do(t, err)
		r.library.admit(&EAP{Name: d[0].Name, Source: d[0].Source,
			Fingerprint: d[0].Func.Fingerprint, Origin: E1})
	}
	r.library.admit(
		&EAP{Name: "step_left",
			Source: "def step_left(unvisited_nodes):\n    \"\"\"How many nodes are left.\"\"\"\n" +
				"    return len(unvisited_nodes)\n", Origin: E3})
	e := r.library.eaps()
	a := parent(t, an, e,
		"cost = distance_matrix[current_node, unvisited_nodes] - 0.3 * way_home(distance_matrix, "+
			"unvisited_nodes, destination_node)",
		"return unvisited_nodes[int(np.argmin(cost))]")
	b := parent(t, an, e,
		"cost = distance_matrix[current_node, unvisited_nodes] - 0.2 * "+
			"isolation(distance_matrix, unvisited_nodes)",
		"return unvisited_nodes[int(np.argmin(cost))]")
	c := parent(t, an, e,
		"cost = distance_matrix[current_node, unvisited_nodes] - 0.3 * way_home(distance_matrix, "+
			"unvisited_nodes, destination_node)",
		"return unvisited_nodes[int(np.argmin(cost + crowding(distance_matrix, unvisited_nodes)))]")
	plans := []*plan{
		{operator: I1, known: e},
		{operator: P1, parents: []*Algorithm{a}, focus: e[1], must: e[:2], known: e},
		{operator: P2, parents: []*Algorithm{c}, focus: e[1], target: e[0], must: e[1:3], known: e},
		{operator: P3, parents: []*Algorithm{a}, must: e[:1], known: e},
		{operator: P4, parents: []*Algorithm{c, b}, must: e[:2], may: e[2:], atMost: 3, known: e},
	}
	for _, p := range plans {
		golden.Text(t, "testdata/"+p.operator+".golden", operatorPrompt(r.problem, p)+"\n")
	}
	plain := parent(t, an, nil,
		"return unvisited_nodes[int(np.argmin(distance_matrix[current_node, unvisited_nodes]))]")
	golden.Text(t, "testdata/P3-without-EAPs.golden",
		operatorPrompt(r.problem, &plan{operator: P3, parents: []*Algorithm{plain}, known: e})+"\n")
	for _, p := range []*proposal{
		{operator: E1},
		{operator: E2, source: a, known: e},
		{operator: E3, shown: e[:2], known: e},
	} {
		golden.Text(t, "testdata/"+p.operator+".golden", discoveryPrompt(r.problem, p)+"\n")
	}
	golden.Text(t, "testdata/repair.golden",
		prompt.Repair(operatorPrompt(r.problem, plans[1]), methodtest.Answer("an idea", "return 0"),
			"it must call `isolation`, but no statement that can be reached does",
			prompt.AnswerProgram(r.problem.Template))+"\n")
	p := &proposal{operator: E1}
	golden.Text(t, "testdata/repair-E1.golden",
		prompt.Repair(discoveryPrompt(r.problem, p), "def f(x):\n    return x\n",
			"`f`: it has no docstring that says what it computes", p.form())+"\n")
}
