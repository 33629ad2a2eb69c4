package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

func env(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func TestProfileReachesTheServer(t *testing.T) {
	no := false
	server := llmtest.New(t, echo())
	p := llm.Profile{
		Model: "m", BaseURL: server.URL, KeyEnv: "MY_KEY",
		Headers:         map[string]string{"api-key": "${OTHER_KEY}", "X-Title": "pacebench"},
		Query:           map[string]string{"api-version": "2024-10-21"},
		ExtraBody:       map[string]any{"top_k": 20, "provider": map[string]any{"sort": "price"}},
		ReasoningEffort: "low", Temperature: "omit", TokenField: llm.FieldMaxCompletionTokens,
		MaxTokens: 100, Seed: &no,
	}
	c, err := p.Config(env("MY_KEY", testKey+"\n", "OTHER_KEY", "another-secret-key"))
	must.Do(t, err)
	m := open(t, c)
	want := `openai:m,temperature=default,max_tokens=100,seed=false,` +
		`provider={"sort":"price"},reasoning_effort=low,top_k=20`
	if m.Name() != want {
		t.Errorf("name %s, want %s", m.Name(), want)
	}
	for _, max := range []int{0, 50, 8192} { // the smaller bound counts
		r := ask("q", 1)
		r.MaxTokens = max
		_, err := m.Complete(t.Context(), r)
		must.Do(t, err)
	}
	var sent []string
	for _, b := range server.Bodies() {
		var fields map[string]any
		must.Do(t, json.Unmarshal(b, &fields))
		sorted, _ := json.Marshal(fields)
		sent = append(sent, string(sorted))
	}
	body := func(max string) string {
		return `{"max_completion_tokens":` + max + `,"messages":[{"content":"q","role":"user"}],` +
			`"model":"m","provider":{"sort":"price"},"reasoning_effort":"low",` +
			`"stream":false,"top_k":20}`
	}
	golden.Same(t, "bodies", []string{body("100"), body("50"), body("100")}, sent)
	h := server.Header()
	if h.Get("Authorization") != "Bearer "+testKey || h.Get("api-key") != "another-secret-key" ||
		h.Get("X-Title") != "pacebench" || server.Query() != "api-version=2024-10-21" {
		t.Errorf("headers %v, query %q", h, server.Query())
	}
}

func TestProfileSendsNoKeyUnasked(t *testing.T) {
	getenv := env("OPENAI_API_KEY", testKey)
	for _, c := range []struct {
		p    llm.Profile
		want string
	}{
		{llm.Profile{Model: "m"}, testKey},
		{llm.Profile{Model: "m", BaseURL: "https://h/v1"}, ""},
		{llm.Profile{Model: "m", BaseURL: "https://h/v1", KeyEnv: "OPENAI_API_KEY"}, testKey},
	} {
		got, err := c.p.Config(getenv)
		if err != nil || got.Key != c.want {
			t.Errorf("%+v: key %q, %v", c.p, got.Key, err)
		}
	}
}

func TestWrongProfiles(t *testing.T) {
	price := func(usd float64) *float64 { return &usd }
	for _, c := range []struct {
		p    llm.Profile
		want string
	}{
		{llm.Profile{}, "model is missing"},
		{llm.Profile{Model: "m", KeyEnv: "NONE"}, "key_env: NONE is not set"},
		{llm.Profile{Model: "m", KeyEnv: "gsk_8fJx2Kq91LmZ"},
			"key_env: no environment variable of"},
		{llm.Profile{Model: "m", Headers: map[string]string{"api-key": "${NONE}"}},
			"headers.api-key: NONE is not set"},
		{llm.Profile{Model: "m", Query: map[string]string{"key": "${NONE}"}},
			"query.key: NONE is not set"},
		{llm.Profile{Model: "m", Temperature: "0.7"}, `temperature = "0.7": want "omit" or "send"`},
		{llm.Profile{Model: "m", MaxTokens: -1}, "max_tokens = -1: must not be negative"},
		{llm.Profile{Model: "m", Concurrency: -1}, "concurrency = -1"},
		{llm.Profile{Model: "m", PriceIn: price(1)}, "set both price_in and price_out, or neither"},
		{llm.Profile{Model: "m", PriceIn: price(-1), PriceOut: price(1)},
			"price_in = -1: want USD per million tokens"},
		{llm.Profile{Model: "m", TokenField: "tokens", BaseURL: "https://h"},
			`token field: "tokens"`},
		{llm.Profile{Model: "m", BaseURL: "https://h", ExtraBody: map[string]any{"temperature": 1}},
			"extra_body: temperature is set by pacebench itself"},
		{llm.Profile{Model: "m", BaseURL: "https://h", Headers: map[string]string{"a b": "c"}},
			`headers: "a b" is not the name of a header`},
		{llm.Profile{Model: "m", BaseURL: "https://h", Headers: map[string]string{"a": "c\nd"}},
			`headers: "a"`},
	} {
		cfg, err := c.p.Config(env())
		if err == nil {
			_, err = llm.NewOpenAI(cfg)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.p, err, c.want)
		}
	}
}

