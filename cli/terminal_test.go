package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// A screen is a terminal of 100 columns and 30 rows with its own process.
type screen struct {
	vt10x.Terminal
	tty   *os.File
	raw   strings.Builder // to read once it has ended
	ended chan struct{}
}

func startOnScreen(t *testing.T, cmd *exec.Cmd) *screen {
	s := &screen{Terminal: vt10x.New(vt10x.WithSize(100, 30)), ended: make(chan struct{})}
	var err error
	if s.tty, err = pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.tty.Close() })
	go func() {
		defer close(s.ended)
		io.Copy(io.MultiWriter(s, &s.raw), s.tty) // ends with an error when the process does
	}()
	return s
}

// look waits for a pattern on the screen while the process runs.
func (s *screen) look(t *testing.T, pattern string) {
	t.Helper()
	for !regexp.MustCompile(pattern).MatchString(s.String()) {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-s.ended:
			t.Fatalf("%q was not on the screen:\n%s", pattern, s)
		}
	}
}

// TestALoopOnATerminal runs twenty programs of which one never ends. The screen must show it while
// it uses up its time, and then as a failure. The last answer waits until the screen has shown it.
func TestALoopOnATerminal(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("takes 30 s of CPU time: scripts/test-long")
	}
	pyenv.ForTest(t)
	var asked atomic.Int32
	seen := make(chan struct{})
	server := llmtest.New(t, &llm.Scripted{
		Answer: func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
			n, body := asked.Add(1), "while True: pass"
			if n > 1 {
				body = fmt.Sprintf("return unvisited_nodes[%d %% len(unvisited_nodes)]", n)
			}
			if n == 20 {
				select {
				case <-seen:
				case <-ctx.Done():
				}
			}
			return llm.Reply{Text: "```python\ndef select_next_node(current_node, " +
				"destination_node, unvisited_nodes, distance_matrix):\n    " + body + "\n```"}, nil
		}})
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "randsample", "--evals", "20",
		"--test", "none", "--model", "openai:gpt", "--base-url", server.URL, "--jobs", "2",
		"--out", t.TempDir())
	cmd.Env = append(cmd.Env, "OPENAI_API_KEY="+secret, "TERM=xterm-256color")
	screen := startOnScreen(t, cmd)
	screen.look(t, `[1-9]\d* candidates?,[^,]* (s|min), CPU [1-9]\d* s of 30 s`)
	screen.look(t, `[^\d]1 failed`)
	close(seen)
	<-screen.ended
	if err := cmd.Wait(); err != nil || !strings.Contains(screen.raw.String(), "timeout 1") {
		t.Errorf("%v\n%s", err, screen)
	}
}

// TestStatusOnATerminal runs PACE in its own terminal, with a server that refuses for now. It wants
// to see the wait, in two sizes of the window, and a clean terminal after Ctrl-C.
func TestStatusOnATerminal(t *testing.T) {
	pyenv.ForTest(t)
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		http.Error(w, "busy", http.StatusTooManyRequests)
	}))
	defer busy.Close()
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "pace", "--evals", "40",
		"--test", "none", "--model", "openai:gpt", "--base-url", busy.URL+"/v1", "--jobs", "2",
		"--out", t.TempDir())
	cmd.Env = append(cmd.Env, "OPENAI_API_KEY="+secret, "TERM=xterm-256color", "NO_COLOR=")
	screen := startOnScreen(t, cmd)
	const waits = `  0/40  no score  \d+ requests?, .*\d+ s.* waiting \d+ s: 429 from 127\.0\.0\.1`
	screen.look(t, `(?s)tsp-construct/pace/1`+waits)
	screen.Resize(60, 15)
	must.Do(t, pty.Setsize(screen.tty, &pty.Winsize{Cols: 60, Rows: 15}))
	screen.look(t, `(?s)…[^ ]*pace/1`+waits)
	if n := strings.Count(screen.String(), "runs 0/1"); n != 1 {
		t.Errorf("%d overall lines after the window became smaller:\n%s", n, screen)
	}
	if _, err := screen.tty.Write([]byte{'C' & 0x1f}); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("ended with %v after Ctrl-C", err)
	}
	<-screen.ended
	if text := screen.String(); strings.Contains(text, "runs 0/") ||
		!strings.Contains(text, "pacebench: stopped") {
		t.Errorf("left on the terminal:\n%s", text)
	}
	if !screen.CursorVisible() || screen.Cursor().X != 0 {
		t.Errorf("the cursor is left at %+v, visible %v", screen.Cursor(), screen.CursorVisible())
	}
	if !strings.Contains(screen.raw.String(), "\x1b[33m") {
		t.Error("no colour on a terminal that has them")
	}
}

// TestTextInADumbTerminal wants the result table, without control sequences, in a terminal that
// does not support them.
func TestTextInADumbTerminal(t *testing.T) {
	pyenv.ForTest(t)
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "randsample",
		"--evals", "12", "--test", "test50", "--out", t.TempDir())
	cmd.Env = append(cmd.Env, "TERM=dumb")
	tty, err := pty.Start(cmd)
	must.Do(t, err)
	defer tty.Close()
	out, _ := io.ReadAll(tty) // ends with an error when the process does
	must.Do(t, cmd.Wait())
	if strings.Contains(string(out), "\x1b") ||
		!strings.Contains(string(out), "12/12 evaluations") {
		t.Errorf("%q", out)
	}
}
