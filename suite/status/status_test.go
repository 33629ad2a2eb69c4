package status

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
)

// A window is a terminal for tests, with readable contents.
type window struct {
	vt10x.Terminal
	mu  sync.Mutex // vt10x guards only some of its methods
	raw bytes.Buffer
}

func (w *window) Resize(width, height int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Terminal.Resize(width, height)
}

func (w *window) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Terminal.String()
}

func newWindow(width, height int) *window {
	return &window{Terminal: vt10x.New(vt10x.WithSize(width, height))}
}

func (w *window) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.raw.Write(p)
	return w.Terminal.Write(p)
}

func (w *window) board(c Config) *Board {
	size := func() (int, int, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		width, height := w.Size()
		return width, height, nil
	}
	return open(w, &screen{w: w, size: size}, c)
}

// onBoard calls f with a board that shows a run that has begun, on a virtual clock.
func onBoard(t *testing.T, c Config, f func(*testing.T, *window, *Board, *Line)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWindow(100, 30)
		b := w.board(c)
		defer b.Close()
		f(t, w, b, begin(b, plan("tsp/pace/1")))
	})
}

// inText is onBoard without a terminal, with a plan of the given unit. f closes the board.
func inText(
	t *testing.T, c Config, unit string, f func(*testing.T, *Board, *Line, *bytes.Buffer),
) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		b := open(&out, nil, c)
		p := plan("tsp/pace/1")
		p.Unit = unit
		f(t, b, begin(b, p), &out)
	})
}

func begin(b *Board, p Plan) *Line {
	l := b.Add(p)
	l.Begin()
	return l
}

// rows returns the lines that are not empty.
func (w *window) rows() []string {
	var rows []string
	for l := range strings.SplitSeq(w.String(), "\n") {
		if l = strings.TrimRight(l, " \x00"); l != "" {
			rows = append(rows, l)
		}
	}
	return rows
}

func want(t *testing.T, got []string, patterns ...string) {
	t.Helper()
	if len(got) != len(patterns) {
		t.Fatalf("%d lines, want %d:\n%s", len(got), len(patterns), strings.Join(got, "\n"))
	}
	for i, p := range patterns {
		if !regexp.MustCompile("^" + p + "$").MatchString(got[i]) {
			t.Errorf("line %d: %q does not match %q", i+1, got[i], p)
		}
	}
}

// A server answers or fails after a wait.
type server struct {
	llm.Model
	wait    time.Duration
	failure error
}

func (s server) Name() string { return "openai:gpt" }

func (s server) Complete(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	select {
	case <-time.After(s.wait):
		return llm.Reply{}, s.failure
	case <-ctx.Done():
		return llm.Reply{}, ctx.Err()
	}
}

// ask sends requests for the run in the background.
func ask(t *testing.T, l *Line, n int, s server, limits llm.Limits) {
	m := l.Model(llm.NewLimiter(limits, "").Limit(llm.Retry(s, llm.RetryConfig{})))
	for range n {
		go m.Complete(t.Context(), llm.Request{})
	}
	synctest.Wait()
}

func plan(name string) Plan {
	return Plan{Name: name, Kind: "tsp", Budget: 100, Tests: true, Value: func(s float64) float64 {
		return -s
	}}
}

func score(v float64) *float64 { return &v }

func TestDisplayMovesWhileNothingIsCommitted(t *testing.T) {
	onBoard(t, Config{AtOnce: 1}, func(t *testing.T, w *window, _ *Board, l *Line) {
		l.Progress(bench.Progress{Evaluations: 40, Budget: 100, Best: score(-6.25), Tokens: 12345,
			Cost: 0.25})
		time.Sleep(time.Millisecond)
		ask(t, l, 5, server{wait: time.Minute}, llm.Limits{Concurrency: 3})
		seen := map[string]bool{}
		for range 10 {
			time.Sleep(time.Second)
			synctest.Wait()
			seen[w.String()] = true
		}
		if len(seen) != 10 {
			t.Errorf("%d different displays in 10 seconds", len(seen))
		}
		want(t, w.rows(),
			`tsp/pace/1  40/100  best 6\.25  12k tokens \$0\.250  3 requests, oldest `+
				`(9|10) s, 2 queued`,
			`█{5}░{9}  40 % evaluated  runs 0/1  ETA 15 s and tests  40 in the last minute  `+
				`10 s elapsed`,
			`  12k tokens \$0\.250`)
	})
}

func TestAnswersThatWaitForTheirTurn(t *testing.T) {
	onBoard(t, Config{AtOnce: 1}, func(t *testing.T, w *window, b *Board, _ *Line) {
		var percent atomic.Int64
		p := plan("tsp/mine/1")
		p.Waited = func() float64 { return float64(percent.Load()) / 100 }
		begin(b, p)
		for _, share := range []int64{4, 17} {
			percent.Store(share)
			time.Sleep(time.Second)
			synctest.Wait()
			shown := strings.Contains(w.String(), "answers waited 17 % of the time for their turn")
			if shown != (share == 17) {
				t.Errorf("%d %% is shown: %v\n%s", share, shown, w)
			}
		}
	})
}

