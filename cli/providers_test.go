package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/suite"
)

// tomlBlock is a fenced block of TOML in a page.
var tomlBlock = regexp.MustCompile("(?ms)^```toml\n(.*?)^```$")

// A provider is a fake of a server's habits: it answers a chat request, or refuses it as the
// server would. Its answer's text is "ok".
type provider func(r *http.Request, body map[string]any) (status int, answer string)

const providerKey = "sk-provider-key-0123456789"

// chatAnswer is the common part of all answers.
func chatAnswer(model any, more, message, usage string) string {
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion","created":1,"model":%q%s,`+
		`"choices":[{"index":0,"message":{"role":"assistant","content":"ok"%s},`+
		`"finish_reason":"stop"}],"usage":%s}`, model, more, message, usage)
}

func bearer(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer "+providerKey }

func refused(message, param string) string {
	return fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error","param":%q,`+
		`"code":"unsupported_value"}}`, message, param)
}

// reasoningRules are the rules of OpenAI's models, on its own servers and on Azure's.
func reasoningRules(body map[string]any) string {
	if _, ok := body["max_tokens"]; ok {
		return refused("Unsupported parameter: 'max_tokens' is not supported with this model. "+
			"Use 'max_completion_tokens' instead.", "max_tokens")
	}
	if t, ok := body["temperature"]; ok && t != 1.0 {
		return refused("Unsupported value: 'temperature' does not support this value with this "+
			"model. Only the default (1) value is supported.", "temperature")
	}
	return ""
}

// providers are the hosts of docs/models.md with their behaviour.
var providers = map[string]provider{
	"api.openai.com": func(r *http.Request, body map[string]any) (int, string) {
		switch model := body["model"].(string); {
		case r.URL.Path != "/v1/chat/completions":
			return 404, `{"error":{"message":"Invalid URL","type":"invalid_request_error"}}`
		case !bearer(r):
			return 401, `{"error":{"message":"Incorrect API key provided",` +
				`"code":"invalid_api_key"}}`
		case strings.HasPrefix(model, "gpt-5"):
			if no := reasoningRules(body); no != "" {
				return 400, no
			}
			if body["reasoning_effort"] != "low" {
				return 400, refused("the effort did not arrive", "reasoning_effort")
			}
		}
		return 200, chatAnswer(body["model"],
			`,"system_fingerprint":"fp","service_tier":"default"`,
			`,"refusal":null,"annotations":[]`,
			`{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100,`+
				`"prompt_tokens_details":{"cached_tokens":400,"audio_tokens":0},`+
				`"completion_tokens_details":{"reasoning_tokens":64}}`)
	},
	"my-resource.openai.azure.com": func(r *http.Request, body map[string]any) (int, string) {
		deployment, ok := strings.CutPrefix(r.URL.Path, "/openai/deployments/")
		deployment, chat := strings.CutSuffix(deployment, "/chat/completions")
		version := r.URL.Query().Get("api-version")
		switch {
		case r.Header.Get("Api-Key") != providerKey || r.Header.Get("Authorization") != "":
			return 401, `{"error":{"code":"401","message":"Access denied due to invalid ` +
				`subscription key or wrong API endpoint."}}`
		case !ok || !chat ||
			!regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(-preview)?$`).MatchString(version):
			return 404, `{"error":{"code":"404","message":"Resource not found"}}`
		case deployment == "my-reasoning":
			if no := reasoningRules(body); no != "" {
				return 400, no
			}
		}
		return 200, chatAnswer("gpt-4o-mini-2024-07-18",
			`,"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]`, "",
			`{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100}`)
	},
	"openrouter.ai": func(r *http.Request, body map[string]any) (int, string) {
		routing, _ := body["provider"].(map[string]any)
		switch {
		case r.URL.Path != "/api/v1/chat/completions":
			return 404, "<!DOCTYPE html><html><title>Not Found</title></html>"
		case !bearer(r):
			return 401, `{"error":{"message":"No auth credentials found","code":401}}`
		case r.Header.Get("HTTP-Referer") == "" || r.Header.Get("X-Title") == "" ||
			routing["allow_fallbacks"] != false:
			return 200, `{"error":{"message":"headers or provider did not arrive","code":400}}`
		}
		return 200, chatAnswer(body["model"], `,"provider":"DeepInfra"`, `,"reasoning":null`,
			`{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100,"cost":0.00042,`+
				`"is_byok":false,"cost_details":{"upstream_inference_cost":null},`+
				`"prompt_tokens_details":{"cached_tokens":0}}`)
	},
	"localhost:11434": local, // Ollama
	"127.0.0.1:8085":  local, // scripts/small-model
	// vLLM, --max-model-len 8192
	"localhost:8000": func(_ *http.Request, body map[string]any) (int, string) {
		if n, _ := body["max_tokens"].(float64); n > 8000 || body["max_completion_tokens"] != nil {
			return 400, `{"object":"error","message":"This model's maximum context length is ` +
				`8192 tokens. However, you requested 9192 tokens (1000 in the messages, 8192 ` +
				`in the completion). Please reduce the length of the messages or completion.",` +
				`"type":"BadRequestError","param":null,"code":400}`
		}
		if body["top_k"] != 20.0 || body["repetition_penalty"] != 1.05 {
			return 400, `{"object":"error","message":"extra fields did not arrive","code":400}`
		}
		return 200, chatAnswer(body["model"], `,"prompt_logprobs":null`,
			`,"reasoning_content":null,"tool_calls":[]`,
			`{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100,`+
				`"prompt_tokens_details":null}`)
	},
	"api.deepseek.com": func(r *http.Request, body map[string]any) (int, string) {
		if !bearer(r) {
			return 401, `{"error":{"message":"Authentication Fails (no such user)",` +
				`"type":"authentication_error","param":null,"code":"invalid_request_error"}}`
		}
		if n, _ := body["max_tokens"].(float64); n < 1 || n > 8192 {
			return 400, `{"error":{"message":"Invalid max_tokens value, the valid range of ` +
				`max_tokens is [1, 8192]","type":"invalid_request_error","param":null}}`
		}
		// While a request waits, empty lines come before the answer.
		return 200, "\n\n\n" + chatAnswer(body["model"], "", `,"reasoning_content":"first I think"`,
			`{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100,`+
				`"prompt_cache_hit_tokens":640,"prompt_cache_miss_tokens":360,`+
				`"completion_tokens_details":{"reasoning_tokens":30}}`)
	},
	"generativelanguage.googleapis.com": func(r *http.Request, body map[string]any) (int, string) {
		known := []string{"model", "messages", "temperature", "max_tokens",
			"max_completion_tokens", "reasoning_effort", "stream"}
		var unknown []string
		for _, name := range slices.Sorted(maps.Keys(body)) {
			if !slices.Contains(known, name) {
				unknown = append(unknown, fmt.Sprintf(
					"Invalid JSON payload received. Unknown name \"%s\": Cannot find field.", name))
			}
		}
		switch {
		case r.URL.Path != "/v1beta/openai/chat/completions":
			return 404, ""
		case !bearer(r):
			return 400, `[{"error":{"code":400,"message":"API key not valid. ` +
				`Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`
		case unknown != nil:
			message, _ := json.Marshal(strings.Join(unknown, "\n"))
			return 400, `[{"error":{"code":400,"message":` + string(message) +
				`,"status":"INVALID_ARGUMENT"}}]`
		}
		return 200, chatAnswer(body["model"], "", "",
			`{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1600}`)
	},
}

