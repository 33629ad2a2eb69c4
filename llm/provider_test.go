package llm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/llm"
)

// Errors from servers' public documentation and bug reports: an empty account ends a call
// immediately, a temporary limit does not.
func TestWordsOfProviders(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   llm.Kind
		said   string // part of the message or of the hint
	}{
		{"Moonshot", 429, `{"error":{"message":"Your account is suspended due to insufficient ` +
			`balance, please recharge","type":"exceeded_current_quota_error"}}`, llm.KindQuota, ""},
		{"ModelScope", 429, `{"error":{"http_code":"429","message":"insufficient balance (1008)",` +
			`"type":"insufficient_balance_error"}}`, llm.KindQuota, ""},
		{"MiniMax", 500, `{"type":"error","error":{"type":"api_error",` +
			`"message":"insufficient balance (1008)"}}`, llm.KindQuota, ""},
		{"MiniMax, status 200", 200, `{"base_resp":{"status_code":1008,` +
			`"status_msg":"insufficient balance"}}`, llm.KindQuota, ""},
		{"Zhipu", 429, `{"error":{"code":"1113","message":"余额不足"}}`, llm.KindQuota, ""},
		{"Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error",` +
			`"message":"Your credit balance is too low to access the Anthropic API."}}`,
			llm.KindQuota, "add credit"},
		{"OpenAI", 429, `{"error":{"message":"You exceeded your current quota, please check your ` +
			`plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`,
			llm.KindQuota, ""},
		{"DeepSeek", 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error"}}`,
			llm.KindQuota, ""},
		{"OpenRouter", 402, `{"error":{"message":"This request requires more credits, or fewer ` +
			`max_tokens.","code":402}}`, llm.KindQuota, ""},
		{"DashScope", 400, `{"error":{"code":"Arrearage","message":"Access denied, please make ` +
			`sure your account is in good standing.","type":"Arrearage"}}`, llm.KindQuota, ""},
		{"Volcengine", 403, `{"error":{"code":"AccountOverdueError","message":"The request ` +
			`failed because your account has an overdue balance."}}`, llm.KindQuota, ""},
		{"SiliconFlow", 403, `{"code":30001,"message":"Sorry, your account balance is ` +
			`insufficient","data":null}`, llm.KindQuota, ""},
		{"xAI", 403, `{"code":"denied","error":"Your team has either used all available credits ` +
			`or reached its monthly spending limit."}`, llm.KindQuota, ""},
		{"Fireworks", 412, `{"error":{"message":"Account a is suspended, possibly due to ` +
			`reaching the monthly spending limit or failure to pay past invoices."}}`,
			llm.KindQuota, ""},
		{"Hugging Face", 402, `{"error":"You have exceeded your monthly included credits."}`,
			llm.KindQuota, ""},
		{"LiteLLM", 400, `{"error":{"message":"Budget has been exceeded! Current cost: 1",` +
			`"type":"budget_exceeded"}}`, llm.KindQuota, ""},
		{"a router's", 502, `{"error":{"message":"XException - {\"error\":{\"message\":` +
			`\"Insufficient credits\"}}","code":502}}`, llm.KindQuota, ""},

		{"OpenAI, a rate", 429, `{"error":{"message":"Rate limit reached for m on tokens per min ` +
			`(TPM). You can increase it by adding a payment method at the billing page.",` +
			`"type":"tokens","code":"rate_limit_exceeded"}}`, llm.KindRate, ""},
		{"Gemini, a rate", 429, `[{"error":{"code":429,"message":"You exceeded your current ` +
			`quota, please check your plan and billing details. Please retry in 12s.",` +
			`"status":"RESOURCE_EXHAUSTED"}}]`, llm.KindRate, ""},
		{"Groq, a rate", 429, `{"error":{"message":"Rate limit reached. Need more tokens? ` +
			`Upgrade at the billing page","code":"rate_limit_exceeded"}}`, llm.KindRate, ""},
		{"OpenRouter, a rate", 429, `{"error":{"message":"Rate limit exceeded: ` +
			`free-models-per-day. Add 10 credits to unlock more","code":429}}`, llm.KindRate, ""},
		{"DashScope, a rate", 429, `{"error":{"code":"insufficient_quota","message":"Allocated ` +
			`quota exceeded, please increase your quota limit."}}`, llm.KindRate, ""},
		{"Moonshot, a rate", 429, `{"error":{"message":"Your account x<ak> request reached max ` +
			`organization concurrency: 1","type":"rate_limit_reached_error"}}`, llm.KindRate, ""},

		{"the reason behind a router", 400, `{"error":{"message":"Provider returned error",` +
			`"code":400,"metadata":{"raw":"{\"error\":{\"message\":\"Unsupported value: ` +
			`'temperature' has one value\"}}"}}}`, llm.KindRequest, `temperature = "omit"`},
		{"a raw text", 400, `{"error":{"message":"Provider returned error","metadata":` +
			`{"raw":"seed is not supported"}}}`, llm.KindRequest, "--no-seed"},
		{"FastAPI's list", 422, `{"detail":[{"loc":["body","seed"],"msg":"seed: not permitted",` +
			`"type":"extra"}]}`, llm.KindRequest, "--no-seed"},
		{"LM Studio, status 200", 200, `{"error":"Unexpected endpoint or method. ` +
			`(POST /chat/completions)"}`, llm.KindModel, "/v1"},
		{"Azure", 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for ` +
			`this resource does not exist."}}`, llm.KindModel, "deployment in the base URL"},
		{"OpenRouter, a model", 400, `{"error":{"message":"x/y is not a valid model ID",` +
			`"code":400}}`, llm.KindModel, "does not know this model"},
		{"DeepSeek, a model", 400, `{"error":{"message":"Model Not Exist"}}`, llm.KindModel, ""},
		{"a choice", 200, `{"choices":[{"finish_reason":"error","error":{"code":502,"message":` +
			`"upstream lost"},"message":{"content":""}}]}`, llm.KindServer, "upstream lost"},
		{"a choice without a reason", 200, `{"choices":[{"finish_reason":"abort","message":` +
			`{"content":"a"}}]}`, llm.KindServer, "abort"},
		{"an object without a message", 200, `{"error":{"code":503}}`, llm.KindServer, "503"},
		{"a flat one, status 200", 200, `{"code":500,"msg":"busy","success":false}`,
			llm.KindServer, "busy"},
		{"a stream that is cut", 200, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
			llm.KindConnection, "cut off"},
		{"an error in a stream", 200, "data: {\"error\":\"Insufficient Balance\"}\n",
			llm.KindQuota, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t, echo())
			server.Next(llmtest.Body(c.status, "application/json", c.body))
			m, err := llm.NewOpenAI(llm.Config{Model: "m", BaseURL: server.URL, Key: testKey})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			_, err = m.Complete(t.Context(), ask("hello", 9))
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.Status != c.status &&
				c.kind != llm.KindConnection ||
				!strings.Contains(err.Error()+e.Hint(), c.said) {
				t.Errorf("%v, hint %q; want kind %s and %q", err, e.Hint(), c.kind, c.said)
			}
		})
	}
}

// Answers in another form than requested.
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
