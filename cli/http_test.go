package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/tasks"
)

// secret is an API key that must not be found anywhere.
const secret = "sk-test-3f9a77e1c0ffee"

// TestOfflineBehindHTTPGivesTheSameJournal runs PACE on the embedded model directly and through the
// real client.
func TestOfflineBehindHTTPGivesTheSameJournal(t *testing.T) {
	pyenv.ForTest(t)
	base := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates())).URL
	dir := t.TempDir()
	run := func(out string, extra ...string) []byte {
		cmd := process(t, append([]string{"run", "--task", "tsp-construct", "--method", "pace",
			"--evals", "60", "--test", "none", "--out", filepath.Join(dir, out)}, extra...)...)
		cmd.Env = append(cmd.Env, "OPENAI_API_KEY="+secret)
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		return readJournal(t, filepath.Join(dir, out))
	}
	direct := run("direct")
	http := run("http", "--model", "openai:offline", "--base-url", base)
	_, directSteps, _ := bytes.Cut(direct, []byte("\n"))
	_, httpSteps, _ := bytes.Cut(http, []byte("\n"))
	if !bytes.Equal(directSteps, httpSteps) {
		t.Error("the journals differ in more than their headers")
	}
	grepSecret(t, dir)
}

// TestFaultsOfAServerLoseNothing runs with a server that fails in every way, and wants the journal
// of a good server.
func TestFaultsOfAServerLoseNothing(t *testing.T) {
	pyenv.ForTest(t)
	dir := t.TempDir()
	run := func(out string, faults ...llmtest.Fault) []byte {
		server := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
		server.Next(faults...)
		cmd := process(t, "run", "--task", "tsp-construct", "--method", "eoh", "--evals", "40",
			"--test", "none", "--model", "openai:offline", "--base-url", server.URL,
			"--request-timeout", "3s", "--out", filepath.Join(dir, out))
		cmd.Env = append(cmd.Env, "OPENAI_API_KEY="+secret)
		start := time.Now()
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("after %v: %v\n%s", time.Since(start), err, msg)
		}
		return readJournal(t, filepath.Join(dir, out))
	}
	good := run("good")
	bad := run("bad",
		llmtest.RateLimited("1"), llmtest.Status(500, "server_error", "oops"), llmtest.Page(502),
		llmtest.Status(503, "overloaded", "busy"), llmtest.Cut(), llmtest.Drop(), llmtest.Hang(),
		llmtest.NoChoices(), llmtest.Slow(5, 20*time.Millisecond), llmtest.Page(200))
	if !bytes.Equal(good, bad) {
		t.Error("a server's faults changed the journal")
	}
	grepSecret(t, dir)
}

// TestFatalAnswersEndTheRunAtOnce wants one line, status 1, and a run that continues when the cause
// is gone.
func TestFatalAnswersEndTheRunAtOnce(t *testing.T) {
	pyenv.ForTest(t)
	for name, fault := range map[string]llmtest.Fault{
		"wrong key":     llmtest.WrongKey(),
		"quota":         llmtest.Quota(),
		"unknown model": llmtest.Status(404, "model_not_found", "The model does not exist"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			server := llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
			args := []string{"run", "--task", "tsp-construct", "--method", "randsample",
				"--evals", "8", "--test", "none",
				"--model", "openai:offline", "--base-url", server.URL, "--out", dir}
			server.Next(fault)
			cmd := process(t, args...)
			cmd.Env = append(cmd.Env, "OPENAI_API_KEY="+secret)
			msg, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != 1 ||
				!bytes.Contains(msg, []byte("pacebench: error: ")) ||
				bytes.Contains(msg, []byte("goroutine")) {
				t.Errorf("%v\n%s", err, msg)
			}
			if bytes.Contains(msg, []byte(secret)) {
				t.Errorf("the key is in %s", msg)
			}
			again := process(t, args...)
			again.Env = append(again.Env, "OPENAI_API_KEY="+secret)
			if msg, err := again.CombinedOutput(); err != nil {
				t.Errorf("the same command afterwards: %v\n%s", err, msg)
			}
			grepSecret(t, dir)
		})
	}
}

// grepSecret looks for the API key in every file below dir.
func grepSecret(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the API key is in %s", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files read, %v", files, err)
	}
}
