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

// TestBesideLLM4AD runs scripts/beside-llm4ad with a server that always writes best fit.
func TestBesideLLM4AD(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	pyenv.ForTestWith(t, "llm4ad")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"model": "m", "choices": [{"finish_reason": "stop", "message": {"role": `+
			`"assistant", "content": "{Best fit.}\n%s"}}], "usage": {"prompt_tokens": 10, `+
			`"completion_tokens": 5, "total_tokens": 15}}`, "```python\\nimport numpy as np\\n\\n"+
			"def priority(item: float, bins: np.ndarray) -> np.ndarray:\\n"+
			"    return item - bins\\n```")
	}))
	defer server.Close()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "pacebench"), "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script, err := filepath.Abs("../scripts/beside-llm4ad")
	must.Do(t, err)
	cmd := exec.Command("python3", script, "--evals", "3", "--seeds", "1")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SMALL_MODEL_URL="+server.URL+"/v1",
		"PATH="+dir+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "No matching distribution found for pytz") {
		t.Skip("no network")
	}
	for _, row := range []string{
		`\| LLM4AD \| 1 \| 3 \| 30 \| 15 \| 3 \| 0 \| 2091.8 \| \d+ \|`,
		`\| pacebench \| 1 \| 3 \| 30 \| 15 \| 3 \| 0 \| 2091.8 \| \d+ \|`,
	} {
		if err != nil || !regexp.MustCompile(row).Match(out) {
			t.Fatalf("no row %s, %v:\n%s", row, err, out)
		}
	}
}
