//go:build amd64 || arm64

package sandbox

import (
	"sync"
	"sync/atomic"
	"time"
)

// A clock ends a child that has used up its time. Wall time runs only while the child is
// asked something; CPU time is the process's own, read from outside. A call costs two
// readings of the time and no timer: the timer is set to the earliest moment at which either
// limit can be reached, and when it fires too early, which is usual, it is set again.
type clock struct {
	child     *child
	wall, cpu time.Duration
	epoch     time.Time
	spent     atomic.Int64 // wall time of all questions answered, nanoseconds
	since     atomic.Int64 // when the present question was asked, nanoseconds after epoch; 0: none is
	expired   atomic.Bool

	mu    sync.Mutex
	timer *time.Timer   // guarded by mu; nil when stopped
	base  time.Duration // guarded by mu; CPU time that does not count
}

func startClock(c *child, wall, cpu time.Duration) *clock {
	k := &clock{child: c, epoch: time.Now().Add(-time.Nanosecond)}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wall, k.cpu = wall, cpu
	k.timer = time.AfterFunc(min(wall, cpu), k.check)
	return k
}

func (k *clock) begin() { k.since.Store(int64(time.Since(k.epoch))) }

func (k *clock) end() {
	k.spent.Add(int64(time.Since(k.epoch)) - k.since.Swap(0))
}

// check runs when a limit may have been reached.
func (k *clock) check() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.timer == nil {
		return
	}
	wall := time.Duration(k.spent.Load())
	if since := k.since.Load(); since > 0 {
		wall += time.Since(k.epoch) - time.Duration(since)
	}
	left := min(k.wall-wall, k.cpu-(k.child.cpuTime()-k.base))
	if left <= 0 {
		k.expired.Store(true)
		k.child.kill()
		return
	}
	k.timer.Reset(max(left, time.Millisecond))
}

// renew gives the child its full time again, for its next question.
func (k *clock) renew() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.spent.Store(0)
	k.base = k.child.cpuTime()
}

func (k *clock) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.timer != nil {
		k.timer.Stop()
		k.timer = nil
	}
}
