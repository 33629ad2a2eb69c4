package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestSweep checks that Sweep removes the draft of a dead process and keeps the draft of a running
// process. Closing the file of a draft releases its lock, as the kernel does for a dead process.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "table.csv")
	alive, err := NewDraft(path)
	must.Do(t, err)
	defer alive.Drop()
	dead, err := NewDraft(path)
	must.Do(t, err)
	dead.Close()
	others := []string{".table.csv", ".emacs.27", "table.csv.1.draft", ".x.1.draft.txt"}
	for _, name := range others {
		must.Write(t, filepath.Join(dir, name), "")
	}
	link := filepath.Join(dir, ".a.7.draft")
	must.Do(t, os.Symlink("table.csv", link))
	Sweep(dir, filepath.Join(dir, "missing"))
	if _, err := os.Lstat(dead.Name()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the draft of a dead process: %v", err)
	}
	for _, name := range append(others, filepath.Base(alive.Name()), filepath.Base(link)) {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := alive.WriteString("whole"); err != nil {
		t.Fatal(err)
	}
	must.Do(t, alive.Keep())
	alive.Drop()
	if data, err := os.ReadFile(path); err != nil || string(data) != "whole" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestADraftDoesNotWriteThroughALink checks that a draft replaces a link.
func TestADraftDoesNotWriteThroughALink(t *testing.T) {
	dir := t.TempDir()
	path, target := filepath.Join(dir, "best.py"), filepath.Join(dir, "target")
	err := errors.Join(os.WriteFile(target, []byte("mine"), 0o644), os.Symlink(target, path))
	must.Do(t, err)
	must.Do(t, WriteFile(path, []byte("new")))
	a, err1 := os.ReadFile(path)
	b, err2 := os.ReadFile(target)
	if string(a) != "new" || string(b) != "mine" {
		t.Errorf("%q, %q, %v", a, b, errors.Join(err1, err2))
	}
}
