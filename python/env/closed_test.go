package pyenv

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

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
	for _, end := range []string{
		"\r", "\v", "\f", "\x1c", "\x85", "\u0085", "\u2028", "\u2029", "\x00",
	} {
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
