package mles

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/program"
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
			Picture: llm.NewImage(
				"image/png",
				[]byte("the second picture"),
			), Records: "step 0: at node 4\nstep 9: at node 2",
		},
	}
}

// parentsOf returns the parents that an operator shows out of two.
func parentsOf(o evolve.Operator) []evolve.Candidate {
	switch {
	case o.Name == "I1":
		return nil
	case o.Sees:
		return twoParents()[1:]
	}
	return twoParents()
}

func TestPrompts(t *testing.T) {
	for _, o := range append([]evolve.Operator{initial}, cycle...) {
		parts := New().parts(o, benchtest.Problem(), parentsOf(o))
		var b strings.Builder
		for i, p := range parts {
			if len(parts) > 1 {
				fmt.Fprintf(&b, "==== part %d ====\n", i+1)
			}
			if p.Image != nil {
				fmt.Fprintf(
					&b,
					"%s, %d bytes, SHA-256 %s\n",
					p.Image.MediaType,
					len(p.Image.Data),
					p.Image.Digest,
				)
			}
			b.WriteString(p.Text)
			if !strings.HasSuffix(p.Text, "\n") && p.Text != "" {
				b.WriteString("\n")
			}
		}
		golden.Text(t, "testdata/"+o.Name+".golden", b.String())
	}
}

func TestPromptContent(t *testing.T) {
	p := benchtest.Problem()
	asks := map[string][]string{
		"I1": {
			"novel algorithm",
			"single pair of braces",
		}, "e1": {"entirely different", "single pair of braces"},
		"e2": {"shared idea", "inspired by", "single pair of braces"},
		"m1_M": {
			"inside single quotes",
			"inside square brackets",
			"single pair of braces",
			"weaknesses",
			"improve",
		},
		"m2_M": {
			"inside single quotes",
			"inside square brackets",
			"single pair of braces",
			"parameter settings",
			"same algorithm",
		},
	}
	only := map[string]string{
		"novel algorithm":    "I1",
		"entirely different": "e1",
		"shared idea":        "e2",
		"weaknesses":         "m1_M",
		"parameter settings": "m2_M",
	}
	for _, o := range append([]evolve.Operator{initial}, cycle...) {
		parents := parentsOf(o)
		text := llm.TextOf(New().parts(o, p, parents))
		for part, want := range map[string]int{
			p.Description: 1, `"""` + p.Template.Doc + `"""`: 1,
			"7.25": 0, "6.5": 0, "```": 2,
		} {
			if n := strings.Count(text, part); n != want {
				t.Errorf("%s: %q stands there %d times, want %d", o.Name, part, n, want)
			}
		}
		at := 0
		for i, c := range parents {
			for _, part := range []string{c.Thought, c.Shown} {
				if n := strings.Count(text, part); n != 1 {
					t.Errorf("%s: %q stands there %d times, want once", o.Name, part, n)
				}
				if j := strings.Index(text, part); j < at {
					t.Errorf("%s: parent %d is not in the order in which it was drawn", o.Name, i)
				} else {
					at = j
				}
			}
		}
		for _, words := range asks[o.Name] {
			if !strings.Contains(text, words) {
				t.Errorf("%s does not say %q", o.Name, words)
			}
		}
		for words, of := range only {
			if strings.Contains(text, words) != (of == o.Name) {
				t.Errorf("%s says %q: %v", o.Name, words, of != o.Name)
			}
		}
	}
}

// number matches a number outside words.
var number = regexp.MustCompile(`\d+\.\d+|\d{3,}`)

// TestNoNumberLeaks scores programs with numbers that occur nowhere else.
func TestNoNumberLeaks(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Answer(
			fmt.Sprint("idea ", i),
			fmt.Sprintf("return unvisited_nodes[%d]", i),
		)
	})
	m, n := small(), 0.0
	l := benchtest.Run(t, m, benchtest.Config{
		Model: model, Budget: 40, Analyzer: programtest.Analyzer(t), Seed: 77177,
		Evaluator: &benchtest.Evaluator{Score: func(string) bench.Outcome {
			n++
			return bench.Outcome{Score: 31.4375 + n, Values: []float64{53.1875 - n}}
		}},
	})
	if len(l.Programs()) != 40 {
		t.Fatalf("%d programs", len(l.Programs()))
	}
	environment := []string{"3.11", "1.26"}
	for _, text := range methodtest.Prompts(model) {
		for _, found := range number.FindAllString(text, -1) {
			if !slices.Contains(environment, found) {
				t.Errorf("a prompt says %s:\n%s", found, text)
			}
		}
	}
}

