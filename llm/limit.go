package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pacebench/pacebench/internal/plain"
)

// Limits bound the requests to one server. Values below 1 mean no limit. Limits change how long a
// run takes, never what it finds.
type Limits struct {
	Concurrency       int // concurrent calls, in this process
	RequestsPerMinute int // attempts started in any 60 seconds, evenly spaced
	// TokensPerMinute bounds the prompt and completion tokens in the long run. A burst is at most a
	// sixth of it, or one request.
	TokensPerMinute int
}

// A Limiter enforces the limits of one server for all its models. Make one with NewLimiter.
type Limiter struct {
	limits   Limits
	slots    chan struct{} // nil: no limit
	requests chan struct{} // held while waiting to send a request: first come, first served
	tokens   chan struct{} // held while waiting for tokens
	meter    meter
	opened   time.Time
}

// NewLimiter makes a limiter. Processes of this machine that name the same file share the limits
// per minute, and the errors that end the calls of all processes (tellOthers). If file is "", the
// limiter is for this process only.
func NewLimiter(l Limits, file string) *Limiter {
	lim := &Limiter{
		limits: l, requests: make(chan struct{}, 1), tokens: make(chan struct{}, 1),
		meter: meter{path: file}, opened: time.Now(),
	}
	if l.Concurrency > 0 {
		lim.slots = make(chan struct{}, l.Concurrency)
	}
	return lim
}

// Limit delays the calls of m until they are within the limits, together with the calls of the
// limiter's other models. Every attempt of a Retry inside m counts as a request.
func (l *Limiter) Limit(m Model) Model { return &limited{m, l} }

// expectedCompletion is the number of tokens reserved for an answer until its usage is known: a
// heuristic and a sentence about it take about 500.
const expectedCompletion = 500

type limited struct {
	Model
	*Limiter
}

// Complete waits for its turn and asks the model. If ctx ends while it waits, it gives back
// everything that it reserved.
func (m *limited) Complete(ctx context.Context, r Request) (Reply, error) {
	if m.slots != nil {
		select {
		case m.slots <- struct{}{}:
			defer func() { <-m.slots }()
		case <-ctx.Done():
			return Reply{}, m.waiting(ctx.Err())
		}
	}
	reserved := 0
	if m.limits.TokensPerMinute > 0 {
		completion := expectedCompletion
		if r.MaxTokens > 0 {
			completion = min(completion, r.MaxTokens)
		}
		reserved = EstimateUsage(m.Name(), r, "").Prompt + completion
		if err := m.takeTokens(ctx, reserved); err != nil {
			return Reply{}, m.waiting(err)
		}
	}
	used := 0 // stays 0 for a call without a reply
	if reserved > 0 {
		// If the meter cannot be changed, the reservation stays.
		defer func() {
			_ = m.meter.change(func(s *measure) { s.Tokens += float64(reserved - used) })
		}()
	}
	if err := m.waitRequest(ctx); err != nil {
		return Reply{}, m.waiting(err)
	}
	r.call().limit = m
	reply, err := m.Model.Complete(ctx, r)
	if err == nil {
		used = reply.Usage.Total()
	}
	m.tellOthers(err)
	return reply, err
}

// waiting adds the model's name to an error that occurred before the server was asked.
func (m *limited) waiting(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		own := *e
		own.Model = m.Name()
		return &own
	}
	return fmt.Errorf("%s: waiting for the limits on requests and tokens: %w", m.Name(), err)
}

// lateness is how late a request may start without delaying the schedule of the next requests.
// Without it, a limit of 6000 requests a minute would become 5000, because timers are late.
const lateness = 20 * time.Millisecond

func (m *limited) waitRequest(ctx context.Context) error {
	if m.limits.RequestsPerMinute <= 0 {
		if s := m.meter.stopped(); s.since(m.opened) {
			return s.error()
		}
		return nil
	}
	every := time.Minute / time.Duration(m.limits.RequestsPerMinute)
	return m.await(ctx, m.requests, func(s *measure, now time.Time) time.Duration {
		// If the clock was set back, Next may be hours away. No request waits longer than the
		// interval between two requests.
		next := s.Next
		if next.Sub(now) > every {
			next = now.Add(every)
		}
		if wait := next.Sub(now); wait > 0 {
			return wait
		}
		if late := now.Add(-min(every/2, lateness)); next.Before(late) {
			next = now
		}
		s.Next = next.Add(every)
		return 0
	})
}

