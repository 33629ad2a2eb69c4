package llm

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// all sends a request n times concurrently and returns the errors.
func all(ctx context.Context, m Model, n int, r Request) error {
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() { _, errs[i] = m.Complete(ctx, r) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func TestConcurrencyLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		under, most := 0, 0
		m := &Scripted{Answer: func(context.Context, Request) (Reply, error) {
			mu.Lock()
			under++
			most = max(most, under)
			mu.Unlock()
			<-time.After(time.Second)
			mu.Lock()
			under--
			mu.Unlock()
			return Reply{}, nil
		}}
		start := time.Now()
		lim := NewLimiter(Limits{Concurrency: 3}, "").Limit(m)
		must.Do(t, all(t.Context(), lim, 10, Request{}))
		if most != 3 || time.Since(start) != 4*time.Second {
			t.Errorf("%d concurrently, %s", most, time.Since(start))
		}
	})
}

// TestRequestLimitCountsAttempts checks that no 60 seconds contain more attempts than the limit,
// including repeated attempts.
func TestRequestLimitCountsAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var times []time.Time
		m := &Scripted{Answer: func(context.Context, Request) (Reply, error) {
			mu.Lock()
			defer mu.Unlock()
			times = append(times, time.Now())
			if len(times)%3 == 0 {
				return Reply{}, &Error{Kind: KindServer, Status: 500}
			}
			return Reply{}, nil
		}}
		lim := NewLimiter(Limits{RequestsPerMinute: 20}, "").Limit(Retry(m, RetryConfig{}))
		must.Do(t, all(t.Context(), lim, 60, Request{}))
		if len(times) != 89 { // every third attempt fails: 89 attempts include 60 successes
			t.Errorf("%d attempts", len(times))
		}
		for i := 20; i < len(times); i++ {
			gap := times[i].Sub(times[i-20])
			if gap < time.Minute-time.Microsecond {
				t.Errorf("21 attempts within %s", gap)
				break
			}
		}
	})
}

func TestTokenLimit(t *testing.T) {
	for _, c := range []struct {
		name string
		used int // tokens of one call; 501 are expected for the one-letter prompt
	}{
		{"as expected", 501}, {"less than expected", 101}, {"more than expected", 2001},
		{"far more than the burst", 9001},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &Scripted{Answer: func(context.Context, Request) (Reply, error) {
					return Reply{Usage: Usage{Prompt: 1, Completion: c.used - 1}}, nil
				}}
				lim := NewLimiter(Limits{TokensPerMinute: 6000, Concurrency: 1}, "").Limit(m)
				start := time.Now()
				const calls = 50
				for range calls {
					ask(t, lim, Request{User: Text("x")})
				}
				// The limit is 100 tokens a second. The burst needs no wait, and the last call's
				// tokens delay no other call.
				want := time.Duration(calls*c.used) * 10 * time.Millisecond
				slack := time.Duration(1000+max(c.used, 501)) * 10 * time.Millisecond
				if took := time.Since(start); took < want-slack || took > want+slack {
					t.Errorf("%d calls of %d tokens took %s, want %s within %s",
						calls, c.used, took, want, slack)
				}
			})
		})
	}
}

func TestCancelledWaitGivesEverythingBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &Scripted{Answer: func(context.Context, Request) (Reply, error) {
			return Reply{Usage: Usage{Prompt: 1, Completion: 500}}, nil
		}}
		// A burst has 100 tokens.
		limits := Limits{Concurrency: 1, RequestsPerMinute: 60, TokensPerMinute: 600}
		lim := NewLimiter(limits, "").Limit(m)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := all(ctx, lim, 5, Request{User: Text("x")})
		if err == nil || !strings.Contains(err.Error(), "waiting for the limits") {
			t.Fatalf("got %v", err)
		}
		if n := len(m.Requests()); n != 1 {
			t.Fatalf("%d requests were made, want 1: the second must wait for 501 tokens", n)
		}
		start := time.Now()
		ask(t, lim, Request{User: Text("x")})
		if took := time.Since(start); took < 48*time.Second || took > 50*time.Second {
			t.Errorf("the next call waited %s", took)
		}
	})
}

// TestALimitIsShared checks that the models of one limiter share its limits, and that two limiters
// with the same file share them, too, like two processes.
func TestALimitIsShared(t *testing.T) {
	limits := Limits{RequestsPerMinute: 60, TokensPerMinute: 60000}
	for _, file := range []string{"", filepath.Join(t.TempDir(), "limits", "host.json")} {
		synctest.Test(t, func(t *testing.T) {
			one := NewLimiter(limits, file)
			two := one
			if file != "" {
				two = NewLimiter(limits, file)
			}
			start := time.Now()
			var wg sync.WaitGroup
			for _, m := range []Model{one.Limit(failing()), two.Limit(failing())} {
				wg.Go(func() {
					if err := all(t.Context(), m, 5, Request{User: Text("x")}); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			took := time.Since(start)
			if took < 9*time.Second || took > 9*time.Second+time.Millisecond {
				t.Errorf("10 requests took %s", took)
			}
		})
	}
}

// TestAQuotaEndsAllProcesses checks that an exhausted quota ends all running processes, and that
// later processes ask again.
func TestAQuotaEndsAllProcesses(t *testing.T) {
	for _, limits := range []Limits{{}, {RequestsPerMinute: 6000, TokensPerMinute: 6e6}} {
		synctest.Test(t, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "host.json")
			poor := &Scripted{Answer: func(context.Context, Request) (Reply, error) {
				return Reply{}, &Error{
					Kind: KindQuota, Model: "m", Status: 429, Message: "used up", Advice: "pay",
				}
			}}
			good := failing()
			a, b := NewLimiter(limits, file).Limit(poor), NewLimiter(limits, file).Limit(good)
			ask(t, b, Request{})
			time.Sleep(time.Second)
			if _, err := a.Complete(t.Context(), Request{}); !errors.Is(err, ErrFatal) {
				t.Fatal(err)
			}
			_, err := b.Complete(t.Context(), Request{})
			e, _ := errors.AsType[*Error](err)
			if e == nil || e.Kind != KindQuota || e.Advice != "pay" ||
				!strings.Contains(e.Message, "used up") {
				t.Errorf("the other process: %v", err)
			}
			if n := len(good.Requests()); n != 1 {
				t.Errorf("the other process made %d requests, want 1", n)
			}
			time.Sleep(time.Second)
			ask(t, NewLimiter(limits, file).Limit(good), Request{}) // a later process
		})
	}
}

// TestATornMeterIsMadeAnew uses the file of a process that was killed while writing.
func TestATornMeterIsMadeAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "host.json")
	must.Write(t, file, `{"next":"20`)
	m := NewLimiter(Limits{RequestsPerMinute: 60000}, file).Limit(failing())
	must.Do(t, all(t.Context(), m, 3, Request{}))
}