func TestCost(t *testing.T) {
	p := &llm.Price{In: 2, Cached: 0.5, Out: 8}
	u := llm.Usage{Prompt: 1000, Cached: 400, Completion: 100, Reasoning: 50}
	if usd, known := p.Cost(u); !known || usd != (600*2+400*0.5+100*8)/1e6 {
		t.Errorf("%g, %v", usd, known)
	}
	u.Cost = 0.5
	if usd, known := p.Cost(u); !known || usd != 0.5 {
		t.Errorf("the server's own cost: %g, %v", usd, known)
	}
	if usd, known := (*llm.Price)(nil).Cost(llm.Usage{Prompt: 5}); known || usd != 0 {
		t.Errorf("without price: %g, %v", usd, known)
	}
}

func TestPurseClosesLikeAQuota(t *testing.T) {
	asked := 0
	model := &llm.Scripted{Answer: func(context.Context, llm.Request) (llm.Reply, error) {
		asked++
		return llm.Reply{Usage: llm.Usage{Prompt: 1e5, Completion: 1e5}}, nil // 0.3 USD
	}}
	purse := &llm.Purse{Max: 1}
	purse.Add(0.2)
	guarded := purse.Guard(model, &llm.Price{In: 1, Out: 2})
	var err error
	n := 0
	for ; err == nil && n < 9; n++ {
		_, err = guarded.Complete(t.Context(), ask("x", uint64(n)))
	}
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindQuota || !errors.Is(err, llm.ErrFatal) ||
		n != 4 || asked != 3 || !strings.Contains(e.Hint(), "--max-usd") ||
		err.Error() != "scripted: the limit of 1 USD is reached: 1.1000 USD are spent" {
		t.Errorf("call %d, %d asked: %v", n, asked, err)
	}
	if usd := purse.Spent(); usd < 1.09 || usd > 1.11 {
		t.Errorf("Spent = %g USD, want 1.1", usd)
	}
}

// TestPurseCountsFailedAttempts checks which attempts without an answer cost money, and that they
// end the retries when the limit is reached.
func TestPurseCountsFailedAttempts(t *testing.T) {
	server := llmtest.New(t, echo())
	purse := &llm.Purse{Max: 1.1}
	m := purse.Guard(client(t, server.URL), &llm.Price{Out: 1000})
	r := ask("hello", 9)
	r.MaxTokens = 100 // each attempt is expected to cost 0.1 USD; an answer of 2 tokens costs 0.002
	dear := llmtest.Body(200, "application/json", `{"choices":[],"usage":{"cost":0.4}}`)
	for _, c := range []struct {
		fault llmtest.Fault
		cost  float64
	}{
		{llmtest.Status(500, "server_error", "oops"), 0}, {llmtest.Page(200), 0},
		{llmtest.RateLimited("0.01"), 0}, {llmtest.Drop(), 0.1}, {llmtest.Cut(), 0.1},
		{llmtest.Body(200, "application/json", "{"), 0.1},
		{llmtest.Body(200, "application/json", `{"choices":[],"usage":null}`), 0.1}, {dear, 0.4},
	} {
		before := purse.Spent()
		server.Next(c.fault)
		_, err := m.Complete(t.Context(), r)
		must.Do(t, err)
		if got := purse.Spent() - before - 0.002; math.Abs(got-c.cost) > 1e-9 {
			t.Errorf("an attempt costs %g USD, want %g", got, c.cost)
		}
	}
	server.Next(dear, dear)
	_, err := m.Complete(t.Context(), r)
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindQuota || server.Left() != 1 {
		t.Errorf("%d faults left, %v", server.Left(), err)
	}
}

// TestPurseWithoutPrice: until an answer tells its cost, one call asks at a time.
func TestPurseWithoutPrice(t *testing.T) {
	for cost, want := range map[float64]int64{0: 1, 0.01: 4} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Int64
			release := make(chan bool)
			model := &llm.Scripted{Answer: func(context.Context, llm.Request) (llm.Reply, error) {
				asked.Add(1)
				<-release
				return llm.Reply{Usage: llm.Usage{Cost: cost}}, nil
			}}
			m := (&llm.Purse{Max: 1}).Guard(model, nil)
			var work sync.WaitGroup
			for i := range 4 {
				work.Go(func() { _, _ = m.Complete(t.Context(), ask("x", uint64(i))) })
			}
			synctest.Wait()
			if n := asked.Load(); n != 1 {
				t.Errorf("%d calls ask before the first answer", n)
			}
			close(release)
			work.Wait()
			if n := asked.Load(); n != want {
				t.Errorf("cost %g: %d calls asked, want %d", cost, n, want)
			}
		})
	}
}

func TestPurseWantsToKnowTheCost(t *testing.T) {
	for _, c := range []struct {
		purse *llm.Purse
		calls int // successful calls
	}{{&llm.Purse{}, 3}, {&llm.Purse{Max: 5}, 1}} {
		m := c.purse.Guard(echo(), nil)
		n := 0
		for range 3 {
			if _, err := m.Complete(t.Context(), ask("x", 1)); err == nil {
				n++
			} else if !strings.Contains(err.Error(), "no price is known") {
				t.Error(err)
			}
		}
		if n != c.calls {
			t.Errorf("%d calls succeeded, want %d", n, c.calls)
		}
	}
}
