package llm_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

// TestWordsOfProviders reads testdata/refusals.txtar: an empty account ends a call immediately, a
// temporary limit does not, and the hint for a refused request names the setting to change.
func TestWordsOfProviders(t *testing.T) {
	file, err := txtar.ParseFile("testdata/refusals.txtar")
	must.Do(t, err)
	for _, c := range file.Files {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			head := strings.SplitN(c.Name+" ", "; ", 4) // the last part may be empty
			status, err := strconv.Atoi(head[1])
			must.Do(t, err)
			server := llmtest.New(t, echo())
			server.Next(llmtest.Body(status, "application/json", string(c.Data)))
			m := open(t, llm.Config{Model: "m", BaseURL: server.URL, Key: testKey,
				ExtraBody: map[string]any{"top_k": 1}})
			_, err = m.Complete(t.Context(), ask("hello", 9))
			var e *llm.Error
			if !errors.As(err, &e) || string(e.Kind) != head[2] ||
				e.Status != status && e.Kind != llm.KindConnection {
				t.Fatalf("%v; want kind %s", err, head[2])
			}
			said := strings.TrimSpace(head[3])
			if said == "-" && e.Hint() != "" ||
				said != "-" && !strings.Contains(err.Error()+e.Hint(), said) {
				t.Errorf("%v, hint %q; want %q", err, e.Hint(), said)
			}
		})
	}
}

// TestOtherFormsOfAnswers checks answers in forms that were not requested.
func TestOtherFormsOfAnswers(t *testing.T) {
	for _, c := range []struct{ name, body, text, finish string }{
		{"a stream", ": hello\n\ndata: {\"model\":\"m\",\"choices\":[{\"delta\":{\"role\":" +
			"\"assistant\",\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":" +
			"\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{" +
			"\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n", "ab", "stop"},
		{"comments before JSON", ": PROCESSING\n\n: PROCESSING\n\n{\"choices\":[{\"message\":" +
			"{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}", "a", "stop"},
		{"only thinking", `{"choices":[{"message":{"content":null,"reasoning_content":"a"},` +
			`"finish_reason":"stop"}]}`, "", llm.FinishThinking},
		{"only thinking, cut", `{"choices":[{"message":{"content":"","reasoning":"a"},` +
			`"finish_reason":"length"}]}`, "", "length"},
		{"a tool", `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"1"}]},` +
			`"finish_reason":"stop"}]}`, "", llm.FinishTool},
		{"odd fields around an answer", `{"id":7,"created":"now","model":["m"],"object":null,` +
			`"system_fingerprint":{},"choices":[{"index":"0","logprobs":7,"message":{"role":5,` +
			`"content":"x","reasoning_content":{},"tool_calls":"none","function_call":3},` +
			`"finish_reason":["stop"]},null]}`, "x", ""},
		{"a null error", `{"error":null,"choices":[{"message":{"content":"a"},` +
			`"error":null,"finish_reason":"stop"}]}`, "a", "stop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t, echo())
			server.Next(llmtest.Body(200, "text/event-stream", c.body))
			got, err := client(t, server.URL).Complete(t.Context(), ask("hello", 9))
			if err != nil || got.Text != c.text || got.Finish != c.finish || server.Asked() != 1 {
				t.Errorf("%+v, %v; want %q, %q", got, err, c.text, c.finish)
			}
		})
	}
}
