package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"github.com/pacebench/pacebench/bench/python"
)

// TestStatusOnATerminal runs PACE in a terminal of its own, against a server that refuses for now.
// It wants to see the wait, in two sizes of the window, and a clean terminal after Ctrl-C.
func TestStatusOnATerminal(t *testing.T) {
	python.ForTest(t)
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		http.Error(w, "busy", http.StatusTooManyRequests)
	}))
	defer busy.Close()
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "pace", "--evals", "40",
		"--test", "none", "--model", "openai:gpt", "--base-url", busy.URL+"/v1", "--jobs", "2",
		"--out", t.TempDir())
	cmd.Env = append(cmd.Env, "OPENAI_API_KEY="+secret, "TERM=xterm-256color", "NO_COLOR=")
	screen := vt10x.New(vt10x.WithSize(100, 30))
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var raw strings.Builder
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		io.Copy(io.MultiWriter(screen, &raw), tty) // ends with an error when the process does
	}()
	look := func(pattern string) {
		t.Helper()
		for range 6000 { // 5 minutes: only what hangs takes so long
			if regexp.MustCompile(pattern).MatchString(screen.String()) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("%q is not on the screen:\n%s", pattern, screen)
	}
	const waits = `  0/40  no score  \d+ requests?, .*\d+ s.* waiting \d+ s: 429 from 127\.0\.0\.1`
	look(`(?s)tsp-construct/pace/1` + waits)
	screen.Resize(60, 15)
	if err := pty.Setsize(tty, &pty.Winsize{Cols: 60, Rows: 15}); err != nil {
		t.Fatal(err)
	}
	look(`(?s)…[^ ]*pace/1` + waits)
	if n := strings.Count(screen.String(), "runs 0/1"); n != 1 {
		t.Errorf("%d overall lines after the window became smaller:\n%s", n, screen)
	}
	if _, err := tty.Write([]byte{'C' & 0x1f}); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("ended with %v after Ctrl-C", err)
	}
	<-ended
	if text := screen.String(); strings.Contains(text, "runs 0/") ||
		!strings.Contains(text, "pacebench: stopped") {
		t.Errorf("left on the terminal:\n%s", text)
	}
	if !screen.CursorVisible() || screen.Cursor().X != 0 {
		t.Errorf("the cursor is left at %+v, visible %v", screen.Cursor(), screen.CursorVisible())
	}
	if !strings.Contains(raw.String(), "\x1b[33m") {
		t.Error("no colour on a terminal that has them")
	}
}

// TestTextInADumbTerminal wants a terminal without control sequences to get none, and a result
// table that stands alone.
func TestTextInADumbTerminal(t *testing.T) {
	python.ForTest(t)
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "randsample",
		"--evals", "12", "--test", "test50", "--out", t.TempDir())
	cmd.Env = append(cmd.Env, "TERM=dumb")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	out, _ := io.ReadAll(tty) // ends with an error when the process does
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "\x1b") ||
		!strings.Contains(string(out), "12/12 evaluations") {
		t.Errorf("%q", out)
	}
}
