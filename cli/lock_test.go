package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
)

// A run records the packages of its programs, and is verified with these packages.
func TestRunRecordsItsLock(t *testing.T) {
	env := pyenv.ForTest(t)
	if env.Lock == pyenv.NoLock {
		t.Skip("this Python has the packages of no lock")
	}
	dir := t.TempDir()
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "randsample", "--evals", "4",
		"--test", "none", "--out", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := filepath.Join(dir, "tsp-construct", "randsample", "offline", "1")
	l, err := record.Load(run)
	must.Do(t, err)
	if h := l.Header; h.Lock != env.Lock || h.NumPy != env.NumPy || h.SciPy != env.SciPy {
		t.Errorf("header: lock %q, NumPy %q, SciPy %q; want %+v",
			h.Lock, h.NumPy, h.SciPy, env)
	}
	for _, lock := range pyenv.Locks() {
		out, err := process(t, "verify", "--rescore", "--env", lock, run).CombinedOutput()
		want := "re-evaluate-exact: 4 programs"
		if lock != env.Lock {
			want = "--env " + lock + ": " + run + " was made with the environment " + env.Lock
		}
		if (err == nil) != (lock == env.Lock) || !strings.Contains(string(out), want) {
			t.Errorf("verify --env %s: %v\n%s", lock, err, out)
		}
	}

	// Programs that were scored with another NumPy are not scored again with this one.
	path := filepath.Join(run, "journal.jsonl")
	journal := must.Read(t, path)
	old := strings.Replace(string(journal), `"lock":"`+env.Lock+`",`, "", 1)
	old = strings.Replace(old, `"numpy":"`+env.NumPy+`"`, `"numpy":"`+env.NumPy+`9"`, 1)
	must.Write(t, path, old)
	for _, name := range []string{"result.json", "run.json", "journal.crc"} {
		must.Do(t, os.Remove(filepath.Join(run, name)))
	}
	out, err := process(t, "verify", "--rescore", "--python", env.Python, run).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "scored with NumPy "+env.NumPy+"9") ||
		!strings.Contains(string(out), "--env") {
		t.Errorf("verify of other packages: %v\n%s", err, out)
	}
}
