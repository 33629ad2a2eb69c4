package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

const testKey = "sk-test-0123456789abcdefKEY"

// echo answers with the prompt and the draw, so that a reply shows which request it belongs to.
func echo() *llm.Scripted {
	return llm.NewScripted(func(r llm.Request) string {
		return fmt.Sprintf("%s #%d", r.User[0].Text, r.Draw)
	})
}

// client returns the real client of a server, with short waits between attempts. An attempt may
// take two minutes, so it times out only on a virtual clock.
func client(t *testing.T, base string) llm.Model { return clientOver(t, base, nil) }

// open makes a client that is closed when the test ends.
func open(t *testing.T, c llm.Config) *llm.OpenAI {
	t.Helper()
	m, err := llm.NewOpenAI(c)
	must.Do(t, err)
	t.Cleanup(func() { m.Close() })
	return m
}

func clientOver(t *testing.T, base string, transport http.RoundTripper) llm.Model {
	t.Helper()
	m := open(t, llm.Config{Model: "m", BaseURL: base, Key: testKey, Transport: transport})
	return llm.Retry(m, llm.RetryConfig{
		Timeout: 10 * time.Minute, AttemptTimeout: 2 * time.Minute,
		FirstWait: time.Millisecond, MaxWait: 4 * time.Millisecond,
	})
}

func ask(text string, draw uint64) llm.Request {
	return llm.Request{Purpose: "algorithm/P1", User: llm.Text(text), Temperature: 1, Draw: draw}
}

// TestFaultsThatPass checks temporary faults, each of which needs one more attempt, and unusual
// answers, which need no further attempt.
func TestFaultsThatPass(t *testing.T) {
	type faults = []llmtest.Fault
	type kinds = []llm.Kind
	for _, c := range []struct {
		name   string
		faults faults
		kinds  kinds // of the failed attempts; timeouts are on a virtual clock
	}{
		{"429", faults{llmtest.RateLimited("0.01")}, kinds{llm.KindRate}},
		{"temporary statuses", faults{
			llmtest.Status(500, "server_error", "oops"), llmtest.Page(502),
			llmtest.Body(503, "text/plain", "busy"), llmtest.Status(529, "overloaded", ""),
			llmtest.Body(408, "text/plain", ""), llmtest.Body(409, "text/plain", ""),
		}, slices.Repeat(kinds{llm.KindServer}, 6)},
		{"cut before the first byte", faults{llmtest.Drop()}, kinds{llm.KindConnection}},
		{"cut in the middle of the body", faults{llmtest.Cut()}, kinds{llm.KindConnection}},
		{"hang", faults{llmtest.Hang()}, kinds{llm.KindTimeout}},
		{"hang in the body", faults{llmtest.HangInBody()}, kinds{llm.KindTimeout}},
		{"too slow a body", faults{llmtest.Slow(1000, 5*time.Second)}, kinds{llm.KindTimeout}},
		{"text/html around JSON", faults{llmtest.As("text/html")}, nil},
		{"a slow body", faults{llmtest.Slow(3, time.Millisecond)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if slices.Contains(c.kinds, llm.KindTimeout) {
				synctest.Test(t, func(t *testing.T) {
					server, transport, end := llmtest.NewOnPipes(echo())
					defer end()
					m := clientOver(t, server.URL, transport)
					faultsThatPass(t, server, m, c.faults, c.kinds)
				})
				return
			}
			t.Parallel()
			server := llmtest.New(t, echo())
			faultsThatPass(t, server, client(t, server.URL), c.faults, c.kinds)
		})
	}
}

func faultsThatPass(
	t *testing.T, server *llmtest.Server, inner llm.Model, faults []llmtest.Fault, want []llm.Kind,
) {
	var kinds []llm.Kind
	m := llm.Watch(inner, func(now llm.Event) {
		var e *llm.Error
		if errors.As(now.Err, &e) {
			kinds = append(kinds, e.Kind)
		}
		if now.Err != nil && strings.Contains(now.Err.Error(), testKey) {
			t.Errorf("the key is in %q", now.Err)
		}
	})
	server.Next(faults...)
	got, err := m.Complete(t.Context(), ask("hello", 9))
	must.Do(t, err)
	reply := llm.Reply{
		Text: "hello #9", Model: "scripted", Finish: "stop",
		Usage: llm.Usage{Prompt: 2, Completion: 2, Estimated: true},
	}
	golden.Same(t, "reply", reply, got)
	golden.Same(t, "failed attempts", want, kinds)
	if attempts := len(want) + 1; server.Asked() != attempts {
		t.Errorf("%d requests arrived, want %d", server.Asked(), attempts)
	}
}

