package pyenv

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/wheeltest"
)

// pip chooses the packages of a user's lock with or without their dependencies. The lock extends
// other locks and names the requirements that it was made for.
func TestOwnLock(t *testing.T) {
	if os.Getenv("PACEBENCH_LONG") == "" {
		t.Skip("long: scripts/test-long runs it")
	}
	ForTest(t)
	wheels, dir := t.TempDir(), t.TempDir()
	small := wheeltest.Write(t, wheels, "pace_small", "")
	large := wheeltest.Write(t, wheels, "pace_large",
		"Requires-Dist: pace-small\nRequires-Dist: numpy\n")
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("PIP_FIND_LINKS", wheels)
	path := filepath.Join(dir, "mine.lock")
	both := "pace-large==1.0 --hash=sha256:" + large + "\npace-small==1.0 --hash=sha256:" + small
	for _, c := range []struct {
		wanted []string
		lines  string
	}{
		{[]string{"pace-large==1.0"}, both},
		{[]string{"pace_large ; no-deps"}, "pace-large==1.0 --hash=sha256:" + large},
	} {
		n, err := WriteLock(t.Context(), Options{}, path, c.wanted)
		must.Do(t, err)
		text := must.Read(t, path)
		first, rest, _ := strings.Cut(string(text), "\n")
		if n != strings.Count(rest, "\n") || rest != c.lines+"\n" {
			t.Errorf("%v: %d packages\n%s", c.wanted, n, text)
		}
		if made, err := OwnLock(path); err != nil || !slices.Equal(made, c.wanted) {
			t.Errorf("%s is for %v, %v", first, made, err)
		}
	}
	mine, err := locks[0].with(path)
	must.Do(t, err)
	if mine.version("pace-large") != "1.0" || mine.version("numpy") != locks[0].version("numpy") ||
		mine.oldest != mine.newest || mine.extra() != "own" {
		t.Errorf("with it: %+v", mine)
	}
	_, err = WriteLock(t.Context(), Options{}, path, []string{"pace-missing"})
	if !errors.Is(err, ErrLock) || hint.Of(err) == "" {
		t.Errorf("a package that is nowhere: %v", err)
	}
	_, err = WriteLock(t.Context(), Options{}, path, []string{"control", "vision"})
	if !errors.Is(err, ErrLock) {
		t.Errorf("two extras: %v", err)
	}
}
