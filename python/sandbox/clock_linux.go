package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
	"time"
)

// tick is the time between two checks of a child that runs for a long time: short enough for limits
// of a second.
const tick = 100 * time.Millisecond

// A clock ends a child that has used up its time, or whose caller no longer waits. A busy child
// reaches the limit on CPU time. The wall limit ends children that sleep: wall time counts only
// while the child has a question, and only in ticks during which this process ran, so that no
// candidate loses its score because the machine was stopped or busy.
//
// A question costs two readings of the time and no timer. The clock's one timer is set to the
// earliest moment at which a limit can be reached, but never further ahead than one tick.
type clock struct {
	child     *child
	wall, cpu time.Duration

	mu       sync.Mutex      // guards the following
	ctx      context.Context // of the current question; nil: no question
	since    time.Time       // when the question was sent
	answered time.Duration   // wall time of earlier questions
	cause    error           // why the clock ended the child; nil if it did not
	timer    *time.Timer     // nil when stopped
	nominal  time.Duration   // duration to which timer was set
	asked    time.Duration   // wall time of all questions, at the last check
	charged  time.Duration   // part of the wall limit used so far
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

// begin is called before a question. The caller waits for the answer until ctx ends. A context that
// ends between two questions has no effect.
func (k *clock) begin(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	k.ctx, k.since = ctx, time.Now()
	return nil
}

// end is called after the answer. It returns the reason if the clock ended the child meanwhile. A
// child that used too much CPU time while this process was stopped was not checked in time; end
// checks it.
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

// check runs when the child may have reached a limit.
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

// renew gives the child its full time for the next question.
func (k *clock) renew() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.charged = 0
	k.asked = k.answered
	k.before = k.child.look()
	k.base = k.before.cpu
}

// ended returns the reason why the clock ended the child, nil if it did not, and whether a child
// that used cpu in total has reached its limit.
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

// A look is the state of a process as seen from outside. If /proc cannot be read, state and waited
// are 0.
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
		_, _ = fmt.Sscan(string(b), &ran, &l.waited) // zero if the kernel does not count it
	}
	return l
}

// charge returns how much of its wall limit a child has used between two looks. If the second look
// is late, at most the nominal time between the looks counts, because this process or the whole
// machine was late. No time counts while the child is stopped, frozen, waiting for a disk, or
// waiting for a CPU without getting any. A finished wait for a CPU is subtracted.
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
