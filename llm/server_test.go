package llm_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	openai "github.com/sashabaranov/go-openai"

	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/llm"
)

func TestServeStreams(t *testing.T) {
	server := llmtest.New(t, echo())
	cfg := openai.DefaultConfig("any")
	cfg.BaseURL = server.URL
	transport := http.DefaultTransport.(*http.Transport).Clone()
	cfg.HTTPClient = &http.Client{Transport: transport}
	defer transport.CloseIdleConnections()
	seed := 5
	client := openai.NewClientWithConfig(cfg)
	stream, err := client.CreateChatCompletionStream(t.Context(), openai.ChatCompletionRequest{
		Model: "whatever", Seed: &seed,
		Messages:      []openai.ChatCompletionMessage{{Role: "user", Content: "hello"}},
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	text, finish, tokens := "", "", 0
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range part.Choices {
			text += c.Delta.Content
			finish += string(c.FinishReason)
		}
		if part.Usage != nil {
			tokens = part.Usage.TotalTokens
		}
	}
	if text != "hello #5" || finish != "stop" || tokens != 4 {
		t.Errorf("got %q, %q, %d tokens", text, finish, tokens)
	}
	models, err := openai.NewClientWithConfig(cfg).ListModels(t.Context())
	if err != nil || len(models.Models) != 1 || models.Models[0].ID != "scripted" {
		t.Errorf("models %v, %v", models.Models, err)
	}
}

func TestServeRefuses(t *testing.T) {
	broken := &llm.Scripted{Answer: func(context.Context, llm.Request) (llm.Reply, error) {
		return llm.Reply{}, &llm.Error{Kind: llm.KindQuota, Status: 429, Message: "no money"}
	}}
	for _, c := range []struct {
		name, method, path, body string
		m                        llm.Model
		status                   int
		says                     string
	}{
		{"another path", "POST", "/chat/completions", `{}`, echo(), 404,
			"nothing is served at POST /chat/completions"},
		{"GET", "GET", "/v1/chat/completions", ``, echo(), 404, "nothing is served"},
		{"no JSON", "POST", "/v1/chat/completions", `hello`, echo(), 400, "not a chat request"},
		{"no messages", "POST", "/v1/chat/completions", `{"model":"x"}`, echo(), 400,
			"no user message"},
		{"an assistant's message", "POST", "/v1/chat/completions",
			`{"messages":[{"role":"assistant","content":"x"}]}`, echo(), 400,
			`messages[0]: role \"assistant\"`},
		{"content of a number", "POST", "/v1/chat/completions",
			`{"messages":[{"role":"user","content":7}]}`, echo(), 400,
			"messages[0]: content is neither"},
		{"an image by address", "POST", "/v1/chat/completions",
			`{"messages":[{"role":"user","content":[{"type":"image_url",` +
				`"image_url":{"url":"http://x/y.png"}}]}]}`, echo(), 400, "must be inline"},
		{"two choices", "POST", "/v1/chat/completions", `{"n":2,"messages":[]}`, echo(), 400,
			"n: only one choice"},
		{"a model in trouble", "POST", "/v1/chat/completions",
			`{"messages":[{"role":"user","content":"x"}]}`, broken, 429, "no money"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			request := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			llm.Serve(c.m).ServeHTTP(w, request)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("status %d: %s; want %d and %q", w.Code, w.Body, c.status, c.says)
			}
		})
	}
}

func TestServeDefaults(t *testing.T) {
	model := echo()
	handler := llm.Serve(model)
	for range 2 {
		w := httptest.NewRecorder()
		body := []byte(`{"messages":[{"role":"user","content":"x"}],` +
			`"max_completion_tokens":5,"top_p":0.5}`)
		request := httptest.NewRequest("POST", "/v1/chat/completions", bytes.NewReader(body))
		handler.ServeHTTP(w, request)
		if w.Code != 200 {
			t.Fatal(w.Body)
		}
	}
	want := []llm.Request{ // without a seed the draws are numbered
		{User: llm.Text("x"), Temperature: 1, MaxTokens: 5, Draw: 1},
		{User: llm.Text("x"), Temperature: 1, MaxTokens: 5, Draw: 2},
	}
	if d := cmp.Diff(want, model.Requests()); d != "" {
		t.Errorf("requests mismatch (-want +got):\n%s", d)
	}
}
