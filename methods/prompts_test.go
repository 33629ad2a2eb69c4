package methods

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// requestsOf runs a method whose programs all need an import, and returns its requests.
func requestsOf(t *testing.T, m bench.Method) []llm.Request {
	t.Helper()
	model := methodtest.Model(func(i int, r llm.Request) string {
		if r.Purpose.Role() == "eap" {
			return fmt.Sprintf(
				"```python\ndef helper(distance_matrix):\n    \"\"\"The size.\"\"\"\n"+
					"    return len(distance_matrix)%s\n```", strings.Repeat(" + 1", i))
		}
		if r.Purpose.Role() != "algorithm" {
			return "Prefer near nodes."
		}
		return "{idea}\n\n```python\nimport math\n\n" +
			methodtest.Target(fmt.Sprintf("return unvisited_nodes[math.floor(%d) %% 2]", i)) + "```"
	})
	benchtest.Run(t, m,
		benchtest.Config{Model: model, Budget: 60, Analyzer: programtest.Analyzer(t)})
	return model.Requests()
}

// score matches what only a score can be: the programs have no such number.
var score = regexp.MustCompile(`\d\.\d{3}`)

// TestPromptsOfAllMethods checks the contents of every prompt that asks for code: the environment
// of the code, and the form of the answer. Every program in a prompt has the imports that it needs.
// Only MCTS-AHD shows scores.
func TestPromptsOfAllMethods(t *testing.T) {
	p := benchtest.Problem()
	one, two := p.Template, p.Template
	one.Name, two.Name = prompt.Version(one.Name, 1), prompt.Version(two.Name, 2)
	forms := []string{
		prompt.AnswerProgram(p.Template), prompt.AnswerAnalysed(p.Template),
		prompt.AnswerCode(p.Template), prompt.AnswerCode(one), prompt.AnswerCode(two),
		prompt.AnswerHelper(),
		prompt.AnswerHelpers(),
	}
	for _, m := range All() {
		t.Run(m.Name(), func(t *testing.T) {
			shown := 0
			for _, r := range requestsOf(t, m) {
				text := llm.TextOf(r.User)
				if n := strings.Count(text, "math.floor("); n > 0 {
					shown++
					if imports := strings.Count(text, "import math\n"); imports < n {
						t.Errorf("%s shows %d programs that need math, and %d imports of it:\n%s",
							r.Purpose, n, imports, text)
					}
				}
				if score.MatchString(text) && m.Name() != "mcts-ahd" {
					t.Errorf("%s shows a score:\n%s", r.Purpose, text)
				}
				for _, word := range []string{"mended", "dear"} {
					if strings.Contains(strings.ToLower(text), word) {
						t.Errorf("%s says %q:\n%s", r.Purpose, word, text)
					}
				}
				if role := r.Purpose.Role(); role != "algorithm" && role != "eap" {
					continue
				}
				if !strings.Contains(text, prompt.Environment(p)) {
					t.Errorf("%s does not say what the code runs under:\n%s", r.Purpose, text)
				}
				if r.Purpose == "algorithm/hs" { // two blocks: code and ranges
					continue
				}
				if !slices.ContainsFunc(forms, func(form string) bool {
					return strings.HasSuffix(text, "\n\n"+form)
				}) {
					t.Errorf("%s does not end with the shape that all methods ask for:\n%s",
						r.Purpose, text)
				}
			}
			if shown == 0 && m.Name() != "randsample" {
				t.Error("no prompt shows a program")
			}
		})
	}
}
