package llm

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what is asked of one server. 0 means no limit. They change how long a run
// takes, never what it finds.
type Limits struct {
	Concurrency       int // calls under way at once
	RequestsPerMinute int // attempts started in any 60 seconds; they are spaced evenly
	TokensPerMinute   int // prompt and completion tokens, in the long run; a burst is at most a sixth of it
}

// A Limiter keeps the limits of one server for all models behind it. Make one with NewLimiter.
type Limiter struct {
	limits   Limits
	slots    chan struct{} // nil: no limit
	requests *rate.Limiter // nil: no limit
	tokens   *tokenBucket  // nil: no limit
}

// NewLimiter makes a limiter. Negative limits are an error of every call.
func NewLimiter(l Limits) *Limiter {
	lim := &Limiter{limits: l}
	if l.Concurrency > 0 {
		lim.slots = make(chan struct{}, l.Concurrency)
	}
	if l.RequestsPerMinute > 0 {
		lim.requests = rate.NewLimiter(rate.Limit(float64(l.RequestsPerMinute)/60), 1)
	}
	if l.TokensPerMinute > 0 {
		lim.tokens = newTokenBucket(l.TokensPerMinute)
	}
	return lim
}

// Limit holds the calls of m back until they are within the limits, together with those of
// the limiter's other models. Every attempt of a Retry inside it counts as a request.
func (l *Limiter) Limit(m Model) Model { return &limited{m, l} }

// Limit holds the calls of m back until they are within limits of their own.
func Limit(m Model, l Limits) Model { return NewLimiter(l).Limit(m) }

type limited struct {
	m Model
	*Limiter
}

func (m *limited) Name() string { return m.m.Name() }

func (m *limited) check() error {
	for _, f := range []struct {
		name string
		n    int
	}{{"concurrency", m.limits.Concurrency}, {"requests per minute", m.limits.RequestsPerMinute}, {"tokens per minute", m.limits.TokensPerMinute}} {
		if f.n < 0 {
			return &Error{Kind: KindRequest, Model: m.Name(), Message: fmt.Sprintf("the limit on %s is negative: %d", f.name, f.n)}
		}
	}
	return nil
}

// Complete waits for its turn and asks. A ctx that ends while it waits gives everything back.
func (m *limited) Complete(ctx context.Context, r Request) (Reply, error) {
	if err := m.check(); err != nil {
		return Reply{}, err
	}
	if m.slots != nil {
		select {
		case m.slots <- struct{}{}:
			defer func() { <-m.slots }()
		case <-ctx.Done():
			return Reply{}, m.waiting(ctx.Err())
		}
	}
	reserved := 0
	if m.tokens != nil {
		reserved = expectedTokens(m.Name(), r)
		if err := m.tokens.take(ctx, reserved); err != nil {
			return Reply{}, m.waiting(err)
		}
	}
	used := 0 // a call without a reply has used nothing that can be known
	if m.tokens != nil {
		defer func() { m.tokens.settle(reserved, used) }()
	}
	if err := m.waitRequest(ctx); err != nil {
		return Reply{}, m.waiting(err)
	}
	reply, err := m.m.Complete(context.WithValue(ctx, limiterKey{}, m), r)
	if err == nil {
		used = reply.Usage.Total()
	}
	return reply, err
}

func (m *limited) waiting(err error) error {
	return fmt.Errorf("%s: waiting for the request limit: %w", m.Name(), err)
}

func (m *limited) waitRequest(ctx context.Context) error {
	if m.requests == nil {
		return nil
	}
	return m.requests.Wait(ctx)
}

// limiterKey finds the Limit around a Retry.
type limiterKey struct{}

// waitAgain holds a second or later attempt back until the limit around it allows one more request.
func waitAgain(ctx context.Context) error {
	if m, ok := ctx.Value(limiterKey{}).(*limited); ok {
		return m.waitRequest(ctx)
	}
	return nil
}

// expectedCompletion is what an answer is taken to cost before it is known. Ours: a heuristic with
// a sentence about it.
const expectedCompletion = 500

// expectedTokens is the reservation for a request, corrected when its usage is known.
func expectedTokens(model string, r Request) int {
	completion := expectedCompletion
	if r.MaxTokens > 0 {
		completion = min(completion, r.MaxTokens)
	}
	return EstimateUsage(model, r, "").Prompt + completion
}

// A tokenBucket is a rate.Limiter that can be corrected afterwards.
type tokenBucket struct {
	limiter *rate.Limiter
	burst   int

	mu     sync.Mutex
	credit int // guarded by mu; tokens that were reserved and not used, at most burst
}

func newTokenBucket(perMinute int) *tokenBucket {
	burst := max(1, perMinute/6)
	return &tokenBucket{limiter: rate.NewLimiter(rate.Limit(float64(perMinute)/60), burst), burst: burst}
}

// take waits for n tokens. More than the burst are waited for in pieces, since WaitN refuses them
// at once.
func (b *tokenBucket) take(ctx context.Context, n int) error {
	b.mu.Lock()
	saved := min(b.credit, n)
	b.credit -= saved
	b.mu.Unlock()
	for left := n - saved; left > 0; {
		piece := min(left, b.burst)
		if err := b.limiter.WaitN(ctx, piece); err != nil {
			b.giveBack(n - left)
			return err
		}
		left -= piece
	}
	return nil
}

// settle corrects a reservation: what was used beyond it is owed by the next calls.
func (b *tokenBucket) settle(reserved, used int) {
	if used <= reserved {
		b.giveBack(reserved - used)
		return
	}
	now := time.Now()
	for owed := used - reserved; owed > 0; {
		piece := min(owed, b.burst)
		b.limiter.ReserveN(now, piece)
		owed -= piece
	}
}

func (b *tokenBucket) giveBack(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.credit = min(b.credit+n, b.burst)
}
