package offline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/tasks"
)

func TestReplaceConstants(t *testing.T) {
	src := "a = b[:, 1:5].mean(axis=1) * 0.35 + 1e-9 + 9.0 * np.round(c, 2) ** 2 - 1.0 * d[:8]"
	var got []string
	replaceConstants(src, func(text string, _ float64, integer bool) string {
		if integer {
			text += " int"
		}
		got = append(got, text)
		return ""
	})
	want := []string{"5 int", "0.35", "2 int", "2", "8 int"}
	golden.Same(t, fmt.Sprintf("constants of %q", src), want, got)
}

// TestWhatAGoalKeeps uses MCTS-AHD's goals: a program that gets more mechanisms loses none, and the
// first term comes from the program named as the base, or from the best of several.
func TestWhatAGoalKeeps(t *testing.T) {
	m := New(tasks.All(), Perfect())
	program := func(expr string) string {
		return "def select_next_node(current_node: int, destination_node: int, " +
			"unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:\n" +
			"    here = distance_matrix[current_node, unvisited_nodes]\n" +
			"    home = distance_matrix[unvisited_nodes, destination_node]\n\n" +
			"    score = " + expr + "\n\n    return int(unvisited_nodes[np.argmin(score)])"
	}
	one, two := program("here - 0.35 * home"), program("home + 0.2 * here ** 0.5")
	for _, c := range []struct{ name, goal, shown, begins, holds string }{
		{"m1", "create a modified version of the algorithm above: bring in mechanisms that it " +
			"does not have yet.", one, "here", "* home"},
		{"e2", "create a new algorithm that is similar in form to No. 2 and inspired by No. 1, " +
			"with a lower objective value than both.", blocks(one, two), "home", ""},
		{"s1", "combine the ideas that help into one new algorithm that has a lower objective " +
			"value than any of them.", blocks(one, two), "here", ""},
	} {
		text := within(c.shown, "Goal: "+c.goal)
		for draw := range uint64(40) {
			code := codeOf(ask(t, m, text, draw))
			_, score, _ := strings.Cut(code, "    score = ")
			begins := strings.HasPrefix(strings.TrimLeft(score, "( \n"), c.begins)
			if !begins || !strings.Contains(score, c.holds) {
				t.Errorf("%s, draw %d:\n%s", c.name, draw, code)
			}
		}
	}
}
