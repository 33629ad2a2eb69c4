package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/python"
	"github.com/pacebench/pacebench/python/wire"
)

// A process is a child that answers questions, one after the other, from one goroutine.
type process struct {
	child    *child
	clock    *clock
	pipe     *wire.Pipe
	sequence uint16
}

// newProcess forks a child of z. The kernel ends the child after the given seconds of CPU time, in
// case the clock fails to do so.
func newProcess(z *zygote, limits bench.Limits, seconds uint64) (*process, error) {
	pipe, request, reply, err := wire.Open(most)
	if err != nil {
		return nil, err
	}
	c, err := z.fork(request, reply, uint64(limits.Memory), seconds)
	unix.Close(request)
	unix.Close(reply)
	if err != nil {
		pipe.Close()
		return nil, err
	}
	return &process{child: c, clock: startClock(c, limits.Wall, limits.CPU), pipe: pipe}, nil
}

// ask sends one request and returns the answer; body appends the request's body to a message. A
// *bench.Fault is the child's fault; the sandbox is the cause of every other error. After an error
// the process can only be closed.
func (p *process) ask(
	ctx context.Context, kind byte, count int, body func([]byte) []byte,
) (reply, error) {
	p.sequence++
	p.pipe.Compose(kind, count, p.sequence, body)
	if err := p.clock.begin(ctx); err != nil {
		return reply{}, err
	}
	message, err := p.pipe.Ask()
	if cause := p.clock.end(); cause != nil {
		return reply{}, cause
	}
	var r reply
	if err == nil {
		r, err = decodeReply(message, p.sequence)
	}
	if err != nil {
		return reply{}, p.verdict(err)
	}
	if r.fault != nil {
		return reply{}, r.fault
	}
	return r, nil
}

// endGrace is how long a child may take to end after it closed its pipe. A process that exits
// closes the pipe first and then takes a moment to end, longer on a busy machine.
const endGrace = 200 * time.Millisecond

// verdict explains a broken exchange: it waits for the child to end and finds out how it ended.
func (p *process) verdict(cause error) error {
	helped := false
	if errors.Is(cause, wire.ErrMessage) {
		p.child.kill()
	} else if !p.child.endsWithin(endGrace) {
		helped = true
		p.child.kill()
	}
	p.child.wait()
	ended, usedUp := p.clock.ended(p.child.cpu)
	switch {
	case ended != nil:
		return ended
	case p.child.err != nil:
		return p.child.err
	case errors.Is(cause, wire.ErrMessage):
		return forged()
	}
	return p.autopsy(helped, usedUp)
}

func timeout() error { return bench.Faultf(bench.Timeout, "time limit exceeded") }

func forged() error { return bench.Faultf(bench.Crashed, "wrote to the sandbox's own pipe") }

// errKilled means that neither Go nor the child ended the child: usually the kernel did, because
// the machine or its container is out of memory.
var errKilled = fmt.Errorf(
	"%w: a process of the sandbox was killed from outside", bench.ErrInterrupted)

// autopsy describes how the child ended. helped means that verdict killed it, usedUp that it had
// used up its CPU time.
func (p *process) autopsy(helped, usedUp bool) error {
	status := p.child.status
	if !status.Signaled() {
		return bench.Faultf(bench.Crashed, "exited with status %d", status.ExitStatus())
	}
	switch killed := status.Signal() == unix.SIGKILL; {
	case status.Signal() == unix.SIGXCPU, killed && usedUp:
		return timeout()
	case killed && helped:
		return bench.Faultf(bench.Crashed, "closed its connection")
	case killed: // no candidate can send this signal, and Go did not
		return hint.Add(errKilled, fmt.Sprintf("it used %d MiB; is the machine, or its "+
			"container, out of memory? use a smaller --jobs", p.child.resident>>20))
	}
	return bench.Faultf(bench.Crashed, "killed by %s", unix.SignalName(status.Signal()))
}

func (p *process) close() {
	p.clock.stop()
	p.child.kill()
	p.pipe.Close()
	p.child.wait()
}

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

// kill ends the process. A pidfd never refers to another process.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pidfd >= 0 {
		// An error means that it has ended.
		_ = unix.PidfdSendSignal(c.pidfd, unix.SIGKILL, nil, 0)
	}
}

// move restricts the process to the given CPUs, and reports whether the machine allows it. The pid
// of an ended process stays valid until it is reaped.
func (c *child) move(to *unix.CPUSet) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pidfd >= 0 && unix.SchedSetaffinity(c.pid, to) == nil
}

// endsWithin waits for the process to end, and reports whether it has ended. It gives up after
// limit, counted as charge counts time: without the time in which the process is stopped or waits
// for a CPU.
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

// endsIn waits for the process to end, for nap at most, and reports whether it has ended.
// Workers.Close may wait for the same process and close its pidfd meanwhile.
func (c *child) endsIn(nap time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pidfd < 0 || poll(c.pidfd, nap.Milliseconds())
}

// poll waits for the end of the process behind a pidfd. most is the longest wait in milliseconds;
// -1 means no limit.
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
