package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/offline"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
)

// secret is an API key that must not be found anywhere.
const secret = "sk-test-3f9a77e1c0ffee"

// embedded serves the embedded model as OpenAI would.
func embedded(t *testing.T) *llmtest.Server {
	return llmtest.New(t, offline.New(tasks.All(), offline.StatedRates()))
}

// TestOfflineBehindHTTPGivesTheSameJournal runs PACE with the embedded model, and with a server of
// the embedded model that first refuses the key and then fails in every temporary way. The refusal
// ends the command, and the same command continues the run.
func TestOfflineBehindHTTPGivesTheSameJournal(t *testing.T) {
	pyenv.ForTest(t)
	t.Setenv("OPENAI_API_KEY", secret)
	server, dir := embedded(t), t.TempDir()
	args := func(out string, extra ...string) []string {
		return append([]string{"run", "--task", "tsp-construct", "--method", "pace",
			"--set", "population=4", "--set", "generation-size=4", "--evals", "12",
			"--test", "none", "--out", filepath.Join(dir, out)}, extra...)
	}
	steps := func(out string) []byte {
		_, steps, _ := bytes.Cut(readJournal(t, filepath.Join(dir, out)), []byte("\n"))
		return steps
	}
	mustRun(t, args("direct")...)
	http := args("http", "--model", "openai:offline", "--base-url", server.URL,
		"--request-timeout", "3s")
	server.Next(llmtest.WrongKey())
	if said := mustFail(t, http...); strings.Contains(said, secret) {
		t.Errorf("the key is in %s", said)
	}
	server.Next(
		llmtest.RateLimited("1"), llmtest.Status(500, "server_error", "oops"), llmtest.Page(502),
		llmtest.Status(503, "overloaded", "busy"), llmtest.Cut(), llmtest.Drop(), llmtest.Hang(),
		llmtest.NoChoices(), llmtest.Slow(5, 20*time.Millisecond), llmtest.Page(200))
	mustRun(t, http...)
	if !bytes.Equal(steps("direct"), steps("http")) || server.Left() > 0 {
		t.Errorf("the journals differ in more than their headers; %d faults left", server.Left())
	}
	grepSecret(t, dir)
}

// TestAnswersSurviveAKill kills a run while answers wait for an earlier step. The same command asks
// only for the missing answer again.
func TestAnswersSurviveAKill(t *testing.T) {
	pyenv.ForTest(t)
	t.Setenv("OPENAI_API_KEY", secret)
	server, dir := embedded(t), t.TempDir()
	args := []string{"run", "--task", "tsp-construct", "--method", "randsample", "--evals", "6",
		"--test", "none", "--model", "openai:offline", "--base-url", server.URL, "--out", dir}
	server.Next(llmtest.Hang())
	cmd, out := alone(process(t, args...)), &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	must.Do(t, cmd.Start())
	answers := func() string {
		paths, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*", "1", suite.AnswersDir, "*"))
		return strings.Join(paths, "")
	}
	await(t, out, func() bool {
		kept, _ := os.ReadFile(answers())
		return bytes.Count(kept, []byte("\n")) == 3 // the other steps of the window
	})
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Wait()
	mustRun(t, args...)
	requests := bytes.Count(readJournal(t, dir), []byte(`"purpose":"`))
	if asked := server.Asked(); asked != requests+1 || requests < 6 || answers() != "" {
		t.Errorf("%d requests arrived, %d are in the journal; left: %q", asked, requests, answers())
	}
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
