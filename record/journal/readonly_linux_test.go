package journal

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestReadOnlyDirectory also works for root, who may write anywhere, because its thread accesses
// files as the user nobody.
func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Chmod(dir, 0o555))
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		must.Do(t, unix.Setfsuid(65534))
		defer unix.Setfsuid(0)
	}
	if _, _, err := Open(filepath.Join(dir, "journal.jsonl")); !errors.Is(err, os.ErrPermission) {
		t.Errorf("Open = %v, want permission denied", err)
	}
}
