package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/suite"
)

// namesOf expands a built-in suite for one seed, with flags.
func namesOf(t *testing.T, name string, flags ...string) (names []string) {
	t.Helper()
	for _, key := range []string{"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "GEMINI_API_KEY"} {
		t.Setenv(key, "a-key-of-a-server")
	}
	t.Chdir(t.TempDir())
	withFlags(t, append([]string{"--seeds", "1"}, flags...), func(_ *console, o suite.Options) {
		s, err := suite.Find(name)
		must.Do(t, err)
		runs, err := s.Plan(o)
		must.Do(t, err)
		for _, p := range runs {
			names = append(names, p.Name())
		}
	})
	return names
}

// TestBuiltInSuites checks rows of the paper's tables. TestNeedsOfThePaper counts all rows.
func TestBuiltInSuites(t *testing.T) {
	for _, c := range []struct {
		suite string
		want  []string
	}{
		{"k", []string{"racing-car/pace/1", "racing-car/pace@k=1/1", "racing-car/pace@k=5/1",
			"tsp-aco/pace/1", "tsp-aco/pace@k=1/1", "tsp-aco/pace@k=5/1"}},
		{"models", []string{"racing-car/pace/gpt-4o-mini+eap=deepseek-v4-flash/1",
			"racing-car/pace/gpt-4o-mini+eap=gemini-3.1-flash-lite/1",
			"racing-car/pace/gpt-4o-mini/1", "racing-car/pace/deepseek-v4-flash/1",
			"racing-car/pace/gemini-3.1-flash-lite/1"}},
	} {
		golden.Same(t, c.suite, c.want, namesOf(t, c.suite))
	}
	var onTours []string
	for _, name := range namesOf(t, "ablation") {
		if name, on := strings.CutPrefix(name, "tsp-aco/pace"); on {
			onTours = append(onTours, strings.TrimSuffix(name, "/1"))
		}
	}
	golden.Same(t, "ablation",
		[]string{"", "@ts=false", "@operators=P2,P3,P4", "@operators=P1,P3,P4",
			"@operators=P1,P2,P4", "@operators=P1,P2,P3", "@generation=false", "@extraction=false",
			"@k=1", "@k=5"}, onTours)
	for _, row := range []string{"tsp-aco/deepaco", "tsp-aco/deepaco-train-k"} {
		if !slices.Contains(namesOf(t, "paper"), row) {
			t.Errorf("suite paper has no run %s", row)
		}
	}
}

// TestSuitesInDocumentation reads every suite that docs/suites.md shows and forecasts its costs.
func TestSuitesInDocumentation(t *testing.T) {
	text := must.Read(t, filepath.Join("..", "docs", "suites.md"))
	blocks := tomlBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 2 {
		t.Fatalf("%d examples found", len(blocks))
	}
	t.Chdir(t.TempDir())
	for _, b := range blocks {
		withFlags(t, nil, func(c *console, o suite.Options) {
			s, err := suite.Find(write(t, "mine.toml", b[1]))
			must.Do(t, err)
			if err := c.dryRun(t.Context(), o, s); err != nil {
				t.Errorf("%v\n%s", err, b[1])
			}
			if out := c.out.(*bytes.Buffer).String(); !strings.Contains(out, "total") {
				t.Error(out)
			}
		})
	}
	// The page names every key and every built-in suite.
	for _, word := range slices.Concat(
		suite.KeysOf(suite.Suite{}), suite.KeysOf(suite.Group{}), suite.Names()) {
		if word != "runs" && !strings.Contains(string(text), "`"+word+"`") {
			t.Errorf("docs/suites.md does not explain %s", word)
		}
	}
}

// needsBlock is a table that a test makes in a page.
var needsBlock = regexp.MustCompile(`(?s)(<!-- made by:[^>]*-->\n\n).*?(\n<!-- end -->)`)

// keyName is the variable that holds a provider's key.
var keyName = regexp.MustCompile(`([A-Z]+)_API_KEY`)

// TestNeedsOfThePaper compares the requirements in docs/reproducing-the-paper.md with the output of
// --dry-run.
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
		args := []string{"suite", c.suite, "--dry-run", "--jobs", "16"}
		if c.suite != "models" && c.suite != "paper" {
			args = append(args, "--model", "gpt-4o-mini")
		}
		out := inProcess(t, args...)
		var total, keys []string
		for line := range strings.Lines(out) {
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
			t.Fatalf("%v: no total\n%s", args, out)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			c.suite, c.table, strings.Join(keys, ", "),
			total[1], total[3], total[4], total[5], total[6], total[7])
	}
	table := strings.ReplaceAll(b.String(), "$", "$$")
	golden.Text(t, page, needsBlock.ReplaceAllString(string(text), "${1}"+table+"${2}"))
}
