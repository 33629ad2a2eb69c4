//go:build amd64 || arm64

package sandbox

import (
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pinFor is how long an evaluation stays on one CPU. A cheap candidate is done by then; an
// expensive one gains nothing from it and is left to the scheduler. Ours.
const pinFor = 250 * time.Millisecond

// cpus counts the evaluations pinned to each CPU, so that two of them take two CPUs.
type cpus struct {
	mu   sync.Mutex
	used map[int]int // guarded by mu
}

// take chooses the CPU with the fewest evaluations among the allowed ones, the caller's own first.
func (c *cpus) take(allowed *unix.CPUSet) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used == nil {
		c.used = map[int]int{}
	}
	best := -1
	if own := currentCPU(); own >= 0 && allowed.IsSet(own) {
		best = own
	}
	for cpu := range len(allowed) * int(unsafe.Sizeof(allowed[0])) * 8 {
		if allowed.IsSet(cpu) && (best < 0 || c.used[cpu] < c.used[best]) {
			best = cpu
		}
	}
	c.used[best]++
	return best
}

func (c *cpus) give(cpu int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[cpu]--
}

// currentCPU is the CPU that the calling thread runs on, -1 when it cannot be told.
func currentCPU() int {
	var cpu uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 {
		return -1
	}
	return int(cpu)
}

// A pin holds the calling thread and a candidate on one CPU.
type pin struct {
	pool  *Pool
	pid   int
	cpu   int
	old   unix.CPUSet
	until time.Time
}

// Pin keeps the calling goroutine's thread and the candidate on one CPU until release is called, on
// the same goroutine, or for a quarter of a second, whichever is first. A question and its answer
// wake each other in turn: across two idle CPUs of a virtual machine that costs 20 µs a call, on
// one CPU 7 µs. It changes time only, and where the machine does not allow it nothing happens.
func (t *Target) Pin() (release func()) {
	runtime.LockOSThread()
	p := &pin{pool: t.pool, until: time.Now().Add(pinFor)}
	if t.process != nil {
		p.pid = t.process.child.pid
	}
	if p.pid == 0 || unix.SchedGetaffinity(0, &p.old) != nil || p.old.Count() < 2 {
		return runtime.UnlockOSThread
	}
	p.cpu = t.pool.cpus.take(&p.old)
	var one unix.CPUSet
	one.Set(p.cpu)
	if unix.SchedSetaffinity(p.pid, &one) != nil || unix.SchedSetaffinity(0, &one) != nil {
		p.loose(true)
		return runtime.UnlockOSThread
	}
	t.pin = p
	return func() {
		t.unpin(false)
		runtime.UnlockOSThread()
	}
}

// loose gives the thread back to the scheduler, and the candidate too when it goes on: the pid of
// one that has ended may be another process's.
func (p *pin) loose(candidate bool) {
	_ = unix.SchedSetaffinity(0, &p.old) // it was this thread's own
	if candidate {
		_ = unix.SchedSetaffinity(p.pid, &p.old) // at worst it stays where it is
	}
	p.pool.cpus.give(p.cpu)
}

func (t *Target) unpin(candidate bool) {
	if t.pin != nil {
		t.pin.loose(candidate)
		t.pin = nil
	}
}
