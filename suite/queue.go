package suite

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/pacebench/pacebench/record/journal"
)

// A queue gives out runs in their order. Those at which another process works are put back and
// come again later; one that is paired comes when its base is over, in this process. It is safe for
// concurrent use.
type queue struct {
	runs []*Planned

	mu      sync.Mutex
	open    []int             // runs not given out, in order
	again   map[int]time.Time // not before then
	waits   map[int]time.Duration
	changed chan struct{} // closed, and made anew, when something of the above changes
}

// A run that is locked is looked at again after a wait, which doubles. Our choice: a lab's file
// server should not notice.
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

// next waits for a run to work on. It is false when none is left or ctx has ended.
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

// take takes the first run that is ready, or says for how long there will be none; changed is nil
// where none is left.
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

// later puts a run back and says whether that is the first time.
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

// done says that a run is over, whether it worked or not.
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

// comesAgain reports whether a run's error means that another process works at it. A command about
// one run waits only until it knows that the other process is alive.
func (o Options) comesAgain(err error) bool {
	held, locked := errors.AsType[*journal.Held](err)
	return o.Patient && (locked || errors.Is(err, journal.ErrLost)) || locked && held.Unsure
}
