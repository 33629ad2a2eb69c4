package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/llm"
)

// TestOddUsageKeepsTheAnswer sends counts in forms that no server should use.
func TestOddUsageKeepsTheAnswer(t *testing.T) {
	guess := llm.Usage{Prompt: 2, Completion: 2, Estimated: true}
	for _, c := range []struct {
		usage string
		want  llm.Usage
	}{
		{`{"prompt_tokens":"12","completion_tokens":"7"}`, llm.Usage{Prompt: 12, Completion: 7}},
		{`{"prompt_tokens":12.6,"completion_tokens":7.0}`,
			llm.Usage{Prompt: 13, Completion: 7, Estimated: true}},
		{`{"prompt_tokens":99999999999999999999999,"completion_tokens":-7}`, guess},
		{`{"prompt_tokens":[12],"completion_tokens":"many"}`, guess},
		{`{"prompt_tokens":0,"completion_tokens":null}`, guess},
		{`null`, guess},
		{`[1,2]`, guess},
		{`{"prompt_tokens":-5,"completion_tokens":5,` +
			`"completion_tokens_details":{"reasoning_tokens":9}}`,
			llm.Usage{Prompt: 2, Completion: 5, Reasoning: 5, Estimated: true}},
		{`{"prompt_tokens":12,"completion_tokens":7,"prompt_tokens_details":[],` +
			`"completion_tokens_details":"x","cost":"free"}`,
			llm.Usage{Prompt: 12, Completion: 7}},
		{`{"prompt_tokens":12,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":"5"}}`,
			llm.Usage{Prompt: 12, Cached: 5, Completion: 7}},
		{`{"prompt_tokens":12,"completion_tokens":7,` +
			`"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":4}`,
			llm.Usage{Prompt: 12, Cached: 8, Completion: 7}},
		{`{"prompt_tokens":12,"completion_tokens":7,"total_tokens":500}`,
			llm.Usage{Prompt: 12, Completion: 488, Reasoning: 481}},
		{`{"prompt_tokens":21,"completion_tokens":9,"total_tokens":90,` +
			`"completion_tokens_details":{"reasoning_tokens":60}}`,
			llm.Usage{Prompt: 21, Completion: 69, Reasoning: 60}},
		{`{"prompt_tokens":12,"completion_tokens":7,"cost":0.00125}`,
			llm.Usage{Prompt: 12, Completion: 7, Cost: 0.00125}},
		{`{"prompt_tokens":12,"completion_tokens":7,"cost":1e30,"estimated":"yes"}`,
			llm.Usage{Prompt: 12, Completion: 7}},
	} {
		server := llmtest.New(t, echo())
		server.Next(llmtest.Altered(func(f map[string]any) {
			f["usage"] = json.RawMessage(c.usage)
		}))
		got, err := client(t, server.URL).Complete(t.Context(), ask("hello", 9))
		if err != nil || got.Text != "hello #9" || server.Asked() != 1 {
			t.Errorf("%s: %q after %d requests, %v", c.usage, got.Text, server.Asked(), err)
		}
		golden.Same(t, c.usage, c.want, got.Usage)
	}
}

// TestBodiesThatHoldNoAnswer checks that the client tries again after such a body.
func TestBodiesThatHoldNoAnswer(t *testing.T) {
	for _, body := range []string{
		`{"choices":[null]}`, `{"choices":[{"message":null,"finish_reason":"stop"}]}`,
		`{"choices":[{"message":"x"}]}`, `{"choices":[{"message":{"content":7}}]}`,
		`{"choices":[]}`, `{"choices":7}`, `{}`, `null`, ``,
		`{"choices":[{"message":{"content":"x"`, `<html>busy</html>`,
	} {
		server := llmtest.New(t, echo())
		server.Next(llmtest.Body(200, "application/json", body))
		attempts := 0
		got, err := llm.Watch(client(t, server.URL), func(e llm.Event) {
			var failed *llm.Error
			if attempts = e.Attempt; e.Stage == llm.StageWaiting &&
				(!errors.As(e.Err, &failed) || failed.Kind != llm.KindBody) {
				t.Errorf("%s: %v", body, e.Err)
			}
		}).Complete(t.Context(), ask("hello", 9))
		if err != nil || got.Text != "hello #9" || attempts != 2 {
			t.Errorf("%s: %q after %d attempts, %v", body, got.Text, attempts, err)
		}
	}
}

func TestLongReplyIsCut(t *testing.T) {
	long := "é" + strings.Repeat("日", 350_000) // 1,050,002 bytes
	server := llmtest.New(t, llm.NewScripted(func(llm.Request) string { return long }))
	got, err := client(t, server.URL).Complete(t.Context(), ask("x", 1))
	if err != nil || len(got.Text) > 1<<20 || len(got.Text) < 1<<20-3 || got.Finish != "length" ||
		!strings.HasPrefix(long, got.Text) {
		t.Errorf("%d bytes, finish %q, %v", len(got.Text), got.Finish, err)
	}
}

// TestEchoedKeyIsRemovedFromReplies has servers that repeat the key in every field and form.
func TestEchoedKeyIsRemovedFromReplies(t *testing.T) {
	unicode, percent := "", ""
	for _, c := range []byte(testKey) {
		unicode += fmt.Sprintf(`\u%04x`, c)
		percent += fmt.Sprintf("%%%02X", c)
	}
	const key = "sk/a+b=c&\"d\"<e>_0123456789"
	for _, c := range []struct{ key, said string }{
		{testKey, testKey}, {testKey, strings.ToUpper(testKey)}, {testKey, unicode},
		{testKey, percent},
		{testKey, strings.ReplaceAll(testKey, "-", "%2d")},
		{testKey, strings.ReplaceAll(testKey, "-", "%252D")},
		{testKey, strings.ReplaceAll(testKey, "-", `\\u002d`)},
		{testKey, strings.ReplaceAll(testKey, "-", "&#45;")},
		{testKey, strings.ReplaceAll(testKey, "-", `\x2D`)},
		{key, key}, {key, url.QueryEscape(key)}, {key, url.PathEscape(key)},
		{key, strings.ReplaceAll(key, "/", `\/`)}, {key, strings.ReplaceAll(key, `"`, `\"`)},
	} {
		server := llmtest.New(t, llm.NewScripted(func(llm.Request) string {
			return "a " + c.said + " b"
		}))
		server.Next(llmtest.Altered(func(f map[string]any) {
			f["model"] = "m-" + c.said
			f["choices"].([]any)[0].(map[string]any)["finish_reason"] = c.said
		}))
		m := open(t, llm.Config{Model: "m", BaseURL: server.URL, Key: c.key})
		got, err := m.Complete(t.Context(), ask("x", 1))
		if err != nil || got.Text != "a [key] b" || got.Model != "m-[key]" ||
			got.Finish != "[key]" {
			t.Errorf("%s: %+v, %v", c.said, got, err)
		}
	}
	// A secret header value is removed. A placeholder stays, and so does a text that looks like a
	// key, because it may belong to a program.
	server := llmtest.New(t, llm.NewScripted(func(llm.Request) string {
		return "EMPTY hunter2-hunter2 key-insight-of-mine"
	}))
	m := open(t, llm.Config{
		Model: "m", BaseURL: server.URL, Key: "EMPTY", Secrets: []string{"hunter2-hunter2"},
	})
	got, err := m.Complete(t.Context(), ask("x", 1))
	if err != nil || got.Text != "EMPTY [key] key-insight-of-mine" {
		t.Errorf("%+v, %v", got, err)
	}
}
