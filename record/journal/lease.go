package journal

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pacebench/pacebench/internal/plain"
)

// A Lease is a file, lease.N, that names the process at work in its directory. It needs two
// properties of a file system: only one process can create a file (O_EXCL), and a process that
// opens a file sees what was written and closed before. NFS and similar systems have both.
//
// To take over a dead holder's lease.N, a process creates lease.N+1, which only one process can do.
// It gives up if lease.N has changed or if there is a lease with a higher number; otherwise it
// removes lease.N. If the holder of lease.N was only suspended, it finds that its lease is gone
// before its next heartbeat and before its next line. A line that it writes after such a check goes
// to a file that Renew has replaced.
//
// The clocks of two machines are never compared to decide whether a holder is dead. In the same
// place (boot, host name and PID namespace), a holder is dead if no process with its PID and start
// time exists. Elsewhere, a holder counts as dead if the process that wants the lease sees the
// lease unchanged for staleAfter.
type Lease struct {
	ID    string    `json:"id"`
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Start string    `json:"start,omitempty"` // start of the process, in ticks since the boot
	Place string    `json:"place,omitempty"` // boot and PID namespace
	Since time.Time `json:"since"`           // start of the lease, by the holder's clock
	At    time.Time `json:"at"`              // time of the last heartbeat, by the same clock
	Beat  int       `json:"beat"`            // number of heartbeats so far
	Work  *Work     `json:"work,omitempty"`
}

// Work is the progress of a holder: it began at From, has reached Done, and ends at Of.
type Work struct {
	From int `json:"from"`
	Done int `json:"done"`
	Of   int `json:"of"`
}

// beatEvery is the time between two heartbeats. staleAfter is the time without a heartbeat after
// which a holder on another machine counts as dead; network file systems cache attributes for a
// shorter time.
var (
	beatEvery  = 5 * time.Second
	staleAfter = time.Minute
)

// ForTests sets the times of heartbeats. If kernel is false, only the lease protects a directory,
// as on a file system without locks. Call it before the first TryLock.
func ForTests(beat, stale time.Duration, kernel bool) {
	beatEvery, staleAfter = beat, stale
	if !kernel {
		flock = func(int, int) error { return nil }
	}
}

// String returns "host h, process 12".
func (l Lease) String() string { return fmt.Sprintf("host %s, process %d", l.Host, l.PID) }

// Holder reads the newest lease in dir; nil if there is no complete lease. The holder may be dead:
// see Stale.
func Holder(dir string) *Lease {
	n, l, err := newest(dir)
	if err != nil || n == 0 || l.ID == "" {
		return nil
	}
	return l
}

// Stale reports whether the holder is dead, or seems dead by this machine's clock and its own. Use
// it for messages only, because the two clocks may differ.
func (l *Lease) Stale() bool { return l.dead() || time.Since(l.At) > staleAfter }

// here is the lease of this process, without its own ID.
var here = sync.OnceValue(func() Lease {
	host, _ := os.Hostname()
	l := Lease{Host: host, PID: os.Getpid(), Start: startOf(os.Getpid())}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	pids, perr := os.Readlink("/proc/self/ns/pid")
	if err == nil && perr == nil {
		l.Place = strings.TrimSpace(string(boot)) + " " + pids
	}
	return l
})

// startOf returns the start time of a process in the kernel's ticks, "ended" for a zombie, or "" if
// unknown.
func startOf(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	// The name in parentheses may contain spaces.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	switch {
	case err != nil || len(fields) < 20:
		return ""
	case string(fields[0]) == "Z":
		return "ended"
	}
	return string(fields[19])
}

// local reports whether the holder's process is, or was, visible from here.
func (l *Lease) local() bool {
	me := here()
	return l.Place != "" && l.Place == me.Place && l.Host == me.Host
}

// dead reports whether the process is known to be gone.
func (l *Lease) dead() bool {
	if l.ID != "" && l.PID <= 0 { // a group of processes, for which Kill succeeds
		return true
	}
	if !l.local() {
		return false
	}
	if errors.Is(syscall.Kill(l.PID, 0), syscall.ESRCH) {
		return true
	}
	start := startOf(l.PID)
	return start != "" && start != l.Start
}

// A lastSeen is the last state in which this process saw a lease.
type lastSeen struct {
	id    string
	beat  int
	since time.Time // when this process first saw this beat
	moved bool      // this process also saw an earlier beat
}

var (
	seenMu sync.Mutex
	seen   = map[string]lastSeen{} // by path; guarded by seenMu
)