// local answers as Ollama does, without a key.
func local(r *http.Request, body map[string]any) (int, string) {
	if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "" {
		return 404, "404 page not found"
	}
	return 200, chatAnswer(body["model"], `,"system_fingerprint":"fp_ollama"`, "",
		`{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100}`)
}

// elsewhere sends every request to the fakes, which read the provider from a header.
type elsewhere struct{ to *url.URL }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Provider", r.URL.Host)
	r.URL.Scheme, r.URL.Host = e.to.Scheme, e.to.Host
	return http.DefaultTransport.RoundTrip(r)
}

// TestProfilesInDocumentation asks every profile that a page shows, at a fake of its server.
func TestProfilesInDocumentation(t *testing.T) {
	fakes := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		data, err := io.ReadAll(r.Body)
		p := providers[r.Header.Get("X-Provider")]
		if err != nil || json.Unmarshal(data, &body) != nil || p == nil {
			t.Errorf("%s: no fake, or no JSON: %s", r.Header.Get("X-Provider"), data)
			return
		}
		status, answer := p(r, body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	defer fakes.Close()
	to, err := url.Parse(fakes.URL)
	must.Do(t, err)
	plain := llm.Usage{Prompt: 1000, Completion: 100}
	openai := llm.Usage{Prompt: 1000, Cached: 400, Completion: 100, Reasoning: 64}
	want := map[string]struct {
		usage llm.Usage
		usd   float64
	}{
		"mini":          {openai, (600*0.15 + 400*0.075 + 100*0.60) / 1e6},
		"gpt-reasoning": {openai, (600*0.25 + 400*0.025 + 100*2) / 1e6},
		"azure":         {plain, (1000*0.15 + 100*0.60) / 1e6}, "azure-reasoning": {plain, -1},
		"router": {llm.Usage{Prompt: 1000, Completion: 100, Cost: 0.00042}, 0.00042},
		"ollama": {plain, 0},
		"small":  {plain, 0},
		"vllm":   {plain, -1},
		"deepseek": {llm.Usage{Prompt: 1000, Cached: 640, Completion: 100, Reasoning: 30},
			(360*0.28 + 640*0.028 + 100*0.42) / 1e6},
		"gemini": {llm.Usage{Prompt: 1000, Completion: 600, Reasoning: 500},
			(1000*0.30 + 600*2.50) / 1e6},
	}
	seen := map[string]bool{}
	for name, p := range documentedProfiles(t, filepath.Join("..", "docs", "models.md")) {
		t.Run(name, func(t *testing.T) {
			seen[name] = true
			cfg, err := p.Config(func(string) (string, bool) { return providerKey, true })
			must.Do(t, err)
			cfg.Transport = elsewhere{to}
			m, err := llm.NewOpenAI(cfg)
			must.Do(t, err)
			defer m.Close()
			if providers[m.Host()] == nil {
				t.Fatalf("no fake of %s", m.Host())
			}
			reply, err := m.Complete(t.Context(), llm.Request{
				Purpose: "algorithm/I1", System: "s", User: llm.Text("q"), Temperature: 0.8,
				MaxTokens: 8192, Draw: 7,
			})
			must.Do(t, err)
			if d := cmp.Diff(want[name].usage, reply.Usage); reply.Text != "ok" || d != "" {
				t.Errorf("answer %q, usage (-want +got):\n%s", reply.Text, d)
			}
			price, err := p.Price()
			must.Do(t, err)
			usd, known := price.Cost(reply.Usage)
			if w := want[name].usd; known != (w >= 0) || known && (usd < w-1e-12 || usd > w+1e-12) {
				t.Errorf("cost %g, known %v; want %g", usd, known, w)
			}
		})
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("docs/models.md has no profile %s", name)
		}
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
				t.Errorf("profile %s stands there twice", name)
			}
			profiles[name] = p
		}
	}
	return profiles
}
