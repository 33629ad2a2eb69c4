//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/python/wire"
)

// A process is a child that answers questions, one after the other, from one goroutine.
type process struct {
	child    *child
	clock    *clock
	pipe     *wire.Pipe
	sequence uint16
}

// newProcess forks a child of z. The kernel's own CPU limit, in seconds, backs the clock's.
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

// ask sends one request, whose body is appended to a frame by body, and returns the answer. A
// *bench.Fault is the child's; every other error is the backend's. After an error the process can
// only be closed.
func (p *process) ask(
	ctx context.Context, kind byte, count int, body func([]byte) []byte,
) (reply, error) {
	p.sequence++
	p.pipe.Compose(kind, count, p.sequence, body)
	if err := p.clock.begin(ctx); err != nil {
		return reply{}, err
	}
	frame, err := p.pipe.Ask()
	if cause := p.clock.end(); cause != nil {
		return reply{}, cause
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

// endGrace is how long a child may take to end after it closed its pipe. An exit closes the pipe
// first and takes a moment, which a busy machine prolongs.
const endGrace = 200 * time.Millisecond

// verdict explains a broken exchange: it waits for the child to end and looks how it ended.
func (p *process) verdict(cause error) error {
	helped := false
	if errors.Is(cause, wire.ErrFrame) {
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
	case errors.Is(cause, wire.ErrFrame):
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

// autopsy names how a child ended that was helped or had used up its CPU time.
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
			"container, out of memory? use fewer --jobs", p.child.resident>>20))
	}
	return bench.Faultf(bench.Crashed, "killed by %s", unix.SignalName(status.Signal()))
}

// close ends the child and waits for it.
func (p *process) close() {
	p.clock.stop()
	p.child.kill()
	p.pipe.Close()
	p.child.wait()
}
