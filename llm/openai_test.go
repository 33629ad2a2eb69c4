package llm_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

var pixel = llm.NewImage("image/png", []byte("\x89PNG not really"))

func TestRequestArrivesAsItWas(t *testing.T) {
	for _, sent := range []llm.Request{
		{User: llm.Text("hello")}, // temperature 0 and draw 0
		{System: "Be brief.", User: llm.Text("hello"), MaxTokens: 99, Draw: math.MaxInt32,
			Temperature: 0.1}, // float32 cannot hold it
		{User: llm.Text("a<b && c>d \u2028 \\ \"q\" é 日本 \x00 end\n"), Temperature: 1},
		{User: []llm.Part{
			{Text: "before"}, {Image: pixel}, {Image: pixel}, {Text: "after"}, {Text: "all"},
		}},
		{User: []llm.Part{{Text: "two texts"}, {Text: "stay two"}}},
	} {
		model := llm.NewScripted(func(llm.Request) string { return "ok <&> \u2028" })
		server := llmtest.New(t, model)
		r := sent
		r.Purpose = "algorithm/P1"
		direct, err := model.Complete(t.Context(), r)
		must.Do(t, err)
		got, err := client(t, server.URL+"/").Complete(t.Context(), r)
		must.Do(t, err)
		golden.Same(t, "reply", direct, got)
		golden.Same(t, "request", sent, model.Requests()[1]) // the purpose is not sent
	}
}

func TestBody(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  llm.Config
		r    llm.Request
		want string
	}{
		{"plain", llm.Config{Model: "gpt-4o-mini"},
			llm.Request{User: llm.Text("q"), MaxTokens: 7},
			`{"max_tokens":7,"messages":[{"content":"q","role":"user"}],` +
				`"model":"gpt-4o-mini","seed":0,"stream":false,"temperature":0}`},
		{"a reasoning model", llm.Config{Model: "gpt-5-mini"},
			llm.Request{System: "s", User: llm.Text(""), MaxTokens: 7, Temperature: 0.5},
			`{"max_completion_tokens":7,"messages":[{"content":"s","role":"system"},` +
				`{"content":"","role":"user"}],"model":"gpt-5-mini","seed":0,"stream":false}`},
		{"a reasoning model told otherwise", llm.Config{
			Model: "openai/o3-mini", Temperature: llm.TemperatureSent,
			TokenField: llm.FieldMaxTokens,
		}, llm.Request{User: llm.Text("q"), MaxTokens: 7, Temperature: 0.5},
			`{"max_tokens":7,"messages":[{"content":"q","role":"user"}],` +
				`"model":"openai/o3-mini","seed":0,"stream":false,"temperature":0.5}`},
		{"an image", llm.Config{Model: "x"}, llm.Request{User: []llm.Part{
			{Text: "look"}, {Image: llm.NewImage("image/png", []byte("abc"))},
		}, Temperature: 1},
			`{"messages":[{"content":[{"text":"look","type":"text"},` +
				`{"image_url":{"url":"data:image/png;base64,YWJj"},"type":"image_url"}],` +
				`"role":"user"}],"model":"x","seed":0,"stream":false,"temperature":1}`},
	} {
		server := llmtest.New(t, echo())
		server.Next(llmtest.Body(200, "application/json", `{"model":"served-1",`+
			`"choices":[{"message":{"content":"a"},"finish_reason":"length"}],`+
			`"usage":{"prompt_tokens":3,"completion_tokens":1}}`))
		c.cfg.BaseURL = server.URL
		got, err := open(t, c.cfg).Complete(t.Context(), c.r)
		must.Do(t, err)
		usage := llm.Usage{Prompt: 3, Completion: 1}
		if len(c.r.User) > 1 {
			usage.Images = 2 // the prompt tokens without the one of the text
		}
		want := llm.Reply{Text: "a", Model: "served-1", Finish: "length", Usage: usage}
		golden.Same(t, "reply", want, got)
		var sent any
		must.Do(t, json.Unmarshal(server.Bodies()[0], &sent))
		sorted, err := json.Marshal(sent)
		must.Do(t, err)
		golden.Same(t, "body", c.want, string(sorted))
	}
}

