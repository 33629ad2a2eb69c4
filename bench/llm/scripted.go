package llm

import (
	"context"
	"slices"
	"sync"
)

// Scripted is the fake model for tests: it answers from a function, remembers what it was
// asked, and is safe for concurrent use. Make one with NewScripted, or set Answer for replies with
// errors, delays or token counts of one's own.
type Scripted struct {
	// Answer makes the reply. It may be called by several goroutines at once.
	Answer func(ctx context.Context, r Request) (Reply, error)

	mu       sync.Mutex
	requests []Request // guarded by mu
}

var _ Model = (*Scripted)(nil)

// NewScripted answers every request with the text that reply returns. Calls of reply are
// made one at a time, so it may keep state; but under concurrency their order is not fixed.
func NewScripted(reply func(r Request) string) *Scripted {
	var mu sync.Mutex
	return &Scripted{Answer: func(_ context.Context, r Request) (Reply, error) {
		mu.Lock()
		defer mu.Unlock()
		return scriptedReply(r, reply(r)), nil
	}}
}

func scriptedReply(r Request, text string) Reply {
	return Reply{Text: text, Model: "scripted", Finish: "stop", Usage: EstimateUsage("", r, text)}
}

// Name is "scripted".
func (s *Scripted) Name() string { return "scripted" }

// Complete remembers the request and answers it; a cancelled ctx is an error first.
func (s *Scripted) Complete(ctx context.Context, r Request) (Reply, error) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	return s.Answer(ctx, r)
}

// Requests returns what was asked so far, in the order of the calls.
func (s *Scripted) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}
