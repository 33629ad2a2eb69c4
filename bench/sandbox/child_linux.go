//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A child is one forked process, from the request to fork it until it is known to have ended.
type child struct {
	zygote *zygote
	number uint32

	ready chan struct{} // closed when pid, pidfd and err are set
	err   error
	pid   int // as this process sees it; 0 when it cannot be told

	ended    chan struct{} // closed when the following are set
	status   unix.WaitStatus
	cpu      time.Duration
	resident int64 // most bytes of memory in use

	waited sync.Once

	mu    sync.Mutex
	pidfd int // guarded by mu; -1: none, or closed
}

// forked is what the zygote says of a child that it was asked for.
func (c *child) forked(pidfd int, err error) {
	if err == nil && pidfd < 0 {
		err = fmt.Errorf("fork: no pidfd came with the child")
	}
	c.mu.Lock()
	c.pidfd = pidfd
	c.mu.Unlock()
	c.err = err
	if err == nil {
		c.pid = pidOf(pidfd)
	}
	close(c.ready)
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
			_, _ = fmt.Sscan(rest, &pid) // 0 where it is something else
		}
	}
	return max(pid, 0)
}

// cpuTime returns the CPU time that the running process has used so far; 0 when it cannot be told.
func (c *child) cpuTime() time.Duration {
	if c.pid == 0 {
		return 0
	}
	// The clock of a process, see clock_getcpuclockid(3): complement of the pid, then CPUCLOCK_SCHED.
	var t unix.Timespec
	if unix.ClockGettime(int32(^c.pid)<<3|2, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// kill ends the process, whatever it does. The pidfd can mean no other one.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pidfd >= 0 {
		_ = unix.PidfdSendSignal(c.pidfd, unix.SIGKILL, nil, 0) // an error says that it has ended already
	}
}

// wait returns when the process has ended. It may be called more than once.
func (c *child) wait() {
	c.waited.Do(func() {
		select {
		case <-c.ended:
		case <-c.zygote.gone:
			// Nobody reports it any more, and nobody has to: it dies with the zygote.
			for fds := []unix.PollFd{{Fd: int32(c.pidfd), Events: unix.POLLIN}}; ; {
				if _, err := unix.Poll(fds, -1); err != unix.EINTR {
					break
				}
			}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		unix.Close(c.pidfd)
		c.pidfd = -1
	})
}
