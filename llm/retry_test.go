package llm

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// failing returns a model that fails with the errors in turn, and gives a good answer for each nil
// and after the last error.
func failing(errs ...error) *Scripted {
	var asked atomic.Int64
	return &Scripted{Answer: func(_ context.Context, r Request) (Reply, error) {
		if n := int(asked.Add(1)); n <= len(errs) && errs[n-1] != nil {
			return Reply{}, errs[n-1]
		}
		return Reply{Text: "ok"}, nil
	}}
}

func repeat(err error, n int) []error { return slices.Repeat([]error{err}, n) }

func TestRetryWaits(t *testing.T) {
	busy := &Error{Kind: KindServer, Status: 503, Message: "busy"}
	for _, c := range []struct {
		name     string
		m        *Scripted
		least    time.Duration
		most     time.Duration
		attempts int
		err      string // "" is success
	}{
		{"no failure, no wait", failing(), 0, 0, 1, ""},
		{"waits grow from 1 s, half to one and a half", failing(repeat(busy, 3)...),
			3500 * time.Millisecond, 10500 * time.Millisecond, 4, ""},
		{"Retry-After is kept",
			failing(&Error{Kind: KindRate, Status: 429, RetryAfter: 20 * time.Second}),
			20 * time.Second, 20*time.Second + 255*time.Millisecond, 2, ""},
		{"a tiny Retry-After is lengthened",
			failing(&Error{Kind: KindRate, Status: 429, RetryAfter: time.Millisecond}),
			shortestWait, 2 * shortestWait, 2, ""},
		{"Retry-After beyond the deadline ends the call immediately", failing(&Error{
			Kind: KindRate, Status: 429, Message: "too many requests", RetryAfter: time.Hour,
		}), 0, 0, 1, "status 429: too many requests; " +
			"the server asks to wait 1h0m0s; gave up after 1 attempt in 0s"},
		{"a Retry-After of more than a day is not added to", failing(&Error{
			Kind: KindRate, Status: 429, Message: "too many requests", RetryAfter: math.MaxInt64,
		}), 0, 0, 1, "status 429: too many requests; " +
			"the server asks to wait more than a day; gave up after 1 attempt in 0s"},
		{"an error that is not ours is tried again", failing(errors.New("strange")),
			500 * time.Millisecond, 1500 * time.Millisecond, 2, ""},
		{"fatal ends immediately",
			failing(&Error{Kind: KindKey, Status: 401, Message: "the key is refused"}),
			0, 0, 1, "status 401: the key is refused"},
		{"the deadline ends it", failing(repeat(busy, 1000)...),
			9 * time.Minute, 10 * time.Minute, 0, "status 503: busy; gave up after"},
		{"connections fail after an answer: patience",
			failing(append([]error{busy}, repeat(&Error{Kind: KindConnection}, 8)...)...),
			time.Minute, 5 * time.Minute, 10, ""},
		{"connections fail from the start: little patience",
			failing(repeat(&Error{Kind: KindConnection, Message: "refused"}, 8)...),
			3 * time.Second, 11 * time.Second, 4, "refused; gave up after 4 attempts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, attempts := time.Now(), 0
				_, err := Watch(Retry(c.m, RetryConfig{}), func(e Event) {
					if e.Stage != StageSent {
						return
					}
					if attempts++; e.Attempt != attempts {
						t.Errorf("attempt %d is numbered %d", attempts, e.Attempt)
					}
				}).Complete(t.Context(), Request{Draw: 77})
				took := time.Since(start)
				if took < c.least || took > c.most {
					t.Errorf("took %s, want %s to %s", took, c.least, c.most)
				}
				if c.attempts != 0 && attempts != c.attempts {
					t.Errorf("%d attempts, want %d", attempts, c.attempts)
				}
				if c.err == "" && err != nil ||
					c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
					t.Errorf("error %v, want %q", err, c.err)
				}
			})
		})
	}
}

// TestRetryDeadline checks that no attempt begins after Timeout, and that the last attempt has its
// whole time.
func TestRetryDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &Scripted{Answer: func(ctx context.Context, r Request) (Reply, error) {
			<-ctx.Done()
			return Reply{}, ctx.Err()
		}}
		start := time.Now()
		config := RetryConfig{AttemptTimeout: time.Minute, Timeout: 150 * time.Second}
		_, err := Retry(m, config).Complete(t.Context(), Request{})
		if took := time.Since(start); took > 210*time.Second || took < 180*time.Second {
			t.Errorf("took %s", took)
		}
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindTimeout || errors.Is(err, ErrFatal) ||
			!strings.Contains(e.Hint(), "--request-timeout") ||
			!strings.Contains(err.Error(), "no answer within 1m0s") ||
			!strings.Contains(err.Error(), "gave up after 3 attempts") {
			t.Errorf("got %v", err)
		}
	})
}

func TestRetryIsCancelledWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		m := failing(&Error{Kind: KindRate, RetryAfter: time.Minute})
		_, err := Retry(m, RetryConfig{}).Complete(ctx, Request{})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 10*time.Second {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
	})
}

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		name string
		h    http.Header
		want time.Duration
	}{
		{"none", http.Header{}, 0},
		{"seconds", http.Header{"Retry-After": {"7"}}, 7 * time.Second},
		{"a part of a second", http.Header{"Retry-After": {" 0.25 "}}, 250 * time.Millisecond},
		{"milliseconds go first",
			http.Header{"Retry-After": {"7"}, "Retry-After-Ms": {"1500"}}, 1500 * time.Millisecond},
		{"a date", http.Header{"Retry-After": {"Fri, 02 Jan 2026 03:05:05 GMT"}}, time.Minute},
		{"a date that is past", http.Header{"Retry-After": {"Fri, 02 Jan 2026 03:00:05 GMT"}}, 0},
		{"nonsense", http.Header{"Retry-After": {"soon"}}, 0},
		{"infinite", http.Header{"Retry-After": {"inf"}}, longestWait},
		{"more than a day", http.Header{"Retry-After": {"86401"}}, longestWait},
		{"a day", http.Header{"Retry-After": {"86400"}}, 24 * time.Hour},
		{"milliseconds beyond a duration", http.Header{"Retry-After-Ms": {"1e30"}}, longestWait},
		{"a date in another age",
			http.Header{"Retry-After": {"Fri, 31 Dec 9999 23:59:59 GMT"}}, longestWait},
		{"a reset in another age", http.Header{
			"X-Ratelimit-Remaining-Tokens": {"0"}, "X-Ratelimit-Reset-Tokens": {"2400h"},
		}, longestWait},
		{"not a number", http.Header{"Retry-After": {"nan"}}, 0},
		{"twice, the first is nonsense",
			http.Header{"Retry-After": {"soon", "3"}}, 3 * time.Second},
		{"an exhausted rate", http.Header{
			"X-Ratelimit-Remaining-Requests": {"0"}, "X-Ratelimit-Reset-Requests": {"6m0s"},
			"X-Ratelimit-Remaining-Tokens": {"5"}, "X-Ratelimit-Reset-Tokens": {"1h"},
		}, 6 * time.Minute},
	} {
		if got := retryAfter(c.h, now); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
