package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	pyenv "github.com/pacebench/pacebench/python/env"
)

const killedRule = `
test = "none"
evals = 3

[separate]
pairs = [["bestofn", "randsample"]]
looks = [3, 4]
alpha = 0.25

[[runs]]
tasks = ["tsp-construct"]
methods = ["bestofn", "randsample"]
`

// TestKillsUntilSeparated kills a suite that adds seeds without warning, before its first look and
// later, and wants the runs and the decision of an undisturbed suite.
func TestKillsUntilSeparated(t *testing.T) {
	pyenv.ForTest(t)
	path := filepath.Join(t.TempDir(), "two.toml")
	write(t, path, killedRule)
	g := &target{args: []string{"suite", path, "--quiet", "--until-separated", "--jobs", "2"}}
	whole, dir := t.TempDir(), t.TempDir()
	cmd, out := g.start(t, whole)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pattern := filepath.Join("tsp-construct", "*", "offline", "*", "*")
	ended := func() int {
		paths, _ := filepath.Glob(filepath.Join(dir, filepath.Dir(pattern), "result.json"))
		return len(paths)
	}
	kills := 0
	for _, n := range []int{1, 3, 5} {
		if g.killWhen(t, dir, func() bool { return ended() >= n }) {
			kills++
		}
	}
	cmd, again := g.start(t, dir)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", kills, err, again)
	}
	if kills == 0 || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Errorf("after %d kills:\n%s\nundisturbed:\n%s", kills, again, out)
	}
	files, err := filepath.Glob(filepath.Join(whole, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		name, _ := filepath.Rel(whole, path)
		switch filepath.Base(path) {
		case "journal.jsonl", "best.py", "result.json":
			want, _ := os.ReadFile(path)
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Equal(want, got) {
				t.Errorf("after %d kills %s differs, or %v", kills, name, err)
			}
		}
	}
}
