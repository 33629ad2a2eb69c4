package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/tasks"
)

// secret is an API key that must not be found anywhere.
const secret = "sk-test-3f9a77e1c0ffee"

// embedded serves the embedded model as OpenAI would.
func embedded(t *testing.T) *llmtest.Server {
	return llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
}

// TestOfflineBehindHTTPGivesTheSameJournal runs PACE with the embedded model, and with a server of
// the embedded model that fails in every temporary way.
func TestOfflineBehindHTTPGivesTheSameJournal(t *testing.T) {
	pyenv.ForTest(t)
	t.Setenv("OPENAI_API_KEY", secret)
	server, dir := embedded(t), t.TempDir()
	steps := func(out string, extra ...string) []byte {
		mustRun(t, append([]string{"run", "--task", "tsp-construct", "--method", "pace",
			"--set", "population=4", "--set", "generation-size=4", "--evals", "12",
			"--test", "none", "--out", filepath.Join(dir, out)}, extra...)...)
		_, steps, _ := bytes.Cut(readJournal(t, filepath.Join(dir, out)), []byte("\n"))
		return steps
	}
	server.Next(
		llmtest.RateLimited("1"), llmtest.Status(500, "server_error", "oops"), llmtest.Page(502),
		llmtest.Status(503, "overloaded", "busy"), llmtest.Cut(), llmtest.Drop(), llmtest.Hang(),
		llmtest.NoChoices(), llmtest.Slow(5, 20*time.Millisecond), llmtest.Page(200))
	direct := steps("direct")
	http := steps("http", "--model", "openai:offline", "--base-url", server.URL,
		"--request-timeout", "3s")
	if !bytes.Equal(direct, http) || server.Left() > 0 {
		t.Errorf("the journals differ in more than their headers; %d faults left", server.Left())
	}
	grepSecret(t, dir)
}

// TestFatalAnswersEndTheRunAtOnce checks that the command prints one line and ends with status 1,
// and that the run continues when the cause is gone.
func TestFatalAnswersEndTheRunAtOnce(t *testing.T) {
	pyenv.ForTest(t)
	t.Setenv("OPENAI_API_KEY", secret)
	server, dir := embedded(t), t.TempDir()
	args := []string{"run", "--task", "tsp-construct", "--method", "randsample", "--evals", "20",
		"--test", "none", "--model", "openai:offline", "--base-url", server.URL, "--out", dir}
	for _, fault := range []llmtest.Fault{
		llmtest.WrongKey(), llmtest.Quota(),
		llmtest.Status(404, "model_not_found", "The model does not exist"),
	} {
		server.Next(fault)
		if said := mustFail(t, args...); strings.Contains(said, secret) {
			t.Errorf("the key is in %s", said)
		}
	}
	mustRun(t, args...)
	grepSecret(t, dir)
}

// grepSecret looks for the API key in every file below dir.
func grepSecret(t *testing.T, dir string) {
	t.Helper()
	files := 0
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the API key is in %s", path)
		}
		return err
	}))
	if files == 0 {
		t.Error("no file")
	}
}
