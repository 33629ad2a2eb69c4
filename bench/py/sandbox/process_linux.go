//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/py/wire"
)

// A process is a child that can be asked questions, one after the other by one goroutine.
//
// Reading and writing are plain blocking system calls on pipes: a question of 400 bytes and
// its answer take 6 µs so, and several times that through the runtime's poller. What could
// block for ever is ended by killing the child, which closes its ends.
type process struct {
	child    *child
	clock    *clock
	memory   int64 // its limit, bytes
	requests int   // descriptors
	replies  int
	sequence uint16
	out, in  []byte // buffers, kept from question to question

	watch *watch // of the context that the last question was asked with
}

// pipeSize is asked for; a user who has many pipes gets less, and large arrays take longer.
const pipeSize = 1 << 20

// newProcess forks a child of z. The kernel's own CPU limit, in seconds, stands behind the clock.
func newProcess(z *zygote, limits bench.Limits, seconds uint64) (*process, error) {
	request, reply := [2]int{-1, -1}, [2]int{-1, -1}
	if err := unix.Pipe2(request[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	if err := unix.Pipe2(reply[:], unix.O_CLOEXEC); err != nil {
		unix.Close(request[0])
		unix.Close(request[1])
		return nil, fmt.Errorf("pipe: %w", err)
	}
	for _, fd := range []int{request[1], reply[1]} {
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, pipeSize)
	}
	c, err := z.fork(request[0], reply[1], uint64(limits.Memory), seconds)
	unix.Close(request[0])
	unix.Close(reply[1])
	if err != nil {
		unix.Close(request[1])
		unix.Close(reply[0])
		return nil, err
	}
	return &process{
		child: c, clock: startClock(c, limits.Wall, limits.CPU), memory: limits.Memory,
		requests: request[1], replies: reply[0], in: make([]byte, 64<<10),
	}, nil
}

// ask sends one request, whose body is appended to a frame by body, and returns the answer
// to it. A *bench.Fault is the child's; every other error is the backend's. After an error the
// process can only be closed.
func (p *process) ask(
	ctx context.Context, kind, tag byte, body func([]byte) []byte,
) (reply, error) {
	w := p.watching(ctx)
	p.sequence++
	p.out = append(p.out[:0], make([]byte, wire.HeadSize)...)
	p.out = body(p.out)
	if len(p.out) > math.MaxUint32 {
		panic("sandbox: arguments of more than 4 GiB")
	}
	putHead(p.out, kind, tag, p.sequence)

	if err := w.begin(ctx); err != nil {
		return reply{}, err
	}
	p.clock.begin()
	err := wire.WriteFrame(p.requests, p.out)
	var frame []byte
	if err == nil {
		frame, err = wire.ReadFrame(p.replies, &p.in, bodySize)
	}
	p.clock.end()
	if w.end() {
		return reply{}, context.Cause(ctx)
	}
	if err == nil && p.clock.expired.Load() {
		return reply{}, timeout()
	}
	var r reply
	if err == nil {
		r, err = decodeReply(frame, p.sequence)
	}
	if err != nil {
		return reply{}, p.verdict(err)
	}
	if r.fault != nil {
		return reply{}, r.fault
	}
	return r, nil
}

// endGrace is how long a child that closed its pipe may take to end by itself. Exiting closes
// first and ends a moment later. Ours.
const endGrace = 200 * time.Millisecond

// verdict says what a broken exchange means: it waits for the child to end and looks how it did.
func (p *process) verdict(cause error) error {
	helped := false
	if errors.Is(cause, wire.ErrFrame) {
		p.child.kill()
	} else if !p.child.endsWithin(endGrace) {
		helped = true
		p.child.kill()
	}
	p.child.wait()
	switch {
	case p.clock.expired.Load():
		return timeout()
	case p.child.err != nil:
		return p.child.err
	case errors.Is(cause, wire.ErrFrame):
		return forged()
	}
	return p.autopsy(helped)
}

func timeout() error { return bench.Faultf(bench.Timeout, "time limit exceeded") }

func forged() error { return bench.Faultf(bench.Crashed, "wrote to the sandbox's own pipe") }

// errKilled means that somebody else ended a child: mostly the kernel, when the machine or its
// container is out of memory.
var errKilled = fmt.Errorf(
	"%w: a process of the sandbox was killed from outside", bench.ErrInterrupted)

// autopsy names how an ended child died.
func (p *process) autopsy(helped bool) error {
	status := p.child.status
	if !status.Signaled() {
		return bench.Faultf(bench.Crashed, "exited with status %d", status.ExitStatus())
	}
	switch status.Signal() {
	case unix.SIGXCPU:
		return timeout()
	case unix.SIGKILL:
		switch {
		case p.clock.usedUp(p.child.cpu):
			return timeout()
		case helped:
			return bench.Faultf(bench.Crashed, "closed its connection")
		}
		// No candidate can send it, and Go did not.
		return hint.Add(errKilled, fmt.Sprintf("it used %d MiB; is the machine, or its "+
			"container, out of memory? use fewer --jobs", p.child.resident>>20))
	}
	return bench.Faultf(bench.Crashed, "killed by %s", unix.SignalName(status.Signal()))
}

// close ends the child and waits for it.
func (p *process) close() {
	if p.watch != nil {
		p.watch.stop()
	}
	p.clock.stop()
	p.child.kill()
	unix.Close(p.requests)
	unix.Close(p.replies)
	p.child.wait()
}
