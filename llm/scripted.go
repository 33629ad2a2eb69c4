package llm

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pacebench/pacebench/internal/plain"
)

// Scripted is the fake model for tests: it answers from a function, remembers the requests, and is
// safe for concurrent use. Make one with NewScripted, or set Answer for replies with errors, delays
// or custom token counts.
type Scripted struct {
	// Answer makes the reply. It may be called concurrently.
	Answer func(ctx context.Context, r Request) (Reply, error)

	mu       sync.Mutex
	requests []Request // guarded by mu
}

var _ Model = (*Scripted)(nil)

// NewScripted returns a model that answers every request with the result of reply. It calls reply
// for one request at a time, so reply may keep state; but concurrent requests have no fixed order.
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

// Complete remembers the request and answers it. If ctx is cancelled, it returns the error of ctx.
func (s *Scripted) Complete(ctx context.Context, r Request) (Reply, error) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	return s.Answer(ctx, r)
}

// Requests returns the requests so far, in the order of the calls.
func (s *Scripted) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ScriptedFile returns a model that answers from a txtar file, for tests of the command line. The
// name of a section, up to its first space, says which requests the section answers: a purpose
// ("algorithm/P1"), a role ("algorithm"), or "any"; the most specific wins. If several sections
// have the same name, the request's Draw chooses, so the answers do not depend on which request
// comes first.
func ScriptedFile(path string) (*Scripted, error) {
	data, err := plain.Read(path, plain.Small)
	if err != nil {
		return nil, err
	}
	answers := map[string][]string{}
	for _, f := range txtar.Parse(data).Files {
		name, _, _ := strings.Cut(f.Name, " ")
		answers[name] = append(answers[name], string(f.Data))
	}
	if len(answers) == 0 {
		return nil, fmt.Errorf("%s: contains no section of the form \"-- algorithm/P1 --\"", path)
	}
	base := filepath.Base(path)
	return &Scripted{Answer: func(_ context.Context, r Request) (Reply, error) {
		for _, name := range []string{string(r.Purpose), r.Purpose.Role(), "any"} {
			if texts := answers[name]; len(texts) > 0 {
				return scriptedReply(r, texts[r.Draw%uint64(len(texts))]), nil
			}
		}
		return Reply{}, fmt.Errorf("scripted: %w: %s has no section %q, %q or \"any\"",
			ErrFatal, base, r.Purpose, r.Purpose.Role())
	}}, nil
}