// takeTokens waits until n tokens may be used. If n exceeds a burst, it waits until the bucket is
// full, and the next calls wait for the excess.
func (m *limited) takeTokens(ctx context.Context, n int) error {
	perSecond := float64(m.limits.TokensPerMinute) / 60
	burst := max(1, 10*perSecond)
	return m.await(ctx, m.tokens, func(s *measure, now time.Time) time.Duration {
		if s.Filled.IsZero() {
			s.Tokens = burst
		} else if since := now.Sub(s.Filled); since > 0 {
			s.Tokens += since.Seconds() * perSecond
		}
		s.Filled, s.Tokens = now, min(s.Tokens, burst)
		if lacks := min(float64(n), burst) - s.Tokens; lacks > 0 {
			return max(time.Millisecond, time.Duration(lacks/perSecond*float64(time.Second)))
		}
		s.Tokens -= float64(n)
		return 0
	})
}

// await waits for its turn and then repeats ask until ask returns no further wait. If ctx ends
// first, await uses up nothing.
func (m *limited) await(ctx context.Context, turn chan struct{},
	ask func(s *measure, now time.Time) time.Duration) error {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		var wait time.Duration
		var stopped *stop
		err := m.meter.change(func(s *measure) {
			if stopped = s.Stopped; !stopped.since(m.opened) {
				stopped, wait = nil, ask(s, time.Now())
			}
		})
		switch {
		case err != nil:
			return err
		case stopped != nil:
			return stopped.error()
		case wait <= 0:
			return nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tellOthers tells the other processes about an error that they would get, too: the quota of the
// key is used up, or the server asks for a long wait.
func (m *limited) tellOthers(err error) {
	e, ok := errors.AsType[*Error](err)
	used := ok && e.Kind == KindQuota && e.Status != 0 // not this command's own --max-usd
	if !used && (!ok || e.Kind != KindRate || e.RetryAfter < defaultTimeout) {
		return
	}
	// If the change fails, each process gets the error from the server.
	_ = m.meter.change(func(s *measure) {
		s.Stopped = &stop{time.Now(), os.Getpid(), e.Error(), e.Advice}
	})
}

// A measure is the state of the limits.
type measure struct {
	Next    time.Time `json:"next"`   // when the next request may start
	Tokens  float64   `json:"tokens"` // tokens that may be used; negative: overdrawn
	Filled  time.Time `json:"filled"` // when Tokens were counted; zero: never
	Stopped *stop     `json:"stopped,omitempty"`
}

// A stop is an error that ends the calls of all processes: see tellOthers.
type stop struct {
	At      time.Time `json:"at"`
	PID     int       `json:"pid"` // of the process that got the error
	Message string    `json:"error"`
	Advice  string    `json:"hint,omitempty"`
}

// since reports whether the stop occurred after t. Processes that begin later try again.
func (s *stop) since(t time.Time) bool { return s != nil && s.At.After(t) }

func (s *stop) error() error {
	text := s.Message
	if s.PID != os.Getpid() {
		text = fmt.Sprintf("process %d reports: %s", s.PID, text)
	}
	return &Error{Kind: KindQuota, Message: text, Advice: s.Advice}
}

// A meter keeps a measure, either for this process or in a file that the processes of one machine
// share. Processes of one machine use the same clock.
type meter struct {
	path string // "": not shared

	mu  sync.Mutex
	own measure // guarded by mu
}

func (m *meter) change(f func(*measure)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" {
		f(&m.own)
		return nil
	}
	if err := plain.MkdirAll(filepath.Dir(m.path)); err != nil {
		return err
	}
	file, err := plain.Open(m.path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return err
	}
	defer file.Close()
	release, err := plain.Hold(file) // only while a line is written
	if err != nil {
		return err
	}
	defer release()
	now := m.read()
	f(&now)
	data, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err = file.WriteAt(append(data, '\n'), 0)
	return err
}

// stopped returns the error in the shared file, or nil without a file, because the caller knows the
// errors of its own process.
func (m *meter) stopped() *stop {
	if m.path == "" {
		return nil
	}
	return m.read().Stopped
}

// read reads the file; a missing or torn file starts a new count.
func (m *meter) read() (now measure) {
	data, err := plain.Read(m.path, plain.Small)
	if err != nil || json.Unmarshal(data, &now) != nil {
		return measure{}
	}
	return now
}
