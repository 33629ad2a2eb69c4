//go:build linux

package pytask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/internal/testkit/wheeltest"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// A task with its own packages cannot run without a lock of exactly these packages. With the lock,
// which is one of the task's files, the file is imported in an environment made from it.
func TestOwnPackages(t *testing.T) {
	if !tasktest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTest(t)
	wheels, cache, dir := t.TempDir(), t.TempDir(), t.TempDir()
	wheeltest.Write(t, wheels, "pace_tiny", "")
	t.Setenv("PIP_FIND_LINKS", os.Getenv("PIP_FIND_LINKS")+" "+wheels)
	path := filepath.Join(dir, "tiny.py")
	source := strings.Replace(variant(true, false, false), "cpu=20",
		"packages=['pace-tiny==1.0']", 1)
	must.Write(t, path, strings.Replace(source, "import random", "import pace_tiny, random", 1))
	o := Options{Python: func(ctx context.Context, packages string) (*pyenv.Env, error) {
		if packages == "" {
			return pyenv.ForTest(t), nil
		}
		return pyenv.Ensure(ctx, pyenv.Options{Extra: packages, Cache: cache})
	}}
	refused := func(says string) {
		t.Helper()
		_, err := Load(t.Context(), path, o)
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), says) ||
			!strings.Contains(hint.Of(err), "pacebench lock "+path) {
			t.Errorf("%v: %s, want %s", err, hint.Of(err), says)
		}
	}
	refused("tiny.py: no task: packages pace-tiny==1.0: there is no tiny.lock")
	lock, n, err := Lock(t.Context(), path, o,
		func(ctx context.Context, path string, packages []string) (int, error) {
			return pyenv.WriteLock(ctx, pyenv.Options{}, path, packages)
		})
	if err != nil || n != 1 || lock != filepath.Join(dir, "tiny.lock") {
		t.Fatalf("%s of %d packages, %v", lock, n, err)
	}
	if tasktest.Long() { // NumPy and SciPy are installed
		task, err := Load(t.Context(), path, o)
		switch {
		case errors.Is(err, pyenv.ErrNoNetwork):
			t.Skip(err)
		case err != nil:
			t.Fatal(err)
		}
		if len(task.Files) != 2 || task.Files["tiny.lock"] == "" {
			t.Errorf("files %v", task.Files)
		}
	}
	was := o.Python
	o.Python = func(ctx context.Context, packages string) (*pyenv.Env, error) {
		if packages == "" {
			return was(ctx, "")
		}
		return nil, fmt.Errorf("%w: pace-tiny", pyenv.ErrHash)
	}
	refused("a downloaded package is not the locked one")
	must.Write(t, path, strings.Replace(source, "1.0", "2.0", 1))
	refused("tiny.lock is for other packages: pace-tiny==1.0")
	must.Write(t, path, strings.Replace(source, "packages=['pace-tiny==1.0']", "cpu=20", 1))
	_, _, err = Lock(t.Context(), path, o, nil)
	if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "names no packages") {
		t.Errorf("no packages: %v", err)
	}
}
