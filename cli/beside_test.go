//go:build linux

package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// TestBesideLLM4AD runs scripts/beside-llm4ad with a server that always writes best fit, and with a
// server that never writes a program.
func TestBesideLLM4AD(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTestWith(t, "llm4ad")
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "pacebench"), "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script, err := filepath.Abs("../scripts/beside-llm4ad")
	must.Do(t, err)
	run := func(reply, out, evals string) (string, error) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"model": "m", "choices": [{"finish_reason": "stop", "message": `+
				`{"role": "assistant", "content": %q}}], "usage": {"prompt_tokens": 10, `+
				`"completion_tokens": 5, "total_tokens": 15}}`, reply)
		}))
		defer server.Close()
		cmd := exec.Command("python3", script, "--evals", evals, "--seeds", "1", "--out", out)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "SMALL_MODEL_URL="+server.URL+"/v1",
			"PATH="+dir+":"+os.Getenv("PATH"))
		text, err := cmd.CombinedOutput()
		if strings.Contains(string(text), "No matching distribution found for pytz") {
			t.Skip("no network")
		}
		return string(text), err
	}
	const bestFit = "{Best fit.}\n```python\nimport numpy as np\n\n" +
		"def priority(item: float, bins: np.ndarray) -> np.ndarray:\n    return item - bins\n```"
	for _, c := range []struct {
		reply, out, evals string
		fails             bool
		want              []string
	}{
		{bestFit, "best-fit", "3", false, []string{
			`\| LLM4AD \| 1 \| 3 \| 30 \| 15 \| 3 \| 0 \| 2091.8 \| \d+ \|`,
			`\| pacebench \| 1 \| 3 \| 30 \| 15 \| 3 \| 0 \| 2091.8 \| \d+ \|`,
		}},
		{bestFit, "best-fit", "4", true, []string{"best-fit has runs with other settings"}},
		{"No code.", "no-code", "2", true, []string{
			`\| LLM4AD \| 1 \| 10 \| 100 \| 50 \| 0 \| 0 \| – \| 0 \|`,
			`\| pacebench \| 1 \| 10 \| 100 \| 50 \| 0 \| 0 \| – \| – \|`,
		}},
	} {
		text, err := run(c.reply, c.out, c.evals)
		for _, want := range c.want {
			if (err != nil) != c.fails || !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("no %s, %v:\n%s", want, err, text)
			}
		}
	}
}
