package journal

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// leaseOnly runs a test on a virtual clock and without the kernel's lock.
func leaseOnly(t *testing.T, test func(t *testing.T)) {
	lock := flock
	ForTests(beatEvery, staleAfter, false)
	defer func() { flock = lock }()
	synctest.Test(t, test)
}

// elsewhere turns a lock's lease into the lease of another machine, without further heartbeats.
func elsewhere(t *testing.T, l *Lock) {
	t.Helper()
	close(l.stop)
	l.ended.Wait()
	l.stop = make(chan struct{})
	l.lease.Place, l.lease.Host = "another boot", "far"
	must.Do(t, l.lease.write(l.path, 0))
}

// await takes the directory when its holder has sent no heartbeat for long enough.
func await(t *testing.T, dir string) *Lock {
	t.Helper()
	for end := time.Now().Add(2 * staleAfter); ; time.Sleep(staleAfter / 30) {
		l, err := TryLock(dir)
		if err == nil {
			return l
		}
		if !errors.Is(err, ErrLocked) || time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func TestASecondHolderIsRefused(t *testing.T) {
	secondHolderIsRefused(t)
	leaseOnly(t, secondHolderIsRefused)
}

func secondHolderIsRefused(t *testing.T) {
	dir := t.TempDir()
	l, err := TryLock(dir)
	must.Do(t, err)
	_, err = TryLock(dir)
	held, _ := errors.AsType[*Held](err)
	if held == nil || held.Unsure || held.Holder == nil || held.Holder.PID != os.Getpid() {
		t.Fatalf("second TryLock = %v, want this process as the holder", err)
	}
	must.Do(t, l.Unlock())
	if l, err = TryLock(dir); err != nil || l.TookOver {
		t.Fatalf("after Unlock: %v", err)
	}
	must.Do(t, l.Remove())
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestALeaseOfADeadProcess checks that another process takes the lease of a dead process at once. A
// PID that names a group of processes counts as dead.
func TestALeaseOfADeadProcess(t *testing.T) {
	place := here().Place
	if place == "" {
		t.Skip("the boot and the PID namespace of a process are unknown here")
	}
	child := exec.Command("true")
	must.Do(t, child.Run())
	for _, c := range []struct {
		pid   int
		place string
	}{
		{child.Process.Pid, place}, {0, place}, {-1, place}, {math.MinInt, place},
		{0, "another boot"}, {-1, "another boot"},
	} {
		dir := t.TempDir()
		dead := here()
		dead.ID, dead.PID, dead.Place, dead.At = "dead", c.pid, c.place, time.Now()
		must.Do(t, dead.write(leasePath(dir, 7), os.O_CREATE))
		if h := Holder(dir); h == nil || !h.Stale() {
			t.Errorf("%+v: holder %v, want a stale one", c, h)
		}
		l, err := TryLock(dir)
		if err != nil || !l.TookOver {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if all, err := leases(dir); err != nil || !slices.Equal(all, []int{8}) {
			t.Errorf("%+v: leases %v, %v", c, all, err)
		}
		l.Unlock()
	}
}

// TestAWokenHolderWritesNoMore suspends a holder on another machine. Exactly one of many goroutines
// takes over. When the holder wakes up, readers find nothing that it writes.
func TestAWokenHolderWritesNoMore(t *testing.T) { leaseOnly(t, wokenHolderWritesNoMore) }

func wokenHolderWritesNoMore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.jsonl")
	sleeper, err := TryLock(dir)
	must.Do(t, err)
	old, _, err := Open(path)
	must.Do(t, err)
	old.Guard(sleeper)
	must.Do(t, old.Append([]byte("1")))
	elsewhere(t, sleeper)
	if _, err := TryLock(dir); !errors.Is(err, ErrLocked) {
		t.Fatalf("TryLock before a minute without heartbeats = %v", err)
	}

	var wg sync.WaitGroup
	var won atomic.Pointer[Lock]
	var winners atomic.Int32
	for range 20 {
		wg.Go(func() {
			end := time.Now().Add(2 * staleAfter)
			for won.Load() == nil && time.Now().Before(end) {
				if l, err := TryLock(dir); err == nil {
					won.Store(l)
					winners.Add(1)
				} else if !errors.Is(err, ErrLocked) {
					t.Error(err)
					return
				}
				time.Sleep(staleAfter / 30) // all of them wake up together
			}
		})
	}
	wg.Wait()
	now := won.Load()
	if winners.Load() != 1 || !now.TookOver {
		t.Fatalf("%d goroutines took over, want 1", winners.Load())
	}
	defer now.Unlock()
	must.Do(t, Renew(path))
	j, lines, err := Open(path)
	if err != nil || len(lines) != 1 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	defer j.Close()
	j.Guard(now)

	// The sleeper fell asleep between its last check and this write.
	if _, err := old.f.WriteAt([]byte("2\n"), old.size); err != nil {
		t.Fatal(err)
	}
	if err := old.Append([]byte("3")); !errors.Is(err, ErrLost) {
		t.Errorf("Append of the woken holder: %v", err)
	}
	must.Do(t, j.Append([]byte("4")))
	if lines, _, err := Read(path); err != nil || !slices.Equal(texts(lines), []string{"1", "4"}) {
		t.Errorf("the journal has %v, %v", texts(lines), err)
	}
	ctx, stop := sleeper.Context(t.Context())
	defer stop()
	<-ctx.Done()
	if err := sleeper.Unlock(); err != nil {
		t.Error(err)
	}
	if err := now.Check(); err != nil {
		t.Error(err)
	}
}

// TestAHolderThatBeatsIsNotStale checks that a holder with heartbeats keeps the directory.
func TestAHolderThatBeatsIsNotStale(t *testing.T) { leaseOnly(t, beatingHolderIsNotStale) }

func beatingHolderIsNotStale(t *testing.T) {
	dir := t.TempDir()
	l, err := TryLock(dir)
	must.Do(t, err)
	l.mu.Lock()
	l.lease.Place, l.lease.Host = "another boot", "far"
	err = l.lease.write(l.path, 0)
	l.mu.Unlock()
	must.Do(t, err)
	for end := time.Now().Add(3 * staleAfter); time.Now().Before(end); time.Sleep(staleAfter / 10) {
		if _, err := TryLock(dir); !errors.Is(err, ErrLocked) {
			t.Fatalf("TryLock = %v", err)
		}
	}
	_, err = TryLock(dir)
	if held, _ := errors.AsType[*Held](err); held == nil || held.Unsure {
		t.Errorf("TryLock = %v, want a holder that was seen at work", err)
	}
	elsewhere(t, l)
	if err := await(t, dir).Unlock(); err != nil {
		t.Error(err)
	}
}

// TestALateComerStepsBack checks a process that saw a dead holder, but tries to take over only
// after another process has taken over.
func TestALateComerStepsBack(t *testing.T) { leaseOnly(t, lateComerStepsBack) }

func lateComerStepsBack(t *testing.T) {
	dir := t.TempDir()
	first, err := TryLock(dir)
	must.Do(t, err)
	elsewhere(t, first)
	_, before, err := newest(dir)
	must.Do(t, err)
	second := await(t, dir) // lease.2
	must.Do(t, second.Unlock())
	third, err := TryLock(dir) // lease.1 again
	must.Do(t, err)
	defer third.Unlock()
	late := &Lock{dir: dir, path: leasePath(dir, 2)}
	if err := late.supersede(1, before); !errors.Is(err, ErrLocked) {
		t.Errorf("the late comer: %v", err)
	}
	if err := third.Check(); err != nil {
		t.Error(err)
	}
}

// TestStrayLeases checks that files whose names only look like a lease are ignored, and that a
// broken link is an error.
func TestStrayLeases(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"lease.007", "lease.-1", "lease.x", "lease.0"} {
		must.Write(t, filepath.Join(dir, name), "")
	}
	if n, l, err := newest(dir); n != 0 || l != nil || err != nil {
		t.Errorf("newest = %d, %v, %v", n, l, err)
	}
	// A large number is refused before anything counts up to it.
	for _, n := range []string{"2000000000", "9223372036854775807", "99999999999999999999"} {
		name := "lease." + n
		path := filepath.Join(dir, name)
		must.Write(t, path, "")
		_, err := TryLock(dir)
		if !errors.Is(err, ErrLease) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if h := Holder(dir); h != nil {
			t.Errorf("%s: held by %v", name, h)
		}
		os.Remove(path)
	}
	must.Do(t, os.Symlink("nowhere", filepath.Join(dir, "lease.9")))
	if _, _, err := newest(dir); err == nil {
		t.Error("no error for a link that leads nowhere")
	}
}
