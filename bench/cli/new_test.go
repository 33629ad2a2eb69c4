package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench/python"
)

// smallCheckout is what `pacebench new` needs of a checkout, in a directory of its own.
func smallCheckout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "methods/methods.go", "tasks/tasks.go"} {
		data, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(data))
	}
	return dir
}

// TestNew begins a method and a task and compiles both, laid over this checkout.
// The long tier also runs their tests, and a search with both.
func TestNew(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on this machine")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := smallCheckout(t)
	for _, args := range [][]string{{"new", "method", "hill-climb"}, {"new", "task", "pick-one"}} {
		cmd := process(t, args...)
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
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
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
	packages := []string{"methods/hillclimb", "tasks/pickone"}
	for _, pkg := range packages {
		binary := filepath.Join(dir, filepath.Base(pkg)+".test")
		tool("test", "-c", "-vet=off", "-o", binary, "./"+pkg)
	}
	if os.Getenv("PACEBENCH_LONG") == "" {
		return
	}
	python.ForTest(t)
	for _, pkg := range packages {
		cmd := exec.Command(filepath.Join(dir, filepath.Base(pkg)+".test"))
		cmd.Dir = filepath.Join(dir, pkg)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("tests of %s: %v\n%s", pkg, err, out)
		}
	}
	for _, task := range []string{"tsp-construct", "pick-one"} {
		tool("run", ".", "run", "--task", task, "--method", "hill-climb", "--evals", "4",
			"--test", "none", "--out", filepath.Join(dir, "results"))
	}
}