// TestNoKey checks the error of a request that a server refuses because it has no key: the error
// names the variable to set, and does not say that a key is wrong.
func TestNoKey(t *testing.T) {
	server := llmtest.New(t, echo())
	server.Next(llmtest.WrongKey())
	m := open(t, llm.Config{Model: "m", BaseURL: server.URL, KeyName: "MY_KEY"})
	_, err := m.Complete(t.Context(), ask("hello", 9))
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindKey ||
		!strings.HasPrefix(e.Message, "no key was sent") ||
		!strings.HasPrefix(e.Hint(), "set MY_KEY; ") {
		t.Errorf("%v", err)
	}
}

func TestFaultsThatEndTheRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault llmtest.Fault
		kind  llm.Kind
		line  string
		hint  string // a part of it
	}{
		{"wrong key", llmtest.WrongKey(), llm.KindKey,
			"openai:m: status 401: the key is refused: Incorrect API key provided: [key]",
			"OPENAI_API_KEY"},
		{"key masked by the server", llmtest.Status(401, "invalid_api_key",
			"Incorrect API key provided: sk-test-****fKEY."), llm.KindKey,
			"openai:m: status 401: the key is refused: Incorrect API key provided: [key]",
			"OPENAI_API_KEY"},
		{"bad request",
			llmtest.Status(400, "invalid_request_error", "bad\n\tthing \x1b[31mhere"),
			llm.KindRequest,
			"openai:m: status 400: the server refuses the request: bad thing [31mhere", ""},
		{"redirect", llmtest.Headers(llmtest.Body(308, "text/plain", ""),
			"Location", "https://elsewhere.test/v1"), llm.KindEndpoint,
			"openai:m: status 308: the server redirects to https://elsewhere.test/v1", "base URL"},
		{"a flood of text", llmtest.Body(422, "text/plain", strings.Repeat("word ", 100000)),
			llm.KindRequest, "openai:m: status 422: the server refuses the request: ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t, echo())
			server.Next(c.fault, c.fault)
			reply, err := client(t, server.URL).Complete(t.Context(), ask("hello", 9))
			var e *llm.Error
			if !errors.As(err, &e) || !errors.Is(err, llm.ErrFatal) {
				t.Fatalf("got %v, %v; want a fatal *Error", reply, err)
			}
			if e.Kind != c.kind || !strings.HasPrefix(err.Error(), c.line) ||
				len(err.Error()) > 500 || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("kind %s: %q, want kind %s: %q", e.Kind, err, c.kind, c.line)
			}
			if !strings.Contains(e.Hint(), c.hint) {
				t.Errorf("hint %q, want %q in it", e.Hint(), c.hint)
			}
			shown := fmt.Sprintf("%v %+v %#v %q", err, err, err, err)
			if strings.Contains(shown, testKey) {
				t.Errorf("the key is in the error: %s", shown)
			}
			if server.Asked() != 1 || server.Answered() != 0 || !cmp.Equal(reply, llm.Reply{}) {
				t.Errorf("asked %d times, answered %d times, reply %v",
					server.Asked(), server.Answered(), reply)
			}
		})
	}
}

func TestContentFilterIsAnAnswer(t *testing.T) {
	server := llmtest.New(t, echo())
	server.Next(llmtest.Status(400, "content_filter", "the prompt was filtered"))
	got, err := client(t, server.URL).Complete(t.Context(), ask("hello", 9))
	must.Do(t, err)
	golden.Same(t, "reply", llm.Reply{
		Model: "m", Finish: "content_filter", Usage: llm.Usage{Prompt: 2, Estimated: true},
	}, got)
}

func TestTLSAgainstPlainServerIsFatal(t *testing.T) {
	server := llmtest.New(t, echo())
	m := client(t, strings.Replace(server.URL, "http:", "https:", 1))
	_, err := m.Complete(t.Context(), ask("hello", 9))
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindEndpoint {
		t.Errorf("got %v", err)
	}
}

