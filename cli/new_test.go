package cli

import (
	"encoding/json"
	"io/fs"
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

// TestNew begins a method and a task, and compiles both as an overlay of this checkout.
func TestNew(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on this machine")
	}
	root, err := filepath.Abs(filepath.Join(".."))
	must.Do(t, err)
	dir := smallCheckout(t)
	for _, args := range [][2]string{{"method", "hill-climb"}, {"task", "bin-packing"}} {
		cmd := process(t, "new", args[0], args[1])
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	overlay := map[string]map[string]string{"Replace": {}}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			var rel string
			rel, err = filepath.Rel(dir, path)
			overlay["Replace"][filepath.Join(root, rel)] = path
		}
		return err
	})
	must.Do(t, err)
	data, err := json.Marshal(overlay)
	must.Do(t, err)
	file := write(t, filepath.Join(dir, "overlay.json"), string(data))
	tool := func(args ...string) {
		t.Helper()
		cmd := exec.Command("go", append([]string{args[0], "-overlay", file}, args[1:]...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, path := range overlay["Replace"] {
		out, err := exec.Command("gofmt", "-l", path).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("gofmt: %v %s", err, out)
		}
	}
	tool("build", "./methods", "./tasks")
	for _, pkg := range []string{"methods/hillclimb", "tasks/binpacking"} {
		tool("test", "-c", "-vet=off", "-o", filepath.Join(dir, "unused.test"), "./"+pkg)
	}
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
	_, said, _ = strings.Cut(said, "\n")
	said, _, _ = strings.Cut(said, "Left to do")
	t.Logf("%s%s", said, sh(said))
}