func TestWaitingAfterAFailure(t *testing.T) {
	onBoard(t, Config{}, func(t *testing.T, w *window, _ *Board, l *Line) {
		host := "evil\x1b[2J\x07.example"
		ask(t, l, 1, server{failure: &llm.Error{
			Kind: llm.KindRate, Status: 429, Host: host, RetryAfter: 8 * time.Second,
		}}, llm.Limits{})
		time.Sleep(1100 * time.Millisecond)
		want(t, w.rows(), `tsp/pace/1  0/100  no score  1 request, 1 s, waiting 7 s: 429 from `+
			`evil\?\[2J\?.example`, `░.*`)
		w.Resize(60, 15)
		time.Sleep(time.Second)
		want(t, w.rows(), `tsp/pace/1  0/100  no score  1 request, 2 s`,
			`  waiting 6 s: 429 from evil.*`, `░.*`,
			`  0 in the last minute  2 s elapsed  1 retried`)
		w.Resize(60, 3)
		time.Sleep(time.Second)
		want(t, w.rows(), `tsp/pace/1  0/100  no score  waiting 5 s: 429 from evil\?\[2…`, `░.*`)
	})
}

// A running program uses half of a CPU. The display may query it only while it runs.
type running struct {
	bench.Target
	t     *testing.T
	begun time.Time
	ended bool
}

func (r *running) Limit() time.Duration { return 30 * time.Second }

func (r *running) CPU() time.Duration {
	if r.ended {
		r.t.Error("the display queried a program that has ended")
	}
	return time.Since(r.begun) / 2
}

func run(t *testing.T, l *Line) (end func()) {
	r := &running{t: t, begun: time.Now()}
	ended := l.Candidate(r)
	return func() { ended(); r.ended = true }
}

func TestRunningCandidates(t *testing.T) {
	purse := &llm.Purse{Max: 2}
	purse.Add(0.013) // includes the cost of a run that has ended
	onBoard(t, Config{Purse: purse}, func(t *testing.T, w *window, _ *Board, l *Line) {
		old := bench.Progress{Evaluations: 7, Budget: 100, Tokens: 900, Cost: 0.01, Failed: 2,
			Refused: 1, Replayed: true}
		l.Progress(old)
		end := run(t, l)
		time.Sleep(4 * time.Second)
		want(t, w.rows(),
			`tsp/pace/1  7/100  no score  900 tokens \$0\.010  1 candidate, 4 s, CPU 2 s of 30 s`,
			`█{0,1}░*  7 % evaluated  runs 0/1  ETA \?  0 in the last minute  4 s elapsed`,
			`  900 tokens \$0\.013 of 2\.00  2 failed, 1 refused`)
		endSecond := run(t, l)
		ask(t, l, 1, server{wait: time.Hour}, llm.Limits{})
		time.Sleep(8 * time.Second)
		want(t, w.rows(), `tsp/pace/1  7/100  no score  900 tokens \$0\.010  1 request, 8 s`,
			`  2 candidates, oldest 12 s, CPU 6 s of 30 s`, `░*.*`, `  900 .*`)
		end()
		now := old
		now.Evaluations, now.Failed, now.Replayed = 8, 3, false
		l.Progress(now)
		time.Sleep(2 * time.Second)
		want(t, w.rows(), `tsp/pace/1  8/100 .*1 request, 10 s, 1 candidate, 10 s, CPU 5 s of 30 s`,
			`█░.*  1 in the last minute`, `.*  3 failed, 1 refused`)
		endSecond()
		time.Sleep(time.Minute)
		want(t, w.rows(), `tsp/pace/1 .*`, `.*  0 in the last minute.*`, `.*  3 failed, 1 refused`)
		end = run(t, l)
		l.Testing(fakeTask(), []string{"test50"})
		time.Sleep(3 * time.Second)
		if text := w.String(); !strings.Contains(text, "test50 0/10, ETA ?") ||
			!strings.Contains(text, "1 candidate, 3 s, CPU") {
			t.Error(text)
		}
		end()
	})
}

func TestDisplayFitsEveryWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWindow(200, 60)
		b := w.board(Config{AtOnce: 12})
		defer b.Close()
		for i := range 12 {
			l := begin(b, plan(fmt.Sprintf("tsp-construct/方法-with-a-long-name/%d", i)))
			l.Progress(bench.Progress{Evaluations: i, Budget: 100,
				Best: score(-6.123456), Tokens: 54321})
			ask(t, l, 1, server{wait: time.Hour}, llm.Limits{})
		}
		sizes := [][2]int{{200, 60}, {100, 30}, {60, 15}, {40, 10}, {20, 5}, {10, 3}, {5, 2},
			{1, 1}, {60, 9}, {120, 20}}
		for _, s := range sizes {
			w.Resize(s[0], s[1])
			time.Sleep(time.Second)
			synctest.Wait()
			b.mu.Lock()
			lines := slices.Clone(b.screen.lines)
			b.mu.Unlock()
			if len(lines) >= s[1] {
				t.Errorf("%v: %d lines", s, len(lines))
			}
			for _, l := range lines {
				if n := ansi.StringWidth(l); n >= s[0] && n > 0 {
					t.Errorf("%v: a line of width %d: %q", s, n, l)
				}
			}
			if s[0] >= 40 && !strings.Contains(w.String(), "runs 0/12") {
				t.Errorf("%v: no overall line:\n%s", s, w)
			}
			// 12 runs and the overall line need 14 rows, including the free row.
			if more := strings.Contains(w.String(), "more"); more != (s[1] < 14) &&
				s[1] > 2 && s[0] > 10 {
				t.Errorf("%v: more shown: %v\n%s", s, more, w)
			}
		}
		b.Say("a message")
		if got := strings.Count(w.String(), "runs 0/12"); got != 1 {
			t.Errorf("%d overall lines after all sizes:\n%s", got, w)
		}
	})
}

func TestMessagesScrollAboveAndCloseLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWindow(40, 7)
		b := w.board(Config{})
		l := begin(b, plan("tsp/pace/1"))
		for i := range 9 {
			b.Say("message %d\x1b[31m\u202e", i)
			time.Sleep(time.Second)
		}
		b.Warn("a message that is longer than the terminal is wide")
		want(t, w.rows(), `message 8\?\[31m\?`,
			`a message that is longer than the termin`, `al is wide`,
			`tsp/pace/1  0/100  .*`, `░.*`, `  0 in the last minute  9 s elapsed`)
		b.Close()
		want(t, w.rows(), `message 8\?\[31m\?`,
			`a message that is longer than the termin`, `al is wide`)
		if y := w.Cursor(); y.X != 0 || !w.CursorVisible() {
			t.Errorf("cursor %+v, visible %v", y, w.CursorVisible())
		}
		if strings.Contains(w.raw.String(), "[31m") && !strings.Contains(w.raw.String(), "?[31m") {
			t.Error("a message's control characters reached the terminal")
		}
		l.Progress(bench.Progress{Evaluations: 50, Budget: 100}) // too late: nothing is shown
		if len(w.rows()) != 3 {
			t.Errorf("shown after Close:\n%s", w)
		}
	})
}

func TestColoursOnlyWhereWanted(t *testing.T) {
	for _, colour := range []bool{false, true} {
		w := newWindow(100, 30)
		b := w.board(Config{})
		b.screen.colour = colour
		begin(b, plan("tsp/pace/1")).
			Progress(bench.Progress{Evaluations: 50, Budget: 100, Best: score(-1)})
		b.show(time.Now())
		if got := regexp.MustCompile(`\x1b\[[0-9;]*m`).MatchString(w.raw.String()); got != colour {
			t.Errorf("colour %v: %q", colour, w.raw.String())
		}
		b.Close()
	}
}

// fakeTask returns a task whose instances take a second each.
func fakeTask() *bench.Task {
	return &bench.Task{
		Splits: []bench.Split{{Name: "train", Instances: 4}, {Name: "test50", Instances: 10},
			{Name: "test200", Instances: 20}},
		Score: func(context.Context, bench.Instance, bench.Target) (bench.Measure, error) {
			time.Sleep(time.Second)
			return bench.Measure{Value: 1}, nil
		},
		Rescore: &bench.Rescore{Top: 2, Replicates: 3,
			Score: func(context.Context, int, bench.Instance, bench.Target) (float64, error) {
				time.Sleep(time.Second)
				return 1, nil
			}},
	}
}

func TestTestsAndReevaluationWithTheirTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWindow(120, 30)
		b := w.board(Config{})
		defer b.Close()
		for _, name := range []string{"tsp/pace/1", "tsp/pace/2"} {
			l := begin(b, plan(name))
			l.Progress(bench.Progress{Evaluations: 100, Budget: 100})
			task := l.Testing(fakeTask(), []string{"test50", "test200"})
			look := func(patterns ...string) {
				t.Helper()
				time.Sleep(300 * time.Millisecond)
				want(t, slices.DeleteFunc(w.rows(),
					func(l string) bool { return strings.Contains(l, "done after") }), patterns...)
			}
			for i := range 12 {
				task.Rescore.Score(t.Context(), i/4, bench.Instance{Number: i % 4}, nil)
			}
			if name == "tsp/pace/1" {
				look(`tsp/pace/1  100/100  no score  re-evaluation 12/24, test50 0/10, test200 `+
					`0/20, ETA 12 s and tests`, `█+░*  .*ETA 12 s and tests.*|█+  .*ETA \?.*`)
			} else {
				look(`tsp/pace/2 .*re-evaluation 12/24, test50 0/10, test200 0/20, ETA (41|42) s`,
					`█+  .*ETA (41|42) s .*`)
			}
			done := make(chan bool)
			for _, s := range []string{"test50", "test200"} {
				go func() {
					sp, _ := task.Split(s)
					for i := range sp.Instances {
						task.Score(t.Context(), bench.Instance{Split: s, Number: i}, nil)
					}
					done <- true
				}()
			}
			time.Sleep(5 * time.Second)
			look(name+`  100/100  no score  test50 5/10, test200 5/20, ETA 15 s`, `█+░*  .*`)
			<-done
			<-done
			look(name+`  100/100  no score  tests done`, `█+░*  .*`)
			l.End(nil)
		}
	})
}

var control = regexp.MustCompile(`[^\n[:print:]█░]`)

func TestTextWithoutATerminal(t *testing.T) {
	inText(t, Config{AtOnce: 2}, "", func(t *testing.T, b *Board, l *Line, out *bytes.Buffer) {
		d := begin(b, plan("tsp/eoh/1"))
		l.Progress(bench.Progress{Evaluations: 9, Budget: 100})
		l.Progress(bench.Progress{Evaluations: 10, Budget: 100, Requests: 12, Best: score(-6.5)})
		want(t, lines(b, out), `tsp/pace/1: 10/100 evaluations, 12 requests, best 6.5; 5 % `+
			`evaluated, runs 0/2, ETA .*`)
		ask(t, l, 1, server{wait: time.Hour}, llm.Limits{})
		for range 3 {
			time.Sleep(time.Minute)
			synctest.Wait()
			want(t, lines(b, out),
				`5 % evaluated, runs 0/2, ETA .* and tests, \d+ in the last minute, .* elapsed`+
					`(, 1 retried)?; tsp/pace/1: 10/100 evaluations, 1 request, .*; `+
					`tsp/eoh/1: 0/100 evaluations, evaluating`)
		}
		l.Say("\x1b]0;title\x07")
		d.End(nil)
		l.End(errors.New("broken"))
		b.Close()
		want(t, lines(b, out), `tsp/pace/1: \?\]0;title\?`, `tsp/eoh/1: done after 3:00 min`)
	})
}

// A policy in training makes no requests, and its budget has a unit. Progress from a checkpoint
// does not count for the pace.
func TestTraining(t *testing.T) {
	inText(t, Config{}, "resets", func(t *testing.T, b *Board, l *Line, out *bytes.Buffer) {
		l.Progress(bench.Progress{Evaluations: 50, Budget: 100, Replayed: true, Best: score(-6.5)})
		want(t, lines(b, out), `tsp/pace/1: 50/100 resets, best 6.5; 50 % trained, .*, ETA \?.*`)
		time.Sleep(time.Minute)
		l.Progress(bench.Progress{Evaluations: 55, Budget: 100, Best: score(-6.5)})
		time.Sleep(time.Minute)
		synctest.Wait()
		want(t, lines(b, out),
			`50 % trained, .*, ETA \?, .*; tsp/pace/1: 50/100 resets, training`,
			`55 % trained, .*, ETA 17:.. min.*; tsp/pace/1: 55/100 resets, training`)
		b.Close()
	})
}

// Only a policy is trained: explain, tune and verify count programs, which they evaluate.
func TestPrograms(t *testing.T) {
	inText(t, Config{}, "programs", func(t *testing.T, b *Board, l *Line, out *bytes.Buffer) {
		l.Progress(bench.Progress{Evaluations: 10, Budget: 100})
		time.Sleep(time.Minute)
		synctest.Wait()
		want(t, lines(b, out), `tsp/pace/1: 10/100 programs; 10 % evaluated, .*`,
			`10 % evaluated, .*; tsp/pace/1: 10/100 programs, evaluating`)
		b.Close()
	})
}

// lines returns and clears the printed lines.
func lines(b *Board, out *bytes.Buffer) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := out.String()
	out.Reset()
	if control.MatchString(text) {
		return []string{fmt.Sprintf("control characters: %q", text)}
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func TestQuietShowsWarningsOnly(t *testing.T) {
	inText(t, Config{Quiet: true}, "", func(t *testing.T, b *Board, l *Line, out *bytes.Buffer) {
		l.Progress(bench.Progress{Evaluations: 50, Budget: 100})
		time.Sleep(10 * time.Minute)
		b.Say("a note")
		b.Warn("a warning")
		l.End(nil)
		b.Close()
		want(t, lines(b, out), "a warning")
	})
}
