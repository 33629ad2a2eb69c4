package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/suite"
)

// tomlBlock is a fenced block of TOML in a page.
var tomlBlock = regexp.MustCompile("(?ms)^```toml\n(.*?)^```$")

const providerKey = "sk-provider-key-0123456789"

// A provider is the request to a server of docs/models.md, and its answer. The error messages of
// the servers are in llm/testdata/refusals.txtar.
type provider struct {
	url, headers, body string    // the request; body omits messages and stream
	form               string    // the answer, whose text is "ok"
	usage              llm.Usage // as read from the answer
	usd                float64   // -1: unknown
}

const (
	bearer     = "Authorization: Bearer " + providerKey
	commonForm = `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{` +
		`"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100}}`
	openAIForm = `{"id":"c1","model":"m","system_fingerprint":"fp","service_tier":"default",` +
		`"choices":[{"message":{"content":"ok","refusal":null},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":1000,"completion_tokens":100,` +
		`"prompt_tokens_details":{"cached_tokens":400,"audio_tokens":0},` +
		`"completion_tokens_details":{"reasoning_tokens":64}}}`
)

var (
	usage1100   = llm.Usage{Prompt: 1000, Completion: 100}
	openAIUsage = llm.Usage{Prompt: 1000, Cached: 400, Completion: 100, Reasoning: 64}
)

var providers = map[string]provider{
	"mini": {
		"api.openai.com/v1/chat/completions", bearer,
		`{"max_tokens":8192,"model":"gpt-4o-mini","seed":7,"temperature":0.8}`,
		openAIForm, openAIUsage, (600*0.15 + 400*0.075 + 100*0.60) / 1e6,
	},
	// The server refuses max_tokens, and every temperature except 1.
	"gpt-reasoning": {
		"api.openai.com/v1/chat/completions", bearer,
		`{"max_completion_tokens":8192,"model":"gpt-5-mini","reasoning_effort":"low","seed":7}`,
		openAIForm, openAIUsage, (600*0.25 + 400*0.025 + 100*2) / 1e6,
	},
	"azure": {
		"my-resource.openai.azure.com/openai/deployments/my-deployment/chat/completions" +
			"?api-version=2024-10-21", "Api-Key: " + providerKey,
		`{"max_tokens":8192,"model":"gpt-4o-mini","seed":7,"temperature":0.8}`,
		strings.Replace(commonForm, `"choices"`, `"prompt_filter_results":[{"prompt_index":0,`+
			`"content_filter_results":{}}],"choices"`, 1),
		usage1100, (1000*0.15 + 100*0.60) / 1e6,
	},
	"azure-reasoning": {
		"my-resource.openai.azure.com/openai/deployments/my-reasoning/chat/completions" +
			"?api-version=2024-12-01-preview", "Api-Key: " + providerKey,
		`{"max_completion_tokens":8192,"model":"my-reasoning","seed":7}`,
		commonForm, usage1100, -1,
	},
	"router": {
		"openrouter.ai/api/v1/chat/completions",
		bearer + "\nHttp-Referer: https://example.org\nX-Title: pacebench",
		`{"max_tokens":8192,"model":"meta-llama/llama-3.3-70b-instruct",` +
			`"provider":{"allow_fallbacks":false,"order":["deepinfra"]},` +
			`"seed":7,"temperature":0.8}`,
		`{"provider":"DeepInfra","choices":[{"message":{"content":"ok","reasoning":null},` +
			`"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":100,` +
			`"cost":0.00042,"is_byok":false,"cost_details":{"upstream_inference_cost":null},` +
			`"prompt_tokens_details":{"cached_tokens":0}}}`,
		llm.Usage{Prompt: 1000, Completion: 100, Cost: 0.00042}, 0.00042,
	},
	"ollama": {
		"localhost:11434/v1/chat/completions", "",
		`{"max_tokens":8192,"model":"qwen2.5-coder:7b","seed":7,"temperature":0.8}`,
		commonForm, usage1100, 0,
	},
	"small": {
		"127.0.0.1:8085/v1/chat/completions", "",
		`{"max_tokens":700,"model":"qwen2.5-coder-1.5b","seed":7,"stop_repeats":true,` +
			`"temperature":0.8}`,
		commonForm, usage1100, 0,
	},
	"vllm": {
		"localhost:8000/v1/chat/completions", "",
		`{"max_tokens":4096,"model":"Qwen/Qwen2.5-Coder-32B-Instruct","repetition_penalty":1.05,` +
			`"seed":7,"temperature":0.8,"top_k":20}`,
		strings.NewReplacer(`"ok"`, `"ok","reasoning_content":null,"tool_calls":[]`,
			`1100`, `1100,"prompt_tokens_details":null`).Replace(commonForm),
		usage1100, -1,
	},
	// DeepSeek sends empty lines before the answer while a request waits.
	"deepseek": {
		"api.deepseek.com/v1/chat/completions", bearer,
		`{"max_tokens":8192,"model":"deepseek-chat","seed":7,"temperature":0.8}`,
		"\n\n\n" + strings.NewReplacer(`"ok"`, `"ok","reasoning_content":"first I think"`,
			`1100`, `1100,"prompt_cache_hit_tokens":640,"prompt_cache_miss_tokens":360,`+
				`"completion_tokens_details":{"reasoning_tokens":30}`).Replace(commonForm),
		llm.Usage{Prompt: 1000, Cached: 640, Completion: 100, Reasoning: 30},
		(360*0.28 + 640*0.028 + 100*0.42) / 1e6,
	},
	// The server refuses fields that it does not know, such as seed. Its total_tokens include
	// reasoning tokens.
	"gemini": {
		"generativelanguage.googleapis.com/v1beta/openai/chat/completions", bearer,
		`{"max_tokens":8192,"model":"gemini-2.5-flash","reasoning_effort":"low",` +
			`"temperature":0.8}`,
		strings.Replace(commonForm, "1100", "1600", 1),
		llm.Usage{Prompt: 1000, Completion: 600, Reasoning: 500}, (1000*0.30 + 600*2.50) / 1e6,
	},
}

