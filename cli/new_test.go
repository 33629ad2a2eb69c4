package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// smallCheckout returns a new directory with the files of a checkout that `pacebench new` needs.
func smallCheckout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "methods/methods.go", "tasks/tasks.go"} {
		data := must.Read(t, filepath.Join("..", name))
		must.Do(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		write(t, filepath.Join(dir, name), string(data))
	}
	return dir
}

var guideBlock = regexp.MustCompile("(?ms)^```(sh|toml)\n(.*?)^```$")

// TestGuide follows docs/extend-in-go.md in a copy of this checkout, with real commands: the task,
// a run of every method, the vocabulary. It also begins a method, and runs the commands that `new`
// prints.
func TestGuide(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTest(t)
	root, err := filepath.Abs(filepath.Join(".."))
	must.Do(t, err)
	dir := t.TempDir()
	sh := func(commands string) string {
		t.Helper()
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PACEBENCH_LONG=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", commands, err, out)
		}
		return string(out)
	}
	// Tests of the tasks read results of the committed runs.
	sh("cd '" + root + "' && { git ls-files -z -co --exclude-standard -- ':!results/*/*';" +
		" git ls-files -z -- 'results/*/result.json'; } |" +
		" tar -c --null --ignore-failed-read -T - | tar -x -C " + dir)
	page := must.Read(t, filepath.Join(root, "docs", "extend-in-go.md"))
	for _, b := range guideBlock.FindAllStringSubmatch(string(page), -1) {
		if b[1] == "sh" {
			t.Logf("%s%s", b[2], sh(b[2]))
			continue
		}
		sh("! gofmt -l tasks/binpacking | grep .")
		write(t, filepath.Join(dir, "tasks", "binpacking", "vocabulary.toml"), b[2])
		file := filepath.Join(dir, "tasks", "binpacking", "binpacking.go")
		code := must.Read(t, file)
		write(t, file, strings.NewReplacer(
			"import (\n", "import (\n\t\"embed\"\n",
			"/program\"\n", "/program\"\n\t\""+modulePath+
				"/tasks/internal/programs\"\n",
			"// Task returns", "//go:embed vocabulary.toml\nvar files embed.FS\n\n// Task returns",
			"Version: ", "Vocabulary: programs.Vocabulary(files),\nVersion: ",
		).Replace(string(code)))
	}
	best, err := filepath.Glob(filepath.Join(dir, "*", "bin-packing", "*", "*", "1", "best.py"))
	if err != nil || len(best) != 7 {
		t.Errorf("%v, %v; want one of each of six methods, and one with words", best, err)
	}
	_, said, _ := strings.Cut(sh("go run . new method hill-climb"), "It already runs; ")
	sh("! gofmt -l methods | grep .")
	_, said, _ = strings.Cut(said, "\n")
	said, _, _ = strings.Cut(said, "Left to do")
	t.Logf("%s%s", said, sh(said))
}
