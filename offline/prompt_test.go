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

// within is the prompt for a fresh program with more parts before its last line.
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

// A reading is what the reader finds in a prompt, as names.
type reading struct {
	Target                 string
	Parents, Helpers, EAPs []string
	Must, MustNot, May     []string
	AtMost                 int
	Exact                  bool
	Answer                 answer
	Refusal                string
	Words                  int
}

func readingOf(p *prompt) reading {
	r := reading{
		Target: p.target.Name, Must: p.contract.must, MustNot: p.contract.mustNot,
		May: p.contract.may, AtMost: p.contract.atMost,
		Exact: p.contract.exact, Answer: p.answer, Refusal: p.refusal, Words: p.words,
	}
	for _, q := range p.parents {
		r.Parents = append(r.Parents, q.Name)
		for _, h := range q.helpers {
			r.Helpers = append(r.Helpers, h.Name)
		}
	}
	for _, h := range p.eaps {
		r.EAPs = append(r.EAPs, h.Name)
	}
	return r
}

func TestRead(t *testing.T) {
	tests := []struct {
		name, prompt string
		want         reading
	}{
		{"a fresh program", examples()["i1"],
			reading{Target: "select_next_node", Answer: answerProgram}},
		{"an operator over EAPs", examples()["p1"], reading{
			Target: "select_next_node", Parents: []string{"select_next_node"},
			EAPs: []string{"measure_isolation", "mean_step"},
			Must: []string{"measure_isolation", "mean_step"}, Exact: true,
		}},
		{"a repair", examples()["p1repair"], reading{
			Target: "select_next_node", Parents: []string{"select_next_node"},
			EAPs: []string{"measure_isolation", "mean_step"},
			Must: []string{"measure_isolation", "mean_step"}, Exact: true,
			Refusal: "`mean_step` is not called",
		}},
		{"versions without a template", examples()["code"], reading{
			Target:  "select_next_node_v2",
			Parents: []string{"select_next_node_v0", "select_next_node_v1"}, Answer: answerCode,
		}},
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
		{"a text with a limit", examples()["hint"], reading{
			Target: "select_next_node", Parents: []string{"select_next_node", "select_next_node"},
			Answer: answerText, Words: 20,
		}},
		{"one function", examples()["eap"], reading{
			Target: "select_next_node", EAPs: []string{"measure_isolation", "mean_step"},
			Answer: answerFunction,
		}},
		{"several functions", examples()["eaps"],
			reading{Target: "select_next_node", Answer: answerFunctions}},
		{"ranges", examples()["ranges"], reading{
			Target: "select_next_node", Parents: []string{"select_next_node"}, Answer: answerRanges,
		}},
		{"a foreign prompt", "Please help me design a new algorithm. First, describe it inside " +
			"braces.\n\n```python\ndef f(a: int) -> int:\n    '''Do it.'''\n```\nDo not explain.",
			reading{Target: "f"}},
		{"a question", "What is a tour?", reading{Answer: answerText}},
		{"nothing", "", reading{Answer: answerText}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden.Same(t, "read", tt.want, readingOf(read(tt.prompt)))
		})
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
