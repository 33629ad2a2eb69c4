package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tree"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/tasks"
)

// shBlock is a fenced block of commands in a page.
var shBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// TestCommandsInDocumentation runs every command that README and docs show, in order. README and
// the pages for users share one empty directory, as if read by one person; each other page has its
// own directory. Budgets are made small, and a server of the embedded model answers for real
// models. Commands of other tools are not run, but the scripts and packages that they name must
// exist.
func TestCommandsInDocumentation(t *testing.T) {
	pyenv.ForTest(t)
	root, err := filepath.Abs(filepath.Join(".."))
	must.Do(t, err)
	users := []string{
		"README.md", "docs/start.md", "docs/models.md", "docs/your-task.md",
		"docs/your-method.md", "docs/look-inside.md", "docs/reading-results.md",
		"docs/suites.md", "docs/verification.md",
	}
	pages := slices.Clone(users)
	for _, page := range tree.Files(t, root, "CONTRIBUTING.md", "docs/*.md") {
		// TestGuide follows extend-in-go.md, in a whole checkout.
		if page != "docs/extend-in-go.md" && !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	if !benchtest.Long() { // the quick tier follows the first steps of a reader
		pages = []string{"README.md", "CONTRIBUTING.md"}
	}
	base := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates())).URL
	home := t.TempDir()
	n := 0
	for _, page := range pages {
		text := must.Read(t, filepath.Join(root, page))
		blocks := shBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 {
			continue
		}
		t.Run(page, func(t *testing.T) {
			dir := home
			if !slices.Contains(users, page) {
				dir = t.TempDir()
			}
			writeTOML(t, dir, base, string(text))
			for _, m := range pythonFile.FindAllStringSubmatch(string(text), -1) {
				write(t, filepath.Join(dir, m[1]), m[2])
			}
			for _, b := range blocks {
				for line := range strings.SplitSeq(strings.ReplaceAll(b[1], "\\\n", " "), "\n") {
					if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
						n++
						runLine(t, root, dir, base, line)
					}
				}
			}
		})
	}
	if n < 5 {
		t.Errorf("only %d commands found in %d pages", n, len(pages))
	}
}

// pythonFile is a task file that a page shows after its name.
var pythonFile = regexp.MustCompile("(?ms)^### `([a-z_]+\\.py)`\n\n```python\n(.*?)^```$")

var baseURL = regexp.MustCompile(`(?m)^base_url = .*$`)

// writeTOML writes the TOML of a page to the files that its commands read: suites to mine.toml,
// profiles to models.toml, with the test's server instead of the real servers.
func writeTOML(t *testing.T, dir, base, page string) {
	t.Helper()
	models := ""
	for _, b := range tomlBlock.FindAllStringSubmatch(page, -1) {
		switch {
		case strings.Contains(b[1], "[[runs]]"):
			write(t, filepath.Join(dir, "mine.toml"), b[1])
		case strings.Contains(b[1], "[models."):
			models += baseURL.ReplaceAllString(b[1], fmt.Sprintf("base_url = %q", base)) + "\n"
		}
	}
	if models != "" {
		write(t, filepath.Join(dir, "models.toml"), models)
	}
}

func runLine(t *testing.T, root, dir, base, line string) {
	t.Helper()
	line, _, _ = strings.Cut(line, " #")
	words := strings.Fields(line)
	for strings.Contains(words[0], "=") { // a variable for this command only
		words = words[1:]
	}
	switch {
	case words[0] == "export":
		return // the test sets its own key
	case slices.Contains([]string{"git clone", "pip install", "go install"},
		strings.Join(words[:2], " ")):
		return // install_test.go installs
	case words[0] == "bash" || words[0] == "python3":
		if _, err := os.Stat(filepath.Join(root, words[1])); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		return
	case len(words) > 2 && words[0] == "go" &&
		slices.Contains([]string{"build", "test", "vet"}, words[1]):
		for _, w := range words[2:] {
			if pkg, ok := strings.CutPrefix(w, "./"); ok {
				dir := filepath.Join(root, strings.TrimSuffix(pkg, "..."))
				if _, err := os.Stat(dir); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		}
		return
	case len(words) > 3 && slices.Equal(words[:3], []string{"go", "run", "."}):
		words = words[3:]
	case words[0] == "pacebench":
		words = words[1:]
	default:
		t.Errorf("%s: this test does not know how to run it", line)
		return
	}
	args := words
	switch args[0] {
	case "demo":
		args = append(args, "--evals", "3", "--test", "none")
	case "run":
		args = append(args, small()...)
	case "suite":
		if slices.Contains(args, "--dry-run") {
			break // it runs nothing
		}
		args = append(append(args, small()...), "--seeds", "1")
	case "verify":
		if bundle := args[len(args)-1]; strings.HasPrefix(bundle, "results/") {
			if _, err := os.Stat(filepath.Join(root, bundle)); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			return // TestCommittedResults verifies it
		}
	case "new":
		if !slices.Contains(args, "--python") {
			dir = smallCheckout(t)
		}
	}
	cmd := process(t, args...)
	cmd.Dir = dir
	cache, err := pyenv.CacheDir() // Python is set up there
	must.Do(t, err)
	cmd.Env = append(cmd.Env, "HOME="+dir, "XDG_CACHE_HOME="+filepath.Dir(cache),
		"OPENAI_API_KEY="+secret, "OPENAI_BASE_URL="+base)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}

// small are flags that make a run small, and smaller in the quick tier.
func small() []string {
	if benchtest.Long() {
		return []string{"--evals", "12", "--test", "test50"}
	}
	return []string{"--evals", "3", "--test", "none"}
}

// tableHead is the header of a table and the line below it.
var tableHead = regexp.MustCompile(`^\|.*\n\| ?:?-`)

// TestTablesInDocumentation checks that a table begins with a header and a line of dashes. Rows
// without these two lines are shown as text.
func TestTablesInDocumentation(t *testing.T) {
	root := filepath.Join("..")
	for _, page := range tree.Files(t, root, "*.md") {
		text := must.Read(t, filepath.Join(root, page))
		for _, block := range strings.Split(string(text), "\n\n") {
			block = strings.TrimLeft(block, "\n")
			if strings.HasPrefix(block, "|") && !tableHead.MatchString(block) {
				t.Errorf("%s: not a table: %.60s", page, block)
			}
		}
	}
}