func TestBuildingPromptsChangesNoParent(t *testing.T) {
	image := func(c []evolve.Candidate) string {
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return string(data) + string(c[0].Picture.Data) + string(c[1].Picture.Data)
	}
	parents := twoParents()
	for _, o := range cycle {
		New().parts(o, benchtest.Problem(), parents)
	}
	same(t, "parents", image(twoParents()), image(parents))
}

// half is a target whose right result for 8 is 4.
var half = program.Function{
	Name:    "half",
	Params:  []program.Param{{Name: "a", Annotation: "int"}},
	Returns: "int",
	Doc:     "Halve a number.",
}

// TestParsers reads the replies of the table in the reference's description. "lost" means no
// program.
func TestParsers(t *testing.T) {
	const before, code = "'It halves slowly.'\n[It counts [twice] in {steps}.]\n",
		"def half(a):\n    return a // 2\n"
	fence := func(s string) string { return "```python\n" + s + "```\n" }
	tests := []struct {
		name, reply                 string
		strictThought, strict       string // the program's content, "lost" without one
		sharedThought, sharedSource string
	}{
		{
			"as asked",
			before + "{Halve it.}\n" + fence(code),
			"{steps}",
			"return a // 2",
			"{Halve it.}",
			"return a // 2",
		},
		{
			"braces over two lines",
			"'x'\n[y]\n{Halve\nit.}\n" + fence(code),
			"lost",
			"",
			"{Halve it.}",
			"return a // 2",
		},
		{
			"doubled braces",
			"'x'\n[y]\n{{Halve it.}}\n" + fence(code),
			"{{Halve it.}",
			"return a // 2",
			"{Halve it.}",
			"return a // 2",
		},
		{
			"no braces but a dict",
			"'x'\n[y]\nHalve it at once.\n" + fence(
				"def half(a):\n    d = {1: 2}\n    return a // d[1]\n",
			),
			"{1: 2}",
			"return a // d[1]",
			"{Halve it at once.}",
			"return a // d[1]",
		},
		{
			"a line that begins with define",
			"define: halve\n'x'\n[y]\n{Halve it.}\n" + fence(code),
			"{Halve it.}",
			"lost",
			"{Halve it.}",
			"return a // 2",
		},
		{
			"a helper first",
			"'x'\n[y]\n{Halve it.}\n" + fence(
				"def two():\n    return 2\n\ndef half(a):\n    return a // two()\n",
			),
			"{Halve it.}",
			"return 2",
			"{Halve it.}",
			"return a // two()",
		},
		{
			"a signature over several lines",
			"'x'\n[y]\n{Halve it.}\n" + fence(
				"def half(\n    a: int,\n) -> int:\n    return a // 2\n",
			),
			"{Halve it.}",
			"",
			"{Halve it.}",
			"return a // 2",
		},
		{
			"prose after the fence",
			before + "{Halve it.}\n" + fence(code) + "\nThis is {fast}.\n",
			"{steps}",
			"return a // 2",
			"{Halve it.}",
			"return a // 2",
		},
		{
			"an idea with brackets of its own",
			"'x'\n[y]\n{Halve a[0], not a[1].}\n" + fence(code),
			"{Halve a[0], not a[1].}",
			"return a // 2",
			"{Halve a[0], not a[1].}",
			"return a // 2",
		},
	}
	an := programtest.Analyzer(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, mode := range []struct {
				mode            program.Mode
				thought, source string
			}{{program.Strict, tt.strictThought, tt.strict},
				{program.Shared, tt.sharedThought, tt.sharedSource}} {
				x, err := program.Extract(
					t.Context(),
					an,
					tt.reply,
					half,
					program.Extraction{Mode: mode.mode, Analysed: true},
				)
				if _, refused := program.Refused(err); refused {
					if mode.thought != "lost" && mode.source != "lost" && mode.source != "" {
						t.Errorf("%s: lost: %v", mode.mode, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if x.Thought != mode.thought || !strings.Contains(x.Program.Source, mode.source) ||
					mode.source == "lost" {
					t.Errorf(
						"%s: the thought is %q, want %q, of the program\n%s",
						mode.mode,
						x.Thought,
						mode.thought,
						x.Program.Source,
					)
				}
			}
		})
	}
}
