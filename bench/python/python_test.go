package python

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/bench"
)

func TestEnsureBuildsReusesAndRepairs(t *testing.T) {
	ForTest(t)
	cache := t.TempDir()
	var log bytes.Buffer
	ensure := func() *Env {
		log.Reset()
		env, err := Ensure(t.Context(), Options{Cache: cache, Log: &log})
		if err != nil {
			t.Fatal(err)
		}
		return env
	}
	// Two at once build once.
	logs, errs := make([]bytes.Buffer, 2), make([]error, 2)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { _, errs[i] = Ensure(t.Context(), Options{Cache: cache, Log: &logs[i]}) })
	}
	wg.Wait()
	if err := errors.Join(errs...); errors.Is(err, ErrNoNetwork) {
		t.Skip("needs the package index: ", err)
	}
	if n := strings.Count(logs[0].String()+logs[1].String(), "Python is ready"); n != 1 {
		t.Errorf("two at once built %d times", n)
	}
	first := ensure()
	if log.Len() > 0 || first.NumPy != "2.3.5" || len(first.Canary) != 16 {
		t.Errorf("first: %+v, said %q", first, &log)
	}
	if again := ensure(); again.Canary != first.Canary || log.Len() > 0 {
		t.Errorf("second: %+v, said %q; want the same, in silence", again, &log)
	}
	numpy, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(first.Python)), "lib", "*", "site-packages", "numpy"))
	if err != nil || len(numpy) != 1 {
		t.Fatal(numpy, err)
	}
	if err := os.RemoveAll(numpy[0]); err != nil {
		t.Fatal(err)
	}
	if repaired := ensure(); repaired.NumPy != "2.3.5" || !strings.Contains(log.String(), "ready") {
		t.Errorf("after a deletion: %+v, said %q", repaired, &log)
	}
	left, _ := filepath.Glob(filepath.Join(cache, ".building-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// fake puts executables with these shell scripts on an otherwise empty PATH.
func fake(t *testing.T, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	return dir
}

// says is a fake interpreter: it answers the probe, and its other calls end as given.
func says(version string, rest string) string {
	return fmt.Sprintf(`case "$*" in *probe*) echo '{"executable":"'$0'","implementation":"cpython","version":"%s"}';; *) %s;; esac`, version, rest)
}

func TestErrorsSayWhatToDo(t *testing.T) {
	tests := []struct {
		name, script string
		want         error
		text, hint   string
	}{
		{"no Python", "", ErrNoPython, "no Python found", "install Python 3.11"},
		{"too old", says("3.9.2", "exit 1"), ErrTooOld, "3.9.2, need 3.11", "--python"},
		{"venv without ensurepip", says("3.11.2", "echo 'The virtual environment was not created because ensurepip is not available.'; exit 1"), ErrNoVenv, "python -m venv", "python3-venv"},
		{"disk full", says("3.11.2", "echo 'OSError: [Errno 28] No space left on device' >&2; exit 1"), ErrDiskFull, "no space", "XDG_CACHE_HOME"},
		{"something new", says("3.11.2", "echo 'a new kind of trouble' >&2; exit 3"), nil, "a new kind of trouble", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			scripts := map[string]string{}
			if tt.script != "" {
				scripts["python3"] = tt.script
			}
			fake(t, scripts)
			check(t, Options{Cache: t.TempDir()}, tt.want, tt.text, tt.hint)
		})
	}
}

func check(t *testing.T, o Options, want error, text, hint string) {
	t.Helper()
	_, err := Ensure(t.Context(), o)
	if err == nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), text) || !strings.Contains(bench.HintOf(err), hint) {
		t.Errorf("error %v, hint %q\nwant %v with %q, hint with %q", err, bench.HintOf(err), want, text, hint)
	}
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
}

func TestWrongHash(t *testing.T) {
	ForTest(t)
	if os.Getenv("PIP_NO_INDEX") != "" {
		t.Skip("needs the package index")
	}
	wrong := []byte("numpy==2.3.5 --hash=sha256:" + strings.Repeat("0", 64) + "\n")
	check(t, Options{Cache: t.TempDir(), lock: wrong}, ErrHash, "pip install", "proxy")
}

func TestNoNetwork(t *testing.T) {
	ForTest(t)
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("PIP_FIND_LINKS", t.TempDir())
	cache := t.TempDir()
	check(t, Options{Cache: cache}, ErrNoNetwork, "pip install", "--python")
	if left, _ := filepath.Glob(filepath.Join(cache, "*python*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	ForTest(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	check(t, Options{Cache: filepath.Join(file, "pacebench")}, ErrCache, "cannot be written", "XDG_CACHE_HOME")
}

func TestAGivenInterpreter(t *testing.T) {
	env := ForTest(t)
	got, err := Ensure(t.Context(), Options{Python: env.Python, Cache: "/nonexistent"})
	if err != nil || got.Origin != "--python" || got.NumPy != env.NumPy {
		t.Errorf("%+v, %v", got, err)
	}
	dir := fake(t, map[string]string{"plain": says("3.12.1", "exit 1"), "broken": "exit 7", "odd": "echo hello"})
	check(t, Options{Python: filepath.Join(dir, "plain")}, ErrNoNumPy, "no NumPy", "install numpy")
	check(t, Options{Python: filepath.Join(dir, "broken")}, nil, "does not run", "3.11")
	check(t, Options{Python: filepath.Join(dir, "odd")}, nil, "does not behave like Python", "3.11")
	check(t, Options{Python: filepath.Join(dir, "missing")}, nil, "does not run", "3.11")
}
