package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/pacebench/pacebench/internal/hint"
)

// RetryConfig sets the deadlines and pauses of Retry. The zero value is ready to use.
type RetryConfig struct {
	// Timeout is the time in which attempts of a call may begin. 0: 10 minutes or five times
	// AttemptTimeout, whichever is longer.
	Timeout time.Duration
	// AttemptTimeout bounds one attempt, including the body. 0: 2 minutes.
	AttemptTimeout time.Duration
	// FirstWait and MaxWait bound the growing wait between attempts; a server's Retry-After has
	// priority. 0: 1 s and 30 s.
	FirstWait, MaxWait time.Duration
}

const (
	defaultAttemptTimeout = 2 * time.Minute
	defaultTimeout        = 10 * time.Minute
	// firstContactTries is the number of attempts if the server was never reached, so that a
	// mistyped address is reported in less than ten minutes.
	firstContactTries = 4
	// shortestWait is the shortest pause after a Retry-After, which may be a few milliseconds.
	shortestWait = 500 * time.Millisecond
	// longestWait replaces every pause of more than a day, because a server may name a pause that a
	// time.Duration cannot hold. No request waits that long.
	longestWait = 24*time.Hour + 1
)

// Retry repeats a request to m while its errors are temporary and Timeout is not over. A failed
// attempt yields no Reply; the purse counts it if the server may charge for it. An error that wraps
// ErrFatal ends the call immediately. Limits belong around Retry, not inside: l.Limit(Retry(m, c))
// counts every attempt, and the time in its queue does not count as an attempt's time.
func Retry(m Model, c RetryConfig) Model {
	c.AttemptTimeout = cmp.Or(c.AttemptTimeout, defaultAttemptTimeout)
	c.Timeout = cmp.Or(c.Timeout, max(defaultTimeout, 5*c.AttemptTimeout))
	c.FirstWait = cmp.Or(c.FirstWait, time.Second)
	c.MaxWait = cmp.Or(c.MaxWait, max(30*time.Second, c.FirstWait))
	return &retrying{Model: m, c: c}
}

type retrying struct {
	Model
	c       RetryConfig
	reached atomic.Bool // the server has answered at least once, with any status
}

// Complete asks until there is a reply, verdict ends the attempts, or no time is left.
func (m *retrying) Complete(ctx context.Context, r Request) (Reply, error) {
	c, watch := m.c, r.call()
	call, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	start, tries := time.Now(), 0
	var last error
	wait := &backoff.ExponentialBackOff{
		InitialInterval: c.FirstWait, MaxInterval: c.MaxWait, Multiplier: 2,
		RandomizationFactor: backoff.DefaultRandomizationFactor,
	}
	reply, err := backoff.Retry(call, func() (Reply, error) {
		if tries > 0 && watch.limit != nil {
			if err := watch.limit.waitRequest(call); err != nil {
				if errors.Is(err, ErrFatal) { // another process reported the error
					last = err
				}
				return Reply{}, backoff.Permanent(last)
			}
		}
		tries++
		// An attempt always has its whole time: a reply that is cut off may still cost money.
		reply, err := m.attempt(ctx, r, tries)
		if err == nil {
			return reply, nil
		}
		last = err
		if refused := watch.failed(ctx, err); refused != nil {
			last = refused
			return Reply{}, backoff.Permanent(refused)
		}
		return Reply{}, m.verdict(err, r, tries)
	}, backoff.WithBackOff(wait), backoff.WithMaxElapsedTime(c.Timeout),
		backoff.WithNotify(func(_ error, pause time.Duration) {
			watch.tell(StageWaiting, pause, last)
		}))
	switch {
	case err == nil:
		return reply, nil
	case ctx.Err() != nil:
		return Reply{}, fmt.Errorf("%s: %w", m.Name(), context.Cause(ctx))
	case errors.Is(last, ErrFatal):
		return Reply{}, last
	}
	return Reply{}, m.gaveUp(last, tries, time.Since(start))
}

func (m *retrying) attempt(ctx context.Context, r Request, number int) (Reply, error) {
	attempt, cancel := context.WithTimeout(ctx, m.c.AttemptTimeout)
	defer cancel()
	r.Call.event.Attempt = number
	r.Call.tell(StageSent, 0, nil)
	start := time.Now()
	reply, err := m.Model.Complete(attempt, r)
	took := time.Since(start)
	if err != nil && !errors.Is(err, ErrFatal) &&
		errors.Is(attempt.Err(), context.DeadlineExceeded) {
		err = &Error{Kind: KindTimeout, Model: m.Name(), Billed: true,
			Message: fmt.Sprintf("no answer within %s", took.Round(time.Millisecond)),
			Advice: fmt.Sprintf("raise --request-timeout (%s for one attempt), or lower "+
				"--max-tokens; %s", m.c.AttemptTimeout, resumeAdvice)}
	}
	if e, ok := errors.AsType[*Error](err); err == nil || ok && e.Status != 0 {
		m.reached.Store(true)
	}
	return reply, err
}

// verdict decides whether and when backoff tries again.
func (m *retrying) verdict(err error, r Request, tries int) error {
	switch e, isOurs := errors.AsType[*Error](err); {
	case errors.Is(err, ErrFatal), isOurs && e.RetryAfter >= longestWait:
		return backoff.Permanent(err)
	case isOurs && e.Kind == KindConnection && !m.reached.Load() && tries >= firstContactTries:
		return backoff.Permanent(err)
	case isOurs && e.RetryAfter > 0:
		// Requests that were refused together must not return together, so the draw spreads them.
		spread := time.Duration(r.Draw%256) * time.Millisecond
		return &backoff.RetryAfterError{Duration: max(e.RetryAfter, shortestWait) + spread}
	}
	return err
}

const resumeAdvice = "finished steps are kept: run the same command again to continue"

// gaveUp returns the last error with the number of attempts and the time that they took. It is not
// fatal: a later run may succeed.
func (m *retrying) gaveUp(last error, tries int, took time.Duration) error {
	suffix := fmt.Sprintf("; gave up after %s in %s",
		hint.Counted(tries, "attempt"), took.Round(time.Second))
	e, ok := errors.AsType[*Error](last)
	if !ok {
		return fmt.Errorf("%w%s", last, suffix)
	}
	given := *e
	switch {
	case e.RetryAfter >= longestWait:
		given.Message += "; the server asks to wait more than a day"
	case e.RetryAfter > 0:
		given.Message += fmt.Sprintf("; the server asks to wait %s", e.RetryAfter)
	}
	given.Message += suffix
	if given.Advice == "" {
		given.Advice = resumeAdvice
	}
	return &given
}
