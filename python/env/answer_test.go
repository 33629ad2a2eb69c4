package pyenv

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// An environment is asked again only when its interpreter, its packages or their settings changed,
// or when its answer was lost or reported a problem.
func TestAnswerIsKept(t *testing.T) {
	dir := t.TempDir()
	python := filepath.Join(dir, "bin", "python")
	packages := filepath.Join(dir, "lib", "site-packages")
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(name, []byte(text), 0o755))
	}
	for _, d := range []string{filepath.Dir(python), packages} {
		must.Do(t, os.MkdirAll(d, 0o755))
	}
	asked := filepath.Join(dir, "asked")
	script := fmt.Sprintf("#!/bin/sh\necho once >>'%s'\n%%s\n", asked)
	good := strings.ReplaceAll(fakePython("3.11.2", "1.26.4", "exit 1"), "none here", "")
	write(python, fmt.Sprintf(script, good))
	if stateOf(dir) == "" {
		t.Skip("this system has no boot ID")
	}
	times := 0
	for _, c := range []struct {
		name   string
		change func()
		again  bool
	}{
		{"first", func() {}, true},
		{"second", func() {}, false},
		{"a package more", func() { write(filepath.Join(packages, "more.py"), "") }, true},
		{"a package edited in place", func() {
			write(filepath.Join(packages, "more.py"), "x = 1")
		}, true},
		{"a package less", func() { _ = os.Remove(filepath.Join(packages, "more.py")) }, true},
		{"unchanged", func() {}, false},
		{"libraries elsewhere", func() { t.Setenv("LD_LIBRARY_PATH", packages) }, true},
		{"answer damaged", func() { write(filepath.Join(dir, answerName), "{") }, true},
		{"another interpreter", func() {
			write(python, fmt.Sprintf(script, fakePython("3.11.2", "1.26.4", "exit 1")))
		}, true},
		{"with a problem, which may pass", func() {}, true},
	} {
		c.change()
		i, err := ask(t.Context(), dir)
		if err != nil || i.Version != "3.11.2" || i.NumPy != "1.26.4" || i.Executable != python {
			t.Errorf("%s: ask = %+v, %v", c.name, i, err)
		}
		if c.again {
			times++
		}
		text, err := os.ReadFile(asked)
		if n := strings.Count(string(text), "once"); err != nil || n != times {
			t.Errorf("%s: it was asked %d times, want %d (%v)", c.name, n, times, err)
			times = n
		}
	}
}