// still returns how long this process has seen a lease unchanged, and whether it ever saw the lease
// change.
func still(path string, l *Lease) (time.Duration, bool) {
	seenMu.Lock()
	defer seenMu.Unlock()
	old, known := seen[path]
	if !known || old.id != l.ID || old.beat != l.Beat {
		old = lastSeen{l.ID, l.Beat, time.Now(), known && old.id == l.ID}
		seen[path] = old
	}
	return time.Since(old.since), old.moved
}

func leasePath(dir string, n int) string {
	return filepath.Join(dir, "lease."+strconv.Itoa(n))
}

// Bounds on leases. The number of a lease grows by one with every takeover, until the directory is
// released.
const (
	maxLease  = 1 << 16 // bytes; a lease has 512
	maxNumber = 1 << 20
)

// ErrLease means that a lease has a number that no run reaches.
var ErrLease = errors.New("not a lease of pacebench: remove the file")

// leases lists the numbers of a directory's leases: usually one or none.
func leases(dir string) (all []int, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		text, ok := strings.CutPrefix(e.Name(), "lease.")
		n, nerr := strconv.Atoi(text)
		switch {
		case !ok || n <= 0 || strconv.Itoa(n) != text && nerr == nil:
		case nerr != nil || n > maxNumber:
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, e.Name()), ErrLease)
		default:
			all = append(all, n)
		}
	}
	return all, err
}

// newest returns a directory's lease with the highest number; 0 if there is no lease. A lease is
// empty until its process has written it.
func newest(dir string) (n int, l *Lease, err error) {
	for range 100 { // more attempts would be needed only for a broken link
		all, err := leases(dir)
		if err != nil || len(all) == 0 {
			return 0, nil, err
		}
		n = slices.Max(all)
		// If the lease has disappeared, its holder has just released it.
		if l, err = readLease(leasePath(dir, n)); !errors.Is(err, os.ErrNotExist) {
			return n, l, err
		}
	}
	return 0, nil, fmt.Errorf("%s: cannot be read: remove it if it is a broken link",
		leasePath(dir, n))
}

// readLease reads a lease; an empty or torn lease has no ID.
func readLease(path string) (*Lease, error) {
	data, err := plain.Read(path, maxLease)
	if err != nil {
		return nil, err
	}
	l := &Lease{}
	if json.Unmarshal(data, l) != nil {
		l = &Lease{}
	}
	return l, nil
}

// missing reports whether an error of readLease means that the file is gone; on NFS it may
// disappear while it is open.
func missing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESTALE)
}

// write writes the lease to the file at path; flag may create the file.
func (l *Lease) write(path string, flag int) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	f, err := plain.Open(path, os.O_WRONLY|flag)
	if err != nil {
		return err
	}
	// Padding gives every lease the same length, so that one write replaces the old lease.
	_, err = f.WriteAt(fmt.Appendf(nil, "%-511s\n", data), 0)
	return errors.Join(err, f.Close())
}

// take creates the lock's lease, if there is no lease or its holder is dead.
func (l *Lock) take() error {
	n, before, err := newest(l.dir)
	if err != nil {
		return err
	}
	if n > 0 && !before.dead() {
		silent, moved := still(leasePath(l.dir, n), before)
		if silent < staleAfter || before.local() {
			held := &Held{Dir: l.dir, Unsure: !moved && !before.local()}
			if before.ID != "" {
				held.Holder = before
			}
			return held
		}
	}
	l.lease = here()
	l.lease.ID, l.lease.Since, l.lease.At = rand.Text(), time.Now(), time.Now()
	l.path, l.TookOver = leasePath(l.dir, n+1), n > 0
	err = l.lease.write(l.path, os.O_CREATE|os.O_EXCL)
	if errors.Is(err, os.ErrExist) {
		return &Held{Dir: l.dir, Holder: Holder(l.dir)}
	}
	if err != nil {
		return err
	}
	if err := l.supersede(n, before); err != nil {
		return errors.Join(err, os.Remove(l.path))
	}
	return nil
}

// supersede removes the leases below the new one. It fails if another process was faster.
func (l *Lock) supersede(n int, before *Lease) error {
	all, err := leases(l.dir)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m > n+1 {
			return &Held{Dir: l.dir, Holder: Holder(l.dir)}
		}
	}
	if n > 0 {
		now, err := readLease(leasePath(l.dir, n))
		if err != nil && !missing(err) {
			return err
		}
		if err != nil || now.ID != before.ID || now.Beat != before.Beat {
			return &Held{Dir: l.dir, Holder: now}
		}
	}
	for _, m := range all {
		if m > n {
			continue
		}
		if err := remove(leasePath(l.dir, m)); err != nil {
			return err
		}
	}
	return nil
}