func TestNamesTellWhatChangesAnswers(t *testing.T) {
	for _, c := range []struct {
		cfg   llm.Config
		want  string
		notes int
	}{
		{llm.Config{Model: "gpt-4o-mini"}, "openai:gpt-4o-mini", 0},
		{llm.Config{Model: "m", MaxTokens: 10}, "openai:m,max_tokens=10", 0},
		{llm.Config{Model: "m", Temperature: llm.TemperatureOmitted},
			"openai:m,temperature=default", 0},
		{llm.Config{Model: "o3-mini"}, "openai:o3-mini", 1},
		{llm.Config{Model: "o3-mini", Temperature: llm.TemperatureSent},
			"openai:o3-mini,temperature=sent", 0},
		{llm.Config{Model: "m", Temperature: llm.TemperatureSent}, "openai:m", 0},
		{llm.Config{Model: "openai/gpt-5.1"}, "openai:openai/gpt-5.1", 1},
		{llm.Config{Model: "gpt-5-chat-latest"}, "openai:gpt-5-chat-latest", 0},
		{llm.Config{Model: "o1x"}, "openai:o1x", 0},
	} {
		c.cfg.BaseURL = "https://h/v1"
		m := open(t, c.cfg)
		if m.Name() != c.want || len(m.Notes()) != c.notes {
			t.Errorf("%v: name %q, notes %q; want %q and %d",
				c.cfg, m.Name(), m.Notes(), c.want, c.notes)
		}
	}
}

// TestPlainHTTP checks that plain HTTP is allowed only to this machine, unless InsecureHTTP is set.
func TestPlainHTTP(t *testing.T) {
	for base, plain := range map[string]bool{
		"https://h/v1": false, "http://localhost:8000/v1": false, "http://127.0.0.1/v1": false,
		"http://127.9.9.9/v1": false, "http://[::1]:80/v1": false, "http://LOCALHOST/v1": false,
		"HTTP://h/v1": true, "http://localhost.h/v1": true,
		"http://127.0.0.1.h/v1": true, "http://192.168.0.7:8000/v1": true,
		"http://0.0.0.0:8000/v1": false, "http://[::]:80/v1": false,
		"http://vm.localhost/v1": false, "http://[fe80::1]/v1": true,
	} {
		_, err := llm.NewOpenAI(llm.Config{Model: "m", Key: testKey, BaseURL: base})
		var e *llm.Error
		if errors.As(err, &e) != plain || plain &&
			(!errors.Is(err, llm.ErrFatal) || !strings.Contains(e.Hint(), "--insecure-http")) {
			t.Errorf("%s: %v", base, err)
		}
		cfg := llm.Config{Model: "m", Key: testKey, BaseURL: base, InsecureHTTP: true}
		if _, err := llm.NewOpenAI(cfg); err != nil {
			t.Errorf("%s, allowed: %v", base, err)
		}
	}
}

func TestWrongConfiguration(t *testing.T) {
	for _, c := range []struct {
		cfg  llm.Config
		want string
	}{
		{llm.Config{Model: "m"}, "https://api.openai.com/v1 needs a key"},
		{llm.Config{Model: "m", BaseURL: "https://api.openai.com/v1/"},
			"https://api.openai.com/v1 needs a key"},
		{llm.Config{Key: testKey}, "no model is named"},
		{llm.Config{Model: "m", BaseURL: "localhost:8000/v1"},
			`base URL: "localhost:8000/v1" does not begin with http:// or https:// and a host`},
		{llm.Config{Model: "m", BaseURL: "file:///x"}, `base URL: "file:///x" does not begin`},
		{llm.Config{Model: "m", BaseURL: "https://h/v1?a=b"}, "contains a query"},
		{llm.Config{Model: "m", BaseURL: "https://a:b@h/v1"}, "base URL: a user or password"},
		{llm.Config{Model: "m", Key: "sk-a\nb"}, "the key contains a space"},
	} {
		_, err := llm.NewOpenAI(c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, llm.ErrFatal) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestBaseURLForms(t *testing.T) {
	server := llmtest.New(t, echo())
	for _, base := range []string{
		server.URL, server.URL + "/", server.URL + "///", server.URL + "/chat/completions",
		" " + server.URL + "/chat/completions/ ",
	} {
		if _, err := client(t, base).Complete(t.Context(), ask("x", 1)); err != nil {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	server := llmtest.New(t, echo())
	m := client(t, server.URL)
	for _, r := range []llm.Request{
		{User: llm.Text("x"), Temperature: math.NaN()},
		{User: []llm.Part{{Image: &llm.Image{MediaType: "image/png", Digest: "ab"}}}},
	} {
		if _, err := m.Complete(t.Context(), r); !errors.Is(err, llm.ErrFatal) {
			t.Errorf("%v: %v, want a fatal error", r, err)
		}
	}
	if server.Asked() != 0 {
		t.Errorf("%d requests arrived", server.Asked())
	}
	defer func() {
		if recover() == nil {
			t.Error("a draw of 32 bits did not panic")
		}
	}()
	_, _ = m.Complete(t.Context(), ask("x", 1<<31))
}
