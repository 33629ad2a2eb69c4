package offline

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

func blocks(parts ...string) string { return strings.Join(parts, "\n\n") }

const closingProgram = "Answer with one sentence in braces and the code. " +
	"Give no further explanation."

// within returns the prompt for a new program with more parts before its last line.
func within(parts ...string) string {
	return blocks(strings.TrimSuffix(examples()["i1"], "\n\n"+closingProgram), blocks(parts...),
		closingProgram)
}

func ask(t testing.TB, m *Model, text string, draw uint64) string {
	t.Helper()
	r, err := m.Complete(t.Context(),
		llm.Request{User: llm.Text(text), Temperature: 1, Draw: draw})
	must.Do(t, err)
	return r.Text
}

// A reading has the names of the functions that read finds in a prompt.
type reading struct {
	Target             string
	Parents, Helpers   []string
	Must, MustNot, May []string
	AtMost             int
	Exact              bool
	Answer             answer
}

func readingOf(p *prompt) reading {
	r := reading{
		Target: p.target.Name, Must: p.contract.must, MustNot: p.contract.mustNot,
		May: p.contract.may, AtMost: p.contract.atMost,
		Exact: p.contract.exact, Answer: p.answer,
	}
	for _, q := range p.parents {
		r.Parents = append(r.Parents, q.Name)
		for _, h := range q.helpers {
			r.Helpers = append(r.Helpers, h.Name)
		}
	}
	return r
}

// TestRead reads prompts with parts that the prompts in testdata/answers lack.
func TestRead(t *testing.T) {
	tests := []struct {
		name, prompt string
		want         reading
	}{
		{"a parent with a helper of its own", within("Algorithm 1:\n{One.}\n\n" +
			"import numpy as np\n\ndef scale(x):\n    return 2 * x\n\n" +
			"def select_next_node(a, b, c, d):\n    return scale(c[0])\n"), reading{
			Target: "select_next_node", Parents: []string{"select_next_node"},
			Helpers: []string{"scale"},
		}},
		{"all contract lines", within("Must call: `a`, `b`\nMust not call: `c`\n" +
			"May also call: `d`\nCall at most 3 of them."), reading{
			Target: "select_next_node",
			Must:   []string{"a", "b"}, MustNot: []string{"c"}, May: []string{"d"}, AtMost: 3,
		}},
		{"nothing may be called", within("Call exactly: none and no other EAP."),
			reading{Target: "select_next_node", Exact: true}},
		{"a foreign prompt", "Please help me design a new algorithm. First, describe it inside " +
			"braces.\n\n```python\ndef f(a: int) -> int:\n    '''Do it.'''\n```\nDo not explain.",
			reading{Target: "f"}},
		{"a question", "What is a tour?", reading{Answer: answerText}},
		{"nothing", "", reading{Answer: answerText}},
	}
	for _, tt := range tests {
		golden.Same(t, tt.name, tt.want, readingOf(read(tt.prompt)))
	}
}

func TestHarmonyDefaultsBecomeConstantsAgain(t *testing.T) {
	text := within("def select_next_node(current_node, destination_node, " +
		"unvisited_nodes, distance_matrix, w: float = 0.25):\n" +
		"    score = w * distance_matrix[current_node, unvisited_nodes]\n" +
		"    return int(unvisited_nodes[np.argmin(score)])\n")
	p := read(text)
	got := pytext.Text(p.parents[0].Body)
	if !strings.Contains(got, "score = 0.25 * ") || len(p.parents[0].Params) != 4 {
		t.Errorf("got %s\nparameters %v", got, p.parents[0].Params)
	}
}

func FuzzComplete(f *testing.F) {
	for _, text := range examples() {
		f.Add(text, uint64(1))
	}
	f.Add("def select_next_node(a):\n  '''x'''\ndef select_next_node(a):\n  score = (a\n"+
		"Answer with code and ranges", uint64(2))
	f.Add("Call exactly: `a``b`\ndef heuristics(d):\n\t\"\"\"\n", uint64(3))
	m := New(tasks.All(), StatedRates())
	f.Fuzz(func(t *testing.T, text string, draw uint64) {
		r := llm.Request{User: llm.Text(text), Temperature: 1, Draw: draw}
		first, err := m.Complete(t.Context(), r)
		must.Do(t, err)
		second, err := m.Complete(t.Context(), r)
		if err != nil || first.Text != second.Text {
			t.Errorf("two answers to %q, draw %d (%v)", text, draw, err)
		}
	})
}
