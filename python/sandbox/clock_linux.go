//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
	"time"
)

// tick is how often a clock looks at a child that takes long. Our choice.
const tick = 100 * time.Millisecond

// A clock ends a child that has used up its time, or whose question nobody waits for any more. CPU
// time, the process's own, decides. The wall limit is for sleepers: it runs only while the child is
// asked something, and in ticks that this process really saw, so that a machine that stops or is
// busy costs no candidate its score.
//
// A question costs two readings of the time and no timer. The timer is set to the earliest
// moment at which either limit can be reached, and to one tick at most.
type clock struct {
	child     *child
	wall, cpu time.Duration

	mu       sync.Mutex      // guards the following
	ctx      context.Context // of the present question; nil: none is asked
	since    time.Time       // when it was asked
	answered time.Duration   // wall time of the questions before it
	cause    error           // why the child was ended; nil: it was not
	timer    *time.Timer     // nil when stopped
	nominal  time.Duration   // to which timer was set
	asked    time.Duration   // wall time of all questions, when it was last looked at
	charged  time.Duration   // of the wall limit
	before   look
	base     time.Duration // CPU time that does not count
}

func startClock(c *child, wall, cpu time.Duration) *clock {
	k := &clock{child: c, wall: wall, cpu: cpu, nominal: min(tick, wall, cpu)}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.timer = time.AfterFunc(k.nominal, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.check()
	})
	return k
}

// begin is called before a question is asked, for somebody who waits until ctx ends. Between
// questions the end of a context changes nothing.
func (k *clock) begin(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	k.ctx, k.since = ctx, time.Now()
	return nil
}

// end is called when the question is answered, and says why the child was ended meanwhile. A child
// that has used too much CPU time while this process was stopped has not been looked at in time,
// and is looked at now.
func (k *clock) end() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	took := time.Since(k.since)
	k.ctx = nil
	k.answered += took
	if took > tick {
		k.check()
	}
	return k.cause
}

// check runs when a limit may have been reached.
func (k *clock) check() {
	if k.timer == nil || k.cause != nil {
		return
	}
	asked := k.answered
	if k.ctx != nil {
		asked += time.Since(k.since)
		k.cause = context.Cause(k.ctx)
	}
	now := k.child.look()
	k.charged = max(0, k.charged+charge(k.nominal, asked-k.asked, k.before, now))
	k.asked, k.before = asked, now
	left := min(k.wall-k.charged, k.cpu-(now.cpu-k.base))
	if left <= 0 && k.cause == nil {
		k.cause = timeout()
	}
	if k.cause != nil {
		k.child.kill()
		return
	}
	k.nominal = max(min(left, tick), time.Millisecond)
	k.timer.Reset(k.nominal)
}

// renew gives the child its full time again, for its next question.
func (k *clock) renew() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.charged = 0
	k.asked = k.answered
	k.before = k.child.look()
	k.base = k.before.cpu
}

// ended says why the clock ended the child, nil if it did not, and whether a child that used so
// much CPU time in all has reached its limit.
func (k *clock) ended(cpu time.Duration) (cause error, usedUp bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.cause, cpu-k.base >= k.cpu
}

func (k *clock) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.timer != nil {
		k.timer.Stop()
		k.timer = nil
	}
}

// A look is what can be seen of a process from outside. Where /proc does not tell, state is 0 and
// waited stays 0.
type look struct {
	state  byte          // R, S, D, T, ...: see proc(5)
	cpu    time.Duration // used
	waited time.Duration // for a CPU
}

func (c *child) look() look {
	l := look{cpu: c.cpuTime()}
	if c.pid == 0 {
		return l
	}
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.pid)); err == nil {
		if i := bytes.LastIndexByte(b, ')'); i >= 0 && i+2 < len(b) {
			l.state = b[i+2]
		}
	}
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", c.pid)); err == nil {
		var ran int64
		_, _ = fmt.Sscan(string(b), &ran, &l.waited) // zero where the kernel does not count it
	}
	return l
}

// charge returns how much of its wall limit a child has used between two looks. However late the
// second one came, no more than the nominal time between them counts: what was late was this
// process, or the whole machine. Nothing counts when the child is stopped, frozen, waiting for
// a disk, or waiting for a CPU without getting any; and a wait for a CPU that has ended is
// taken off.
func charge(nominal, asked time.Duration, before, now look) time.Duration {
	switch now.state {
	case 'T', 't', 'D':
		return 0
	case 'R':
		if now.cpu == before.cpu {
			return 0
		}
	}
	return min(asked, nominal) - (now.waited - before.waited)
}
