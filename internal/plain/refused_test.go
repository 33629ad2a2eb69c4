package plain

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestHold checks that only one holder at a time has a file, even on a file system without locks.
func TestHold(t *testing.T) {
	was := flock
	defer func() { flock = was }()
	without := func(int, int) error { return syscall.ENOSYS }
	for _, flock = range []func(int, int) error{was, without} {
		path := filepath.Join(t.TempDir(), "file")
		var wg sync.WaitGroup
		holders := make(chan bool, 1) // full while the file is held
		for range 8 {
			wg.Go(func() {
				f, err := Open(path, os.O_CREATE|os.O_RDWR)
				if err != nil {
					t.Error(err)
					return
				}
				defer f.Close()
				release, err := Hold(f)
				if err != nil {
					t.Error(err)
					return
				}
				select {
				case holders <- true:
				default:
					t.Error("two holders at the same time")
				}
				<-holders
				release()
			})
		}
		wg.Wait()
		if _, err := os.Stat(path + ".held"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the mark was not removed: %v", err)
		}
	}
	flock = without
	path := filepath.Join(t.TempDir(), "file")
	f, err := Open(path, os.O_CREATE|os.O_RDWR)
	must.Do(t, err)
	defer f.Close()
	if _, err := Hold(f); err != nil { // and the holder dies
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * stale)
	must.Do(t, os.Chtimes(path+".held", long, long))
	release, err := Hold(f)
	must.Do(t, err)
	release()
	flock = func(int, int) error { return syscall.EIO }
	if _, err := Hold(f); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v, want EIO", err)
	}
}

// TestSynced checks that a file system that cannot flush gives no error but is reported by
// Unsynced, and that a failing disk gives an error.
func TestSynced(t *testing.T) {
	wrapped := func(err error) error { return &os.PathError{Op: "sync", Path: "file", Err: err} }
	if err := Synced(wrapped(syscall.EIO)); !errors.Is(err, syscall.EIO) || Unsynced() {
		t.Errorf("%v, unsynced %v", err, Unsynced())
	}
	for _, no := range []error{syscall.EINVAL, syscall.EOPNOTSUPP, syscall.ENOSYS, enotsupp} {
		unsynced.Store(false)
		if err := Synced(wrapped(no)); err != nil || !Unsynced() {
			t.Errorf("%v: %v, unsynced %v", no, err, Unsynced())
		}
	}
}
