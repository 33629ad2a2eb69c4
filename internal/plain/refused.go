package plain

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// enotsupp is an error of NFS and autofs. Only the kernel has a name for it.
const enotsupp = syscall.Errno(524)

// refused are the errors with which a file system reports that it lacks an operation.
var refused = []syscall.Errno{
	syscall.EINVAL, syscall.ENOLCK, syscall.ENOSYS, syscall.EOPNOTSUPP, enotsupp,
}

func isRefused(err error) bool {
	no, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains(refused, no)
}

// NoLocks reports whether an error of flock means that the file system has no locks, such as Lustre
// without the option flock.
func NoLocks(err error) bool { return isRefused(err) }

var unsynced atomic.Bool

// Synced returns err, the result of a flush, but nil if the file system cannot flush, like some SMB
// and FUSE file systems. In that case, Unsynced returns true afterwards.
func Synced(err error) error {
	if isRefused(err) {
		unsynced.Store(true)
		return nil
	}
	return err
}

// Unsynced reports whether this process has written to a file system that cannot flush, so that a
// power cut may lose the last lines that it wrote.
func Unsynced() bool { return unsynced.Load() }

// flock is a variable for tests.
var flock = syscall.Flock

// stale is the age at which Hold removes the mark of another process, which has probably died. A
// holder only writes one line, so 30 seconds are enough for a slow network file system.
const stale = 30 * time.Second

// Hold locks an open file until release is called, which must be soon. Other processes wait. On a
// file system without locks, a second file, whose name ends in .held, is the mark of the holder.
func Hold(f *os.File) (release func(), err error) {
	for {
		switch err := flock(int(f.Fd()), syscall.LOCK_EX); {
		case err == nil:
			// Closing the file would unlock it, too.
			return func() { _ = flock(int(f.Fd()), syscall.LOCK_UN) }, nil
		case NoLocks(err):
			return mark(f.Name() + ".held")
		case !errors.Is(err, syscall.EINTR):
			return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}

// mark waits until no file is at path, and then creates one.
func mark(path string) (remove func(), err error) {
	for {
		f, err := Open(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
		if err == nil {
			return func() { os.Remove(path) }, f.Close()
		}
		info, there := os.Lstat(path)
		if there == nil && time.Since(info.ModTime()) > stale {
			os.Remove(path)
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}
