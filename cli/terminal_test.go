package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/suite"
)

// A screen is a terminal of 100 columns and 30 rows with its own process.
type screen struct {
	vt10x.Terminal
	tty   *os.File
	raw   strings.Builder // to read after the process has ended
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

// TestStatusOnATerminal runs PACE in its own terminal, with a server that answers every request
// with 429 (too many requests). It checks that the display shows the wait, in two sizes of the
// window, and that Ctrl-C leaves a clean terminal.
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

// TestTextInADumbTerminal checks that a terminal without control sequences gets the result, and no
// control sequences.
func TestTextInADumbTerminal(t *testing.T) {
	pyenv.ForTest(t)
	cmd := process(t, "run", "--task", "tsp-construct", "--method", "randsample",
		"--evals", "2", "--test", "none", "--out", t.TempDir())
	cmd.Env = append(cmd.Env, "TERM=dumb")
	screen := startOnScreen(t, cmd)
	<-screen.ended
	must.Do(t, cmd.Wait())
	if said := screen.raw.String(); strings.Contains(said, "\x1b") ||
		!strings.Contains(said, "2/2 evaluations") {
		t.Errorf("%q", said)
	}
}

func TestForecastsFitTheTerminal(t *testing.T) {
	rows := []*suite.Forecast{
		{Task: "tsp-aco", Method: "aco", Runs: 1, Source: "no search"},
		{Task: "tsp-aco", Method: "pace@operators=P2,P3,P4", Model: "gpt-4o-mini", Runs: 3,
			Evaluations: 3000, Requests: 3750, Tokens: 123.45e6, Hours: 10.6, Usd: 101.34,
			Source: "the paper's tokens"},
		{Task: "racing-car", Method: "pace", Model: "gpt-4o-mini+eap=gemini-3.1-flash-lite",
			Runs: 3, Source: "the paper's tokens"},
		{Task: "tsp-aco", Method: "eoh", Model: "gpt-4o-mini", Runs: 3, Source: "data/costs.toml"},
	}
	total := suite.Forecast{Task: "total"}
	for _, f := range rows {
		total.Add(*f)
	}
	for columns, from := range map[int]bool{80: false, 120: true} {
		var b strings.Builder
		must.Do(t, printForecasts(&b, rows, &total, true, columns))
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(line) - 1; n > columns {
				t.Errorf("%d columns in %d: %q", n, columns, line)
			}
		}
		if got := strings.Contains(b.String(), "the paper's tokens"); got != from {
			t.Errorf("%d columns: what rows are estimated from is shown: %v\n%s",
				columns, got, b.String())
		}
		if n := strings.Count(b.String(), "tsp-aco, gpt-4o-mini\n"); n != 1 {
			t.Errorf("the rows of a task and a model are in %d places\n%s", n, b.String())
		}
	}
}

func TestNothingControlsTheTerminal(t *testing.T) {
	var b bytes.Buffer
	w := printable(&b)
	hostile := "a\x1b[31mb\r\x07\u009b2J\u202ec\u200b \xff\x7f"
	printError(w, hint.Add(errors.New(hostile), hostile))
	fmt.Fprintln(w, "±×é日本 …\u00a0\tx")
	want := "pacebench: error: a?[31mb???2J?c? \ufffd?\n" +
		"pacebench: hint: a?[31mb???2J?c? \ufffd?\n±×é日本 …\u00a0\tx\n"
	if b.String() != want {
		t.Errorf("printed %q\nwant    %q", b.String(), want)
	}
	b.Reset()
	for _, c := range []byte("92.40 ± 7.69 日本\n") { // a rune in pieces
		if _, err := w.Write([]byte{c}); err != nil {
			t.Fatal(err)
		}
	}
	if b.String() != "92.40 ± 7.69 日本\n" {
		t.Errorf("printed %q", b.String())
	}
}
