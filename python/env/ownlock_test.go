package pyenv

import (
	"errors"
	"fmt"
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

// TestLockIsClosed: pip gets only lines of names, versions and hashes, even if the lock contains
// characters that end a line only in Python.
func TestLockIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "task.lock")
	hash := " --hash=sha256:" + strings.Repeat("0", 64) + "\n"
	const head = `# pacebench lock {"for":["six==1.16.0"],"below":"","minor":11}` + "\n"
	read := func(text string) error {
		must.Write(t, path, text)
		_, err := OwnLock(path)
		return err
	}
	good := "six==1.16.0+cpu.1" + hash + "typing-extensions==4.15.0rc1" + hash
	if err := read(head + good); err != nil {
		t.Error(err)
	}
	for _, end := range []string{"\r", "\x85", "\u2028", "\x00"} {
		option := end + "--index-url=http://127.0.0.1:9" + end
		for _, text := range []string{
			head + "six==1" + option + "six==1" + hash,
			strings.Replace(head, "six", option, 1) + "six==1" + hash,
			head + "six==1" + strings.TrimSuffix(hash, "\n") + option,
		} {
			err := read(text)
			if !errors.Is(err, ErrLock) || strings.ContainsAny(err.Error(), end) {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, text := range []string{"", good, ownStart + "{\n", head + "six==1.0\n"} {
		if err := read(text); !errors.Is(err, ErrLock) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, line := range []string{
		"-e .", "--index-url http://127.0.0.1:9", "six==1;x" + hash, "six @ file:///x" + hash,
		"six==1 --pre" + hash, "six==${HOME}" + hash, "six==1\\" + hash, "six==" + hash,
	} {
		if err := read(head + line); !errors.Is(err, ErrLock) {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, minor := range []int{-1, 0, 10, 100} {
		err := read(strings.Replace(head, "11", fmt.Sprint(minor), 1) + "six==1" + hash)
		if !errors.Is(err, ErrLock) || !strings.Contains(err.Error(), "its first line names") {
			t.Errorf("minor %d: %v", minor, err)
		}
	}
	for r, ok := range map[string]bool{
		"pandas>=2,<3": true, "gymnasium[box2d]==1.2.3": true, "x; no-deps": true,
		"--index-url=x": false, "x @ http://y": false, "./x": false, "x\ny": false, "": false,
		"x-1.0.tar.gz": false, "x.whl": false, "x.ZIP[all]": false, "x.tbz ; no-deps": false,
		"x.tlz": false, "ruamel.yaml==0.18": true, "zip": true, "x.tar.lzma": false,
	} {
		if safe(r) != ok {
			t.Errorf("requirement %q: want %t", r, ok)
		}
	}
}
