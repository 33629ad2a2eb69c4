package suite

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/pacebench/pacebench/record/journal"
)

// A queue gives out runs in order. A run that another process works on returns to the queue and is
// tried again later. A paired run waits until its base is over. A queue is safe for concurrent use.
type queue struct {
	runs []*Planned

	mu      sync.Mutex
	open    []int             // runs to give out, in order
	again   map[int]time.Time // earliest time of the next try
	waits   map[int]time.Duration
	changed chan struct{} // closed and replaced when a run returns or is over
}

// The queue tries a locked run again after a wait, which doubles from firstLook to longLook. Such
// rare attempts do not burden a shared file server.
const (
	firstLook = time.Second
	longLook  = 15 * time.Second
)

func newQueue(runs []*Planned) *queue {
	q := &queue{
		runs: runs, again: map[int]time.Time{}, waits: map[int]time.Duration{},
		changed: make(chan struct{}),
	}
	for i := range runs {
		q.open = append(q.open, i)
	}
	return q
}

// next waits for a run to work on. It returns false when no run is left or ctx has ended.
func (q *queue) next(ctx context.Context) (int, bool) {
	for ctx.Err() == nil {
		i, wait, changed := q.take()
		if i >= 0 || changed == nil {
			return i, i >= 0
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
		}
		timer.Stop()
	}
	return -1, false
}

// take takes the first run that is ready. If no run is ready, it returns the time to wait and the
// channel changed. If no run is left, changed is nil.
func (q *queue) take() (i int, wait time.Duration, changed chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.open) == 0 {
		return -1, 0, nil
	}
	wait = longLook
	for at, i := range q.open {
		if base := q.runs[i].Base; base != nil && !base.over {
			continue
		}
		if left := time.Until(q.again[i]); left > 0 {
			wait = min(wait, left)
			continue
		}
		q.open = slices.Delete(q.open, at, at+1)
		return i, 0, q.changed
	}
	return -1, wait, q.changed
}

// later puts a run back, and reports whether this is the first time.
func (q *queue) later(i int) (first bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, again := q.waits[i]
	q.waits[i] = max(firstLook, min(2*q.waits[i], longLook))
	q.again[i] = time.Now().Add(q.waits[i])
	at, _ := slices.BinarySearch(q.open, i)
	q.open = slices.Insert(q.open, at, i)
	q.tell()
	return !again
}

// done records that a run is over, with its error if it failed.
func (q *queue) done(i int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.runs[i].over, q.runs[i].err = true, err
	q.tell()
}

func (q *queue) tell() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// comesAgain reports whether to try a run again later, because its error means that another process
// works on it. A command for one run tries again only until it knows that the other process is
// alive.
func (o Options) comesAgain(err error) bool {
	held, locked := errors.AsType[*journal.Held](err)
	return o.Patient && (locked || errors.Is(err, journal.ErrLost)) || locked && held.Unsure
}
