package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

// A provider is the request to a server of docs/models.md. Tests of llm have the answers and the
// error messages of servers.
type provider struct{ url, headers, body string } // body omits messages and stream

const bearer = "Authorization: Bearer " + providerKey

var providers = map[string]provider{
	"mini": {"api.openai.com/v1/chat/completions", bearer,
		`{"max_tokens":8192,"model":"gpt-4o-mini","seed":7,"temperature":0.8}`},
	// The server refuses max_tokens, and every temperature except 1.
	"gpt-reasoning": {"api.openai.com/v1/chat/completions", bearer,
		`{"max_completion_tokens":8192,"model":"gpt-5-mini","reasoning_effort":"low","seed":7}`},
	"azure": {
		"my-resource.openai.azure.com/openai/deployments/my-deployment/chat/completions" +
			"?api-version=2024-10-21", "Api-Key: " + providerKey,
		`{"max_tokens":8192,"model":"gpt-4o-mini","seed":7,"temperature":0.8}`},
	"azure-reasoning": {
		"my-resource.openai.azure.com/openai/deployments/my-reasoning/chat/completions" +
			"?api-version=2024-12-01-preview", "Api-Key: " + providerKey,
		`{"max_completion_tokens":8192,"model":"my-reasoning","seed":7}`},
	"router": {"openrouter.ai/api/v1/chat/completions",
		bearer + "\nHttp-Referer: https://example.org\nX-Title: pacebench",
		`{"max_tokens":8192,"model":"meta-llama/llama-3.3-70b-instruct",` +
			`"provider":{"allow_fallbacks":false,"order":["deepinfra"]},` +
			`"seed":7,"temperature":0.8}`},
	"ollama": {"localhost:11434/v1/chat/completions", "",
		`{"max_tokens":8192,"model":"qwen2.5-coder:7b","seed":7,"temperature":0.8}`},
	"small": {"127.0.0.1:8085/v1/chat/completions", "",
		`{"max_tokens":700,"model":"qwen2.5-coder-1.5b","seed":7,"stop_repeats":true,` +
			`"temperature":0.8}`},
	"vllm": {"localhost:8000/v1/chat/completions", "",
		`{"max_tokens":4096,"model":"Qwen/Qwen2.5-Coder-32B-Instruct","repetition_penalty":1.05,` +
			`"seed":7,"temperature":0.8,"top_k":20}`},
	"deepseek": {"api.deepseek.com/v1/chat/completions", bearer,
		`{"max_tokens":8192,"model":"deepseek-chat","seed":7,"temperature":0.8}`},
	// The server refuses fields that it does not know, such as seed.
	"gemini": {"generativelanguage.googleapis.com/v1beta/openai/chat/completions", bearer,
		`{"max_tokens":8192,"model":"gemini-2.5-flash","reasoning_effort":"low",` +
			`"temperature":0.8}`},
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
	var headers []string
	for _, name := range []string{"Authorization", "Api-Key", "Http-Referer", "X-Title"} {
		if value := r.Header.Get(name); value != "" {
			headers = append(headers, name+": "+value)
		}
	}
	got := provider{r.URL.Host + r.URL.RequestURI(), strings.Join(headers, "\n"), string(sent)}
	if got != p {
		err = errors.Join(err, fmt.Errorf("the request is %q", got))
	}
	w := httptest.NewRecorder()
	_, _ = w.WriteString(`{"choices":[{"message":{"content":"ok"}}]}`)
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
			_, err = m.Complete(t.Context(), llm.Request{
				Purpose: "algorithm/I1", System: "s", User: llm.Text("q"), Temperature: 0.8,
				MaxTokens: 8192, Draw: 7,
			})
			must.Do(t, err)
			_, err = p.Price()
			must.Do(t, err)
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
