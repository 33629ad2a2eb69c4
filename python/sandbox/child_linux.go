//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/python"
)

// A child is one forked process, from its fork until it is known to have ended.
type child struct {
	zygote *zygote
	inner  int32 // its pid as the zygote sees it
	pid    int   // as this process sees it; 0 if unknown

	waited   sync.Once // sets the following
	status   unix.WaitStatus
	cpu      time.Duration
	resident int64 // most bytes of memory in use
	err      error // errLost if the zygote cannot report it

	mu    sync.Mutex
	pidfd int // guarded by mu; -1: closed
}

// pidOf returns the pid behind a pidfd in this process's own namespace, or 0.
func pidOf(pidfd int) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", pidfd))
	if err != nil {
		return 0
	}
	var pid int
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "Pid:"); ok {
			_, _ = fmt.Sscan(rest, &pid) // 0 if it is not a number
		}
	}
	return max(pid, 0)
}

// cpuTime returns the CPU time that the running process has used so far; 0 if it is unknown.
func (c *child) cpuTime() time.Duration {
	if c.pid == 0 {
		return 0
	}
	return python.CPUTime(c.pid)
}

// kill ends the process. A pidfd cannot name another process.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pidfd >= 0 {
		// An error means that it has ended.
		_ = unix.PidfdSendSignal(c.pidfd, unix.SIGKILL, nil, 0)
	}
}

// move restricts the process to these CPUs, and reports whether the machine allows it. The pid of
// an ended process stays valid until it is reaped.
func (c *child) move(to *unix.CPUSet) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pidfd >= 0 && unix.SchedSetaffinity(c.pid, to) == nil
}

// endsWithin waits for the process to end, at most until it had the limit of time with its full
// share of a processor (see charge), and reports whether it has ended.
func (c *child) endsWithin(limit time.Duration) bool {
	const nap = 10 * time.Millisecond
	before := c.look()
	for charged := time.Duration(0); charged < limit; {
		start := time.Now()
		if c.endsIn(nap) {
			return true
		}
		now := c.look()
		charged = max(0, charged+charge(nap, time.Since(start), before, now))
		before = now
	}
	return false
}

// endsIn waits at most for a nap for the process to end, and reports whether it has. The end of the
// pool may wait for the same process and close its pidfd meanwhile.
func (c *child) endsIn(nap time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pidfd < 0 || poll(c.pidfd, nap.Milliseconds())
}

// poll waits for the end of the process behind a pidfd. The wait is in milliseconds; -1 has no
// limit.
func poll(pidfd int, most int64) bool {
	fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, int(most))
	return n > 0
}

// wait returns when the process has ended. It may be called more than once.
func (c *child) wait() {
	c.waited.Do(func() {
		for !poll(c.pidfd, -1) { // interrupted
		}
		var out outcome
		out, c.err = c.zygote.reap(c.inner)
		c.status, c.resident = unix.WaitStatus(out.Status), out.Usage.Maxrss<<10
		c.cpu = time.Duration(out.Usage.Utime.Nano() + out.Usage.Stime.Nano())
		c.mu.Lock()
		defer c.mu.Unlock()
		unix.Close(c.pidfd)
		c.pidfd = -1
	})
}
