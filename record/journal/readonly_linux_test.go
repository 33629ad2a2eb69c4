package journal

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestReadOnlyDirectory also holds for root, who may write anywhere: for this thread's files it is
// nobody meanwhile.
func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := unix.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer unix.Setfsuid(0)
	}
	if _, _, err := Open(filepath.Join(dir, "journal.jsonl")); !errors.Is(err, os.ErrPermission) {
		t.Errorf("Open = %v, want permission denied", err)
	}
}
