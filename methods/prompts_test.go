package methods

import (
	"fmt"
	"maps"
	"path/filepath"
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
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// requestsOf runs a method and returns its requests in the order of the steps. All programs need an
// import. Most of them call the required EAPs; PACE asks for a repair of the other programs.
func requestsOf(t *testing.T, m bench.Method) (all []llm.Request) {
	t.Helper()
	calls, quoted := regexp.MustCompile(`(?m)^(?:Must call|Call exactly): .*$`),
		regexp.MustCompile("`([^`]+)`")
	model := llm.NewScripted(func(r llm.Request) string {
		switch r.Purpose.Role() {
		case "eap":
			if r.Draw%4 == 0 {
				return "def f(x):\n    return x\n" // without a docstring
			}
			return fmt.Sprintf(
				"```python\ndef helper(distance_matrix):\n    \"\"\"The size.\"\"\"\n"+
					"    return len(distance_matrix)%s\n```",
				strings.Repeat(" + 1", int(r.Draw%32)))
		case "algorithm":
			sum := fmt.Sprint(r.Draw)
			if r.Draw%8 > 0 {
				for _, q := range quoted.FindAllStringSubmatch(
					calls.FindString(llm.TextOf(r.User)), -1) {
					sum += " + " + q[1] + "(distance_matrix)"
				}
			}
			return fmt.Sprintf("{idea %d}\n\n```python\nimport math\n\n%s```", r.Draw,
				methodtest.Target("return unvisited_nodes[math.floor("+sum+") % 2]"))
		}
		if r.Purpose.Operator() == "flash" {
			return fmt.Sprintf("**Analysis:** Look ahead %d.\n**Experience:** Look %[1]d.", r.Draw)
		}
		return fmt.Sprintf("Prefer near nodes, %d.", r.Draw)
	})
	evidence := func(source string) []bench.Blob {
		return append(benchtest.Picture(source), benchtest.Blob("text/plain", []byte("step 1\n")))
	}
	l := benchtest.Run(t, m, benchtest.Config{Model: model, Budget: 130,
		Analyzer: programtest.Analyzer(t), Evaluator: &benchtest.Evaluator{Evidence: evidence}})
	for s := range l.Steps() {
		for _, q := range s.Requests {
			all = append(all, q.Request)
		}
	}
	return all
}

// keep compares the last prompt of each purpose with the method's golden file. Repairs and prompts
// that allow no EAP count as separate purposes.
func keep(t *testing.T, m bench.Method, requests []llm.Request) {
	t.Helper()
	last := map[string]llm.Request{}
	for _, r := range requests {
		what := string(r.Purpose)
		for _, words := range []string{"It was refused", "Call no EAP"} {
			if strings.Contains(llm.TextOf(r.User), words) {
				what += ", " + words
			}
		}
		last[what] = r
	}
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(last)) {
		fmt.Fprintf(&b, "==== %s\n", p)
		if s := last[p].System; s != "" {
			fmt.Fprintf(&b, "==== system: %s\n", s)
		}
		for _, part := range last[p].User {
			if part.Image != nil {
				fmt.Fprintf(&b, "==== %s\n", part.Image.MediaType)
			}
			b.WriteString(part.Text + "\n")
		}
	}
	golden.Text(t, filepath.Join("testdata", m.Name()+".golden"), b.String())
}

// score matches numbers with three decimals, which only scores have: the programs have none.
var score = regexp.MustCompile(`\d\.\d{3}`)

// TestPromptsOfAllMethods keeps prompts in golden files. It also checks every prompt that asks for
// code: the environment of the code, and the form of the answer. Every program in a prompt has the
// imports that it needs. Only MCTS-AHD shows scores.
func TestPromptsOfAllMethods(t *testing.T) {
	p := benchtest.Problem()
	one, two := p.Template, p.Template
	one.Name, two.Name = prompt.Version(one.Name, 1), prompt.Version(two.Name, 2)
	forms := []string{
		prompt.AnswerProgram(p.Template), prompt.AnswerAnalysed(p.Template),
		prompt.AnswerCode(p.Template), prompt.AnswerCode(one), prompt.AnswerCode(two),
		prompt.AnswerHelper(), prompt.AnswerHelpers(),
	}
	for _, m := range All() {
		t.Run(m.Name(), func(t *testing.T) {
			shown, requests := 0, requestsOf(t, m)
			keep(t, m, requests)
			for _, r := range requests {
				if len(r.User) > 1 && m.Name() != "mles" || r.System != "" && m.Name() != "hsevo" {
					t.Errorf("%s has %d parts and the system message %q", r.Purpose, len(r.User),
						r.System)
				}
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
					t.Errorf("%s does not describe the code's environment:\n%s", r.Purpose, text)
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
