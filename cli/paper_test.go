package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// needsBlock is the table of docs/reproducing-the-paper.md that a test makes.
var needsBlock = regexp.MustCompile(`(?s)(<!-- made by:[^>]*-->\n\n).*?(\n<!-- end -->)`)

// keyName is the variable that holds a provider's key.
var keyName = regexp.MustCompile(`([A-Z]+)_API_KEY`)

// TestNeedsOfThePaper compares the table of the requirements of the paper's tables with --dry-run.
func TestNeedsOfThePaper(t *testing.T) {
	page := filepath.Join("..", "docs", "reproducing-the-paper.md")
	text := must.Read(t, page)
	t.Chdir(t.TempDir())
	for _, key := range []string{"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "GEMINI_API_KEY"} {
		t.Setenv(key, "") // restored after the test
		os.Unsetenv(key)
	}
	var b strings.Builder
	b.WriteString("| suite | table of the paper | keys | runs | evaluations | requests | " +
		"tokens | hours | USD |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range []struct{ suite, table string }{
		{"control", "tab:control-results"}, {"tsp-construct", "tab:tsp-results"},
		{"tsp-aco", "tab:tspaco-results"}, {"ablation", "tab:mechanism-ablation"},
		{"k", "its last two rows"}, {"models", "tab:model-allocation"},
		{"tokens", "tab:app-token-usage"}, {"paper", "all"},
	} {
		args := []string{"pacebench", "suite", c.suite, "--dry-run", "--jobs", "16"}
		if c.suite != "models" && c.suite != "paper" {
			args = append(args, "--model", "gpt-4o-mini")
		}
		var out, messages bytes.Buffer
		if code := Main(args, strings.NewReader(""), &out, &messages); code != 0 {
			t.Fatalf("%v: status %d\n%s", args, code, messages.String())
		}
		var total, keys []string
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "Not set: ") {
				for _, name := range keyName.FindAllStringSubmatch(line, -1) {
					keys = append(keys, map[string]string{
						"OPENAI": "OpenAI", "DEEPSEEK": "DeepSeek", "GEMINI": "Gemini",
					}[name[1]])
				}
			}
			if words := strings.Fields(line); len(words) == 8 && words[0] == "total" {
				total = words
			}
		}
		if total == nil {
			t.Fatalf("%v: no total\n%s", args, out.String())
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			c.suite, c.table, strings.Join(keys, ", "),
			total[1], total[3], total[4], total[5], total[6], total[7])
	}
	table := strings.ReplaceAll(b.String(), "$", "$$")
	golden.Text(t, page, needsBlock.ReplaceAllString(string(text), "${1}"+table+"${2}"))
}
