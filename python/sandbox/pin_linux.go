package sandbox

import (
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
)

// An evaluation is pinned to one CPU for pinFor and then free for looseFor, so that the scheduler
// can move it from a CPU that other programs use to an idle one. If its questions take longer than
// slow on average, pinning gains little, and the evaluation stays free.
const (
	pinFor   = 250 * time.Millisecond
	looseFor = 20 * time.Millisecond
	slow     = 2 * time.Millisecond
)

// cpus counts the evaluations pinned to each CPU, so that two evaluations take two CPUs.
type cpus struct {
	mu   sync.Mutex
	used map[int]int // guarded by mu
}

// take chooses the allowed CPU with the fewest evaluations. Among several such CPUs, it prefers the
// caller's CPU.
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

// currentCPU returns the CPU that the calling thread runs on; -1 if it is unknown.
func currentCPU() int {
	var cpu uint32
	_, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0)
	if errno != 0 {
		return -1
	}
	return int(cpu)
}

// A pin holds the calling thread, a candidate and another process on one CPU.
type pin struct {
	target  *Target
	other   interface{ Move(*unix.CPUSet) } // another process, such as a scorer; nil: none
	all     unix.CPUSet
	cpu     int  // the CPU of the pin
	held    bool // whether the thread and the processes are pinned now
	changes time.Time
	asked   int // questions since they were pinned
}

// Pin keeps the calling goroutine's thread, the candidate and the process of h, if there is one, on
// one CPU until the same goroutine calls release. A question wakes the candidate, and the answer
// wakes the caller: a call takes 20 µs across two idle CPUs of a virtual machine, and 7 µs on one
// CPU. Pin affects only the time of calls, and does nothing if the machine does not allow it.
func (t *Target) Pin(h bench.Host) (release func()) {
	runtime.LockOSThread()
	p := &pin{target: t}
	p.other, _ = h.(interface{ Move(*unix.CPUSet) })
	if t.process == nil || t.process.child.pid == 0 ||
		unix.SchedGetaffinity(0, &p.all) != nil || p.all.Count() < 2 || !p.hold() {
		return runtime.UnlockOSThread
	}
	t.pin = p
	return func() {
		t.pin = nil
		p.loose()
		runtime.UnlockOSThread()
	}
}

// hold pins the thread and the processes, and reports whether the machine allows it.
func (p *pin) hold() bool {
	p.cpu, p.held = p.target.workers.cpus.take(&p.all), true
	p.changes, p.asked = time.Now().Add(pinFor), 0
	var one unix.CPUSet
	one.Set(p.cpu)
	ok := p.move(&one)
	if !ok {
		p.loose()
	}
	return ok
}

// loose lets the scheduler move the thread and the processes again.
func (p *pin) loose() {
	if p.held {
		p.held = false
		p.move(&p.all) // they had these CPUs before; if it fails, they stay on one CPU
		p.target.workers.cpus.give(p.cpu)
	}
}

// turn pins the thread and the processes if they are free, and frees them otherwise. It reports
// whether pinning has ended.
func (p *pin) turn() (ended bool) {
	if !p.held {
		return !p.hold()
	}
	p.loose()
	p.changes = time.Now().Add(looseFor)
	return time.Duration(p.asked)*slow < pinFor
}

func (p *pin) move(to *unix.CPUSet) bool {
	if p.other != nil {
		p.other.Move(to)
	}
	candidate := p.target.process.child.move(to) // also false if it has ended
	return unix.SchedSetaffinity(0, to) == nil && candidate
}
