package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/pacebench/pacebench/internal/plain"
)

var (
	// ErrLocked means that another process holds the directory; the error is a *Held.
	ErrLocked = errors.New("another process is working here")
	// ErrLost means that another process took over the directory, because this process wrote no
	// heartbeats. This process must not write there any more.
	ErrLost = errors.New("another process took over the directory while this one was suspended")
)

// A Held names the process that holds a directory. It wraps ErrLocked.
type Held struct {
	Dir    string
	Holder *Lease // nil: unknown
	// Unsure means that this process has seen no heartbeat of the holder yet. The holder may be
	// dead, which TryLock knows only after a minute.
	Unsure bool
}

func (h *Held) Error() string {
	text := fmt.Sprintf("%s: %v", h.Dir, ErrLocked)
	if h.Holder != nil {
		text += ": " + h.Holder.String()
	}
	return text
}

// Unwrap returns ErrLocked.
func (h *Held) Unwrap() error { return ErrLocked }

// A Lock is an exclusive hold on a directory, by one process on all machines that share it. Two
// mechanisms protect it: the kernel's lock on the file "lock", and a lease. The kernel releases its
// lock when the process ends, but a file system that several machines share may not support such
// locks. A lease works on every file system: see Lease.
type Lock struct {
	f     *os.File // the open file "lock"
	dir   string
	path  string // of the lease
	stop  chan struct{}
	ended sync.WaitGroup // waits for the heartbeat
	// TookOver means that the earlier holder did not release the directory. That process may only
	// be suspended, and may later write to its open files, which Renew replaces.
	TookOver bool

	mu    sync.Mutex
	lease Lease         // guarded by mu
	lost  chan struct{} // closed when another process has the lease
	gone  bool          // lost is closed; guarded by mu
}

// flock is the system call, except in tests.
var flock = syscall.Flock

// TryLock takes the directory. If another process holds the directory, TryLock fails immediately
// with a *Held.
func TryLock(dir string) (*Lock, error) {
	path := filepath.Join(dir, "lock")
	f, err := plain.Open(path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	switch err := flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		f.Close()
		return nil, &Held{Dir: dir, Holder: Holder(dir)}
	case plain.NoLocks(err):
		// On a file system without locks the lease is enough.
	case err != nil:
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if removed(f, path) { // by the previous holder, after this process opened it
		f.Close()
		return TryLock(dir)
	}
	l := &Lock{f: f, dir: dir, stop: make(chan struct{}), lost: make(chan struct{})}
	if err := l.take(); err != nil {
		f.Close()
		return nil, err
	}
	l.ended.Go(l.beat)
	return l, nil
}

// removed reports whether path no longer names the open file f.
func removed(f *os.File, path string) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(here, there)
}

// Check returns ErrLost if another process took over the directory. It reads the file system.
func (l *Lock) Check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.check()
}

func (l *Lock) check() error {
	if !l.gone {
		now, err := readLease(l.path)
		switch {
		case err == nil && now.ID == l.lease.ID:
			return nil
		case err != nil && !missing(err):
			return fmt.Errorf("%s: the lease cannot be read: %w", l.dir, err)
		}
		l.gone = true
		close(l.lost)
	}
	if h := Holder(l.dir); h != nil {
		return fmt.Errorf("%s: %w: %s", l.dir, ErrLost, h)
	}
	return fmt.Errorf("%s: %w, or its lease was removed", l.dir, ErrLost)
}

// Context returns a context that ends with ctx, or with the cause ErrLost when the directory is
// lost.
func (l *Lock) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-l.lost:
			cancel(l.Check())
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// Report sets the holder's progress, which the next heartbeat writes to the lease.
func (l *Lock) Report(w Work) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lease.Work = &w
}

// beat writes heartbeats until the lock is released or lost.
func (l *Lock) beat() {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-l.lost:
			return
		case <-tick.C:
			l.mu.Lock()
			if l.check() == nil {
				l.lease.Beat++
				l.lease.At = time.Now()
				_ = l.lease.write(l.path, 0) // the next beat repeats a failed write
			}
			l.mu.Unlock()
		}
	}
}

// Unlock releases the directory. The lock file stays.
func (l *Lock) Unlock() error { return errors.Join(l.release(), l.f.Close()) }

// Remove releases the directory and removes the lock file. A process that has already opened the
// file sees that it is gone and creates a new one.
func (l *Lock) Remove() error {
	return errors.Join(os.Remove(l.f.Name()), l.release(), l.f.Close())
}

func (l *Lock) release() error {
	close(l.stop)
	l.ended.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.check(); errors.Is(err, ErrLost) {
		return nil // nothing here belongs to this process
	} else if err != nil {
		return err
	}
	return os.Remove(l.path)
}

// Renew replaces the file at path and its checksums with copies, so that a process with the old
// files open writes to files that are no longer read. It does nothing if there are no files.
func Renew(path string) error {
	for _, p := range []string{sumsPath(path), path} { // sums are never ahead of their lines
		data, err := plain.Read(p, plain.Large)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = WriteFile(p, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