func TestCancelEndsAHangAtOnce(t *testing.T) {
	server := llmtest.New(t, echo())
	begun := make(chan struct{})
	server.Next(func(
		w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context,
	) {
		close(begun)
		llmtest.Hang()(w, r, good, stopped)
	})
	ctx, cancel := context.WithCancel(t.Context())
	m := open(t, llm.Config{Model: "m", BaseURL: server.URL, Key: testKey})
	purse := &llm.Purse{Max: 1}
	guarded := purse.Guard(llm.Retry(m, llm.RetryConfig{}), &llm.Price{Out: 1000})
	done := make(chan error)
	go func() {
		r := ask("hello", 9)
		r.MaxTokens = 100
		_, err := guarded.Complete(ctx, r)
		done <- err
	}()
	<-begun
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
	if usd := purse.Spent(); usd != 0.1 { // the server may have worked on the answer
		t.Errorf("%g USD are spent, want 0.1", usd)
	}
}

// TestNothingIsLostOrCountedTwice makes many concurrent calls to a server that fails in many ways.
// Each call gets exactly its own reply, and the model is asked once for each call.
func TestNothingIsLostOrCountedTwice(t *testing.T) {
	model := echo()
	server := llmtest.New(t, model)
	kinds := []llmtest.Fault{
		nil, llmtest.RateLimited("0.001"), llmtest.Status(500, "", ""), llmtest.Page(502),
		llmtest.Drop(), nil, llmtest.Page(200),
		llmtest.Body(200, "application/json", "{"), llmtest.Body(503, "text/plain", ""), nil,
	}
	for range 12 {
		server.Next(kinds...)
	}
	var mu sync.Mutex
	attempts, failed := 0, 0
	limiter := llm.NewLimiter(llm.Limits{Concurrency: 8}, "")
	m := llm.Watch(limiter.Limit(client(t, server.URL)), func(e llm.Event) {
		mu.Lock()
		defer mu.Unlock()
		switch e.Stage {
		case llm.StageSent:
			attempts++
		case llm.StageWaiting:
			failed++
		}
	})
	const calls = 60
	replies := make([]llm.Reply, calls)
	errs := make([]error, calls)
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() { replies[i], errs[i] = m.Complete(t.Context(), ask("n", uint64(i))) })
	}
	wg.Wait()
	tokens := 0
	for i := range calls {
		if want := fmt.Sprintf("n #%d", i); errs[i] != nil || replies[i].Text != want {
			t.Errorf("call %d: %q, %v; want %q", i, replies[i].Text, errs[i], want)
		}
		tokens += replies[i].Usage.Total()
	}
	if attempts != calls+failed || server.Answered() != calls || len(model.Requests()) != calls {
		t.Errorf("%d attempts, %d of them failed; "+
			"the model answered %d and was asked %d times; want %d",
			attempts, failed, server.Answered(), len(model.Requests()), calls)
	}
	if failed == 0 {
		t.Error("no attempt failed: the test tests nothing")
	}
	if want := 10*(1+1) + 50*(1+2); tokens != want { // "n" is 1 token; "n #7" 1, "n #17" 2
		t.Errorf("%d tokens, want %d", tokens, want)
	}
}

func TestKeyAppearsNowhere(t *testing.T) {
	cfg := llm.Config{Model: "m", BaseURL: "http://127.0.0.1:1/v1", Key: testKey}
	m, err := llm.NewOpenAI(cfg)
	must.Do(t, err)
	encoded, err := json.Marshal(cfg)
	must.Do(t, err)
	type wrapper struct{ inner *llm.OpenAI }
	values := []any{cfg, &cfg, m, *m, wrapper{m}, m.Name(), string(encoded), []llm.Config{cfg}}
	for _, wrong := range []llm.Config{
		{Model: "m", Key: testKey + "\nx"},
		{Model: "m", Key: testKey, BaseURL: "://" + testKey},
		{Model: "m", Key: testKey, BaseURL: "http://u:" + testKey + "@h/v1"},
	} {
		_, err := llm.NewOpenAI(wrong)
		if err == nil {
			t.Error("a wrong configuration was accepted")
		}
		values = append(values, err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		for _, v := range values {
			if shown := fmt.Sprintf(verb, v); strings.Contains(shown, testKey) {
				t.Errorf("%s of %T shows the key: %s", verb, v, shown)
			}
		}
	}
}