// RoundTrip checks a request, and answers it.
func (p provider) RoundTrip(r *http.Request) (*http.Response, error) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	delete(body, "messages")
	delete(body, "stream")
	sent, err := json.Marshal(body)
	headers := ""
	for _, name := range []string{"Authorization", "Api-Key", "Http-Referer", "X-Title"} {
		if value := r.Header.Get(name); value != "" {
			headers += name + ": " + value + "\n"
		}
	}
	if url := r.URL.Host + r.URL.RequestURI(); url != p.url || string(sent) != p.body ||
		strings.TrimSpace(headers) != p.headers {
		err = errors.Join(err, fmt.Errorf("%s is sent\n%s%s", url, headers, sent))
	}
	w := httptest.NewRecorder()
	_, _ = w.WriteString(p.form)
	return w.Result(), err
}

// TestProfilesInDocumentation sends a request with every profile that a page shows to a fake of its
// server.
func TestProfilesInDocumentation(t *testing.T) {
	profiles := documentedProfiles(t, filepath.Join("..", "docs", "models.md"))
	golden.Same(t, "profiles", slices.Sorted(maps.Keys(providers)),
		slices.Sorted(maps.Keys(profiles)))
	for name, want := range providers {
		t.Run(name, func(t *testing.T) {
			p := profiles[name]
			cfg, err := p.Config(func(string) (string, bool) { return providerKey, true })
			must.Do(t, err)
			cfg.Transport = want
			m, err := llm.NewOpenAI(cfg)
			must.Do(t, err)
			defer m.Close()
			reply, err := m.Complete(t.Context(), llm.Request{
				Purpose: "algorithm/I1", System: "s", User: llm.Text("q"), Temperature: 0.8,
				MaxTokens: 8192, Draw: 7,
			})
			must.Do(t, err)
			golden.Same(t, "the usage of "+reply.Text, want.usage, reply.Usage)
			price, err := p.Price()
			must.Do(t, err)
			usd, known := price.Cost(reply.Usage)
			if known != (want.usd >= 0) || known && math.Abs(usd-want.usd) > 1e-12 {
				t.Errorf("cost %g, known %v; want %g", usd, known, want.usd)
			}
		})
	}
}

// documentedProfiles are the profiles in a page's TOML blocks.
func documentedProfiles(t *testing.T, page string) map[string]llm.Profile {
	t.Helper()
	text := must.Read(t, page)
	profiles := map[string]llm.Profile{}
	for _, b := range tomlBlock.FindAllStringSubmatch(string(text), -1) {
		some, err := suite.ReadModels(write(t, filepath.Join(t.TempDir(), "models.toml"), b[1]))
		if err != nil {
			t.Errorf("%v\n%s", err, b[1])
		}
		for name, p := range some {
			if _, twice := profiles[name]; twice {
				t.Errorf("profile %s appears twice", name)
			}
			profiles[name] = p
		}
	}
	return profiles
}
