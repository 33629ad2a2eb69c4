package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/note"
)

// climber is a method with a stream, notes, consultations inside the loop, and replies without a
// program.
type climber struct {
	Window int    `json:"window"`
	Prompt string `json:"-"` // a change of the method that the header does not show
}

// The notes of climber.
type (
	refused int
	seen    string
)

func (refused) Kind() string { return "refused" }
func (seen) Kind() string    { return "seen" }

func (c *climber) Notes() []note.Note { return []note.Note{refused(0), seen("")} }

func (c *climber) Name() string { return "climber" }

func (c *climber) Run(ctx context.Context, s *bench.Search) error {
	r := s.Rand("choice")
	type tried struct {
		source string
		score  float64
	}
	best, score, n := "", math.Inf(-1), 0
	for t, err := range bench.Stream(ctx, s, c.Window, func() bench.Job[tried] {
		prompt := fmt.Sprintf("%simprove %q with %d", c.Prompt, best, r.IntN(1000))
		return func(ctx context.Context, st *bench.Step) (tried, error) {
			reply, err := st.Ask(ctx, llm.Request{Purpose: "algorithm/x", User: llm.Text(prompt)})
			if err != nil || strings.HasPrefix(reply.Text, "rubbish") ||
				strings.HasPrefix(reply.Text, "I am sorry") { // an unusable reply of the kit
				st.Note(refused(st.Number()))
				return tried{"", math.Inf(-1)}, err
			}
			out, err := st.Evaluate(ctx, program.Program{Source: reply.Text})
			if !out.OK() {
				out.Score = math.Inf(-1)
			}
			return tried{reply.Text, out.Score}, err
		}
	}) {
		if err != nil {
			return err
		}
		if t.score > score {
			best, score = t.source, t.score
		}
		s.Note(seen(t.source))
		if n++; n%7 == 0 {
			reflect := func(ctx context.Context, st *bench.Step) (llm.Reply, error) {
				text := llm.Text("reflect on " + best)
				return st.Ask(ctx, llm.Request{Purpose: "reflection/x", User: text})
			}
			if _, err := bench.Consult(ctx, s, reflect); err != nil &&
				!errors.Is(err, bench.ErrSpent) {
				return err
			}
		}
	}
	return nil
}

// drain reads all results of a stream and returns its error.
func drain[T any](results iter.Seq2[T, error]) error {
	for _, err := range results {
		if err != nil {
			return err
		}
	}
	return nil
}

// model answers with a program made from the draw; about every tenth reply is unusable.
func model() *llm.Scripted {
	return llm.NewScripted(func(r llm.Request) string {
		if r.Draw%10 == 0 {
			return "rubbish"
		}
		return fmt.Sprintf("program %d", r.Draw)
	})
}

func journalOf(t *testing.T, dir string) []byte {
	t.Helper()
	return must.Read(t, filepath.Join(dir, "journal.jsonl"))
}

// TestConformance runs the checks of every method with a method that uses all parts of the engine.
func TestConformance(t *testing.T) {
	benchtest.Method(t, func() bench.Method { return &climber{Window: 4} })
}

// until executes a run until it has made the given number of evaluations, or to its end, and
// returns the last progress.
func until(t *testing.T, run *bench.Run, dir string, evaluations int) (p bench.Progress) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run.Progress = func(now bench.Progress) {
		if p = now; p.Evaluations == evaluations {
			cancel()
		}
	}
	if _, err := run.Execute(ctx, dir); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return p
}

// TestAResumedRunRepeatsNothing checks that old steps are answered from the journal, and that
// progress is the same as without a stop.
func TestAResumedRunRepeatsNothing(t *testing.T) {
	var e *benchtest.Evaluator
	execute := func(dir string, evaluations int) bench.Progress {
		e = &benchtest.Evaluator{FailShare: 0.2}
		run := benchtest.Prepare(t, &climber{Window: 3}, benchtest.Config{
			Model: model(), Evaluator: e, Budget: 80})
		run.Prices = llm.Prices{"": {In: 1, Out: 2}}
		return until(t, run, dir, evaluations)
	}
	dir, whole := t.TempDir(), execute(t.TempDir(), -1)
	execute(dir, 30)
	golden.Same(t, "progress", whole, execute(dir, -1))
	if e.Count() > 50 {
		t.Errorf("%d evaluations after 30 were journalled: want at most 50", e.Count())
	}
	if whole.Failed == 0 || whole.Refused == 0 || whole.Cost == 0 {
		t.Errorf("want failed programs, refused proposals and a cost: %+v", whole)
	}
}

// windowLast and windowFirst are two versions of a method, which list its settings in different
// orders.
type (
	windowLast struct {
		First int `json:"first"`
		climber
	}
	windowFirst struct {
		climber
		First int `json:"first"`
	}
)

// TestOrderOfSettings checks that a run can be continued and verified if the version that began it
// listed the settings in another order.
func TestOrderOfSettings(t *testing.T) {
	prepare := func(m bench.Method) *bench.Run {
		return benchtest.Prepare(t, m, benchtest.Config{Model: model(), Budget: 30})
	}
	dir := t.TempDir()
	until(t, prepare(&windowLast{1, climber{Window: 3}}), dir, 10)
	run := prepare(&windowFirst{climber{Window: 3}, 1})
	if p := until(t, run, dir, -1); p.Evaluations != 30 {
		t.Errorf("%d evaluations, want 30", p.Evaluations)
	}
	if !bytes.Contains(journalOf(t, dir), []byte(`"config":{"first":1,"window":3}`)) {
		t.Error("the header of the journal has changed")
	}
	if _, err := run.Verify(t.Context(), dir); err != nil {
		t.Error(err)
	}
	longer := prepare(&windowFirst{climber{Window: 3}, 1})
	longer.Header.Budget, longer.Header.Requests = 40, 200
	if p := until(t, longer, dir, -1); p.Evaluations != 40 {
		t.Errorf("%d evaluations with a larger budget, want 40", p.Evaluations)
	}
}

// TestPricesHaveDates checks that a price that is first given after a stop also counts for the
// earlier steps, that a changed price counts for later steps, and that a finished run keeps its
// prices.
func TestPricesHaveDates(t *testing.T) {
	dir := t.TempDir()
	run := func(prices llm.Prices, evaluations int) *record.Loaded {
		r := benchtest.Prepare(t, &climber{Window: 1}, benchtest.Config{Model: model(), Budget: 30})
		r.Prices = prices
		until(t, r, dir, evaluations)
		l, err := record.LoadJournal(dir)
		must.Do(t, err)
		return l
	}
	if l := run(nil, 5); l.Prices != nil {
		t.Fatalf("prices %+v before one is known", l.Prices)
	}
	cheap, dear := llm.Prices{"": {In: 1, Out: 1}}, llm.Prices{"": {In: 1000, Out: 1000}}
	done := 0
	for s := range run(cheap, 10).Steps() {
		done = s.Number + 1
	}
	l := run(dear, -1)
	if len(l.Prices) != 2 || l.Prices[0].From != 0 || l.Prices[0].Date == "" ||
		l.Prices[1].From != done {
		t.Fatalf("prices %+v after %d steps", l.Prices, done)
	}
	want := 0.0
	for s := range l.Steps() {
		for _, q := range s.Requests {
			price := cheap[""]
			if s.Number >= done {
				price = dear[""]
			}
			usd, _ := price.Cost(q.Reply.Usage)
			want += usd
		}
	}
	if got := l.Summarize().Paid(); want == 0 || math.Abs(got-want) > 1e-9*want {
		t.Errorf("%v USD, want %v", got, want)
	}
	var old llm.PriceList // prices of a run of an old version
	if err := json.Unmarshal([]byte(`{"":{"in":2,"cached":1,"out":3}}`), &old); err != nil ||
		old.At(7)[""].Out != 3 {
		t.Errorf("%+v, %v", old, err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(m *climber, r *bench.Run, dir string)
		want   error
		text   string
	}{
		{"another seed", func(_ *climber, r *bench.Run, _ string) {
			r.Header.Seed = 2
		}, record.ErrForeign, "header says seed = 1, this command says 2"},
		{"another setting", func(m *climber, r *bench.Run, _ string) {
			m.Window, r.Header.Config = 5, []byte(`{"window":5}`)
		}, record.ErrForeign, "config.window = 4, this command says 5"},
		{"another version of the method", func(_ *climber, r *bench.Run, _ string) {
			r.Header.MethodVersion = "2"
		}, record.ErrForeign,
			"version 1 of climber made the run, and this pacebench has version 2"},
		{"another version of the journal", func(_ *climber, _ *bench.Run, dir string) {
			edit(t, dir, `"format":1`, `"format":99`)
		}, record.ErrForeign, "format 99"},
		{"not a journal", func(_ *climber, _ *bench.Run, dir string) {
			replace(t, dir, []byte("{\"a\":1}\n"))
		}, record.ErrForeign, "first line is not a header"},
		{"a changed prompt", func(m *climber, _ *bench.Run, _ string) {
			m.Prompt = "please "
		}, bench.ErrDiverged, "now:     please improve"},
		{"an edited program", func(_ *climber, _ *bench.Run, dir string) {
			edit(t, dir, `"source":"program `, `"source":"prOgram `)
		}, bench.ErrDiverged, "evaluation 1"},
		{"a foreign line in the middle", func(_ *climber, _ *bench.Run, dir string) {
			edit(t, dir, "\n{\"note\"", "\n{\"other\"")
		}, nil, "not a record of this format"},
		{"half a line in the middle", func(_ *climber, _ *bench.Run, dir string) {
			edit(t, dir, "\n{\"note\":", "\n{\"note\"\n")
		}, journal.ErrCorrupt, "journal.jsonl:"},
		{"a digit of a score", func(_ *climber, _ *bench.Run, dir string) {
			data := journalOf(t, dir)
			data[bytes.Index(data, []byte(`"values":[`))+len(`"values":[`)] ^= 1
			must.Write(t, filepath.Join(dir, "journal.jsonl"), data)
		}, journal.ErrChanged, "journal.jsonl:"},
		{"a second process", func(_ *climber, _ *bench.Run, dir string) {
			lock, err := journal.TryLock(dir)
			must.Do(t, err)
			t.Cleanup(func() { lock.Unlock() })
		}, journal.ErrLocked, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &climber{Window: 4}
			c := benchtest.Config{Model: model(), Budget: 20, Dir: t.TempDir()}
			benchtest.Run(t, m, c)
			run := benchtest.Prepare(t, m, c)
			tt.change(m, run, c.Dir)
			before := journalOf(t, c.Dir)
			_, err := run.Execute(t.Context(), c.Dir)
			if err == nil || (tt.want != nil && !errors.Is(err, tt.want)) ||
				!strings.Contains(err.Error(), tt.text) || tt.text == "" && hint.Of(err) == "" {
				t.Errorf("Execute = %v, hint %q\nwant %v with %q", err, hint.Of(err), tt.want,
					tt.text)
			}
			if !bytes.Equal(before, journalOf(t, c.Dir)) {
				t.Error("the refused journal was changed")
			}
		})
	}
}

// replace replaces the journal in a directory and removes its checksums.
func replace(t *testing.T, dir string, data []byte) {
	t.Helper()
	must.Write(t, filepath.Join(dir, "journal.jsonl"), data)
	must.Do(t, os.Remove(filepath.Join(dir, "journal.crc")))
}

// edit replaces the first occurrence of a text in a journal.
func edit(t *testing.T, dir, old, now string) {
	t.Helper()
	data := journalOf(t, dir)
	changed := bytes.Replace(data, []byte(old), []byte(now), 1)
	if bytes.Equal(data, changed) {
		t.Fatalf("the journal does not contain %q", old)
	}
	replace(t, dir, changed)
}

func TestVerifyFindsAMissingLine(t *testing.T) {
	c := benchtest.Config{Model: model(), Budget: 40, Dir: t.TempDir()}
	benchtest.Run(t, &climber{Window: 4}, c)
	data := journalOf(t, c.Dir)
	without := data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1]
	must.Write(t, filepath.Join(c.Dir, "journal.jsonl"), without)
	_, err := benchtest.Prepare(t, &climber{Window: 4}, c).Verify(t.Context(), c.Dir)
	if !errors.Is(err, bench.ErrIncomplete) {
		t.Errorf("Verify of a shortened journal = %v, want ErrIncomplete", err)
	}
}

// TestErrorsEndTheRun checks the error of a model; TestConformance resumes such a run.
func TestErrorsEndTheRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	broken := errors.New("the wire is cut")
	var n atomic.Int32
	c := benchtest.Config{Model: model(), Budget: 50, Dir: t.TempDir()}
	run := benchtest.Prepare(t, &climber{Window: 4}, c)
	run.Model = &llm.Scripted{Answer: func(ctx context.Context, r llm.Request) (llm.Reply, error) {
		if n.Add(1) > 20 {
			return llm.Reply{}, broken
		}
		return c.Model.Complete(ctx, r)
	}}
	if _, err := run.Execute(t.Context(), c.Dir); !errors.Is(err, broken) ||
		!strings.Contains(err.Error(), "step ") {
		t.Fatalf("Execute = %v, want the model's error with its step", err)
	}
}

// funcMethod is a method made from a function.
type funcMethod func(ctx context.Context, s *bench.Search) error

func (funcMethod) Name() string                                     { return "func" }
func (funcMethod) MarshalJSON() ([]byte, error)                     { return []byte("{}"), nil }
func (f funcMethod) Run(ctx context.Context, s *bench.Search) error { return f(ctx, s) }

func (funcMethod) Notes() []note.Note { return []note.Note{note.NothingRan{}} }

func evaluate(source string) bench.Job[record.Outcome] {
	return func(ctx context.Context, st *bench.Step) (record.Outcome, error) {
		return st.Evaluate(ctx, program.Program{Source: source})
	}
}

func TestBudget(t *testing.T) {
	free := func(source string) record.Outcome {
		if strings.HasPrefix(source, "free") {
			return record.Outcome{Fault: record.Faultf(record.Syntax, "invalid syntax")}
		}
		return record.Outcome{Score: float64(len(source))}
	}
	const name = "a program that Python's parser refuses is free, an equal one is charged"
	t.Run(name, func(t *testing.T) {
		e := &benchtest.Evaluator{Score: free}
		n := 0
		l := benchtest.Run(t, funcMethod(func(ctx context.Context, s *bench.Search) error {
			must.Do(t, drain(bench.Stream(ctx, s, 3, func() bench.Job[record.Outcome] {
				n++
				if n%3 == 0 {
					return evaluate(fmt.Sprint("free", n))
				}
				return evaluate("same")
			})))
			if _, err := bench.Do(ctx, s, evaluate("late")); !errors.Is(err, bench.ErrSpent) {
				t.Errorf("Do after the budget = %v, want ErrSpent", err)
			}
			return nil
		}), benchtest.Config{Model: model(), Evaluator: e, Budget: 12})
		charged := 0
		for step := range l.Steps() {
			for _, ev := range step.Evaluations {
				if ev.Evaluation > 0 {
					charged++
				}
			}
		}
		if charged != 12 {
			t.Errorf("%d evaluations charged, want 12", charged)
		}
	})
	t.Run("a step cannot evaluate more than it reserved", func(t *testing.T) {
		benchtest.Run(t, funcMethod(func(ctx context.Context, s *bench.Search) error {
			defer func() {
				got := fmt.Sprint(recover())
				if !strings.Contains(got, "evaluates more than it reserved") {
					t.Errorf("panic = %q", got)
				}
			}()
			_, err := bench.Consult(ctx, s, evaluate("x"))
			return err
		}), benchtest.Config{Model: model(), Budget: 5})
	})
	t.Run("breaking out commits what is in flight", func(t *testing.T) {
		l := benchtest.Run(t, funcMethod(func(ctx context.Context, s *bench.Search) error {
			propose := func() bench.Job[record.Outcome] { return evaluate("p") }
			for range bench.Stream(ctx, s, 4, propose) {
				break
			}
			if s.Left() != 6 || s.Evaluations() != 4 {
				t.Errorf("left %d, spent %d; want 6, 4", s.Left(), s.Evaluations())
			}
			return nil
		}), benchtest.Config{Model: model(), Budget: 10})
		if r := l.Summarize(); r.Evaluations != 4 || r.Stopped != "method" {
			t.Errorf("%d evaluations, stopped by %s", r.Evaluations, r.Stopped)
		}
	})
	t.Run("one request a step meets the limit on requests exactly", func(t *testing.T) {
		l := benchtest.Run(t, &climber{Window: 8},
			benchtest.Config{Model: model(), Budget: 1000, Requests: 100})
		// The climber also consults the model.
		if r := l.Summarize(); r.Asked < 100 || r.Asked > 102 {
			t.Errorf("%d requests, want 100 to 102", r.Asked)
		}
	})
}

func TestAProposalSeesTheCommitWindowStepsBefore(t *testing.T) {
	const window = 3
	var seen []int
	benchtest.Run(t, funcMethod(func(ctx context.Context, s *bench.Search) error {
		return drain(bench.Stream(ctx, s, window, func() bench.Job[record.Outcome] {
			seen = append(seen, s.Evaluations())
			return evaluate(fmt.Sprint("p", len(seen)))
		}))
	}), benchtest.Config{Model: model(), Budget: 8})
	golden.Same(t, "evaluations seen by each proposal", []int{0, 0, 0, 1, 2, 3, 4, 5}, seen)
}

func TestNonFiniteScoresAreFaults(t *testing.T) {
	zero := 0.0
	for name, o := range map[string]record.Outcome{
		"NaN": {Score: zero / zero}, "+Inf": {Score: 1 / zero},
		"value": {Values: []float64{-1 / zero}},
	} {
		e := &benchtest.Evaluator{Score: func(string) record.Outcome { return o }}
		l := benchtest.Run(t, funcMethod(func(ctx context.Context, s *bench.Search) error {
			got, err := bench.Do(ctx, s, evaluate("x"))
			if got.Fault == nil || got.Fault.Kind != record.NonFinite {
				t.Errorf("%s: outcome %+v, want a nonfinite fault", name, got)
			}
			return err
		}), benchtest.Config{Model: model(), Budget: 1, Evaluator: e})
		if r := l.Summarize(); r.Best != nil || r.Evaluations != 1 {
			t.Errorf("%s: best %v after %d evaluations", name, r.Best, r.Evaluations)
		}
	}
}

// BenchmarkEngineStep measures a step with a no-op model and evaluator. Every step is flushed to
// the disk before the next commit, so the benchmark also measures the time that the disk needs for
// the same lines.
func BenchmarkEngineStep(b *testing.B) {
	var lines []byte
	for b.Loop() {
		dir := b.TempDir()
		benchtest.Run(b, &climber{Window: 4},
			benchtest.Config{Model: model(), Budget: 1000, Dir: dir})
		lines = must.Read(b, filepath.Join(dir, "journal.jsonl"))
	}
	step := float64(b.Elapsed().Microseconds()) / float64(b.N) / 1000
	b.ReportMetric(step, "µs/step")
	b.ReportMetric(flushes(b, lines), "disk-µs/step")
	b.ReportMetric(0, "ns/op")
}

// flushes writes the lines of a journal to another journal, one by one, and returns the mean time
// for a line in microseconds.
func flushes(b *testing.B, lines []byte) float64 {
	f, _, err := journal.Open(filepath.Join(b.TempDir(), "lines"))
	must.Do(b, err)
	defer f.Close()
	start, n := time.Now(), 0
	for line := range bytes.Lines(lines) {
		must.Do(b, f.Append(bytes.TrimSuffix(line, []byte("\n"))))
		n++
	}
	return float64(time.Since(start).Microseconds()) / float64(n)
}

func BenchmarkReplay(b *testing.B) {
	for _, steps := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(steps), func(b *testing.B) {
			c := benchtest.Config{Model: llm.NewScripted(func(r llm.Request) string {
				return fmt.Sprintf("program %d %s", r.Draw, strings.Repeat("line of code\n", 60))
			}), Budget: steps, Dir: b.TempDir()}
			long := strings.Repeat("a long prompt line of some forty letters\n", 60)
			m := &climber{Window: 4, Prompt: long}
			benchtest.Run(b, m, c)
			run := benchtest.Prepare(b, m, c)
			for b.Loop() {
				_, err := run.Verify(b.Context(), c.Dir)
				must.Do(b, err)
			}
		})
	}
}

// TestALoopLeftByAnErrorCommitsNothingMore makes an evaluation inside a loop body fail while other
// jobs in flight are already done.
func TestALoopLeftByAnErrorCommitsNothingMore(t *testing.T) {
	method := funcMethod(func(ctx context.Context, s *bench.Search) error {
		n := 0
		propose := func() bench.Job[record.Outcome] {
			n++
			return evaluate(fmt.Sprint("p", n))
		}
		for _, err := range bench.Stream(ctx, s, 4, propose) {
			if err != nil {
				return err
			}
			if s.Evaluations()%3 == 0 {
				again := evaluate(fmt.Sprint("again", s.Evaluations()))
				_, err := bench.Do(ctx, s, again)
				if err != nil && !errors.Is(err, bench.ErrSpent) {
					return err
				}
			}
		}
		return nil
	})
	whole := benchtest.Config{Model: model(), Budget: 20, Dir: t.TempDir()}
	benchtest.Run(t, method, whole)
	dir := t.TempDir()
	run := benchtest.Prepare(t, method, benchtest.Config{Model: model(), Budget: 20})
	broken, last := errors.New("the evaluator is gone"), make(chan struct{})
	run.Evaluator = evaluatorFunc(func(
		ctx context.Context, p program.Program,
	) (bench.Evaluated, error) {
		if p.Source == "again6" {
			<-last // all jobs in flight are done
			return bench.Evaluated{}, broken
		}
		if p.Source == "p8" {
			defer close(last)
		}
		return (&benchtest.Evaluator{}).Evaluate(ctx, p)
	})
	if _, err := run.Execute(t.Context(), dir); !errors.Is(err, broken) {
		t.Fatalf("Execute = %v, want the evaluator's error", err)
	}
	if !bytes.HasPrefix(journalOf(t, whole.Dir), journalOf(t, dir)) {
		t.Error("the journal is not a beginning of the undisturbed one")
	}
}

type evaluatorFunc func(ctx context.Context, p program.Program) (bench.Evaluated, error)

func (f evaluatorFunc) Evaluate(ctx context.Context, p program.Program) (bench.Evaluated, error) {
	return f(ctx, p)
}

// TestTheProblemSaysWhatItRunsUnder checks that Problem.Runtime comes from the header: prompts may
// depend only on the header.
func TestTheProblemSaysWhatItRunsUnder(t *testing.T) {
	tests := []struct{ name, python, numpy, scipy, runtime, want string }{
		{"with SciPy", "3.11.7", "1.26.4", "1.13.1", "",
			"Python 3.11 with NumPy 1.26 and SciPy 1.13"},
		{"the header wins", "3.14.0rc1", "2.3.5", "", "Python 2", "Python 3.14 with NumPy 2.3"},
		{"no NumPy", "3.12.1", "", "", "", "Python 3.12"},
		{"a short version", "3.13", "2", "", "", "Python 3.13 with NumPy 2"},
		{"nothing in the header", "", "", "", "as before", "as before"},
	}
	for _, tt := range tests {
		got := ""
		m := funcMethod(func(_ context.Context, s *bench.Search) error {
			got = s.Problem().Runtime
			return nil
		})
		run := benchtest.Prepare(t, m, benchtest.Config{Model: llm.NewScripted(nil)})
		h := &run.Header
		h.Python, h.NumPy, h.SciPy = tt.python, tt.numpy, tt.scipy
		run.Problem.Runtime = tt.runtime
		execute(t, run)
		if got != tt.want {
			t.Errorf("%s: Runtime = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestAScoreThatIsMissing checks that an evaluation must have a score, which may be 0, or a fault.
// The score next to a fault is ignored.
func TestAScoreThatIsMissing(t *testing.T) {
	for line, ok := range map[string]bool{
		`{"evaluation":1,"source":"x","score":null,"fault":{"kind":"raised"}}`: true,
		`{"evaluation":1,"source":"x","score":-7,"fault":{"kind":"raised"}}`:   true,
		`{"evaluation":1,"source":"x","score":0}`:                              true,
		`{"evaluation":1,"source":"x","score":null}`:                           false,
		`{"evaluation":1,"source":"x"}`:                                        false,
	} {
		var e record.Evaluation
		var o record.SplitOutcome
		if err := json.Unmarshal([]byte(line), &e); (err == nil) != ok || e.Score != 0 {
			t.Errorf("%s: score %v, error %v", line, e.Score, err)
		}
		err := json.Unmarshal([]byte(strings.ReplaceAll(line, "score", "mean")), &o)
		if (err == nil) != ok || o.Mean != 0 {
			t.Errorf("%s: mean %v, error %v", line, o.Mean, err)
		}
	}
	failed := record.SplitOutcome{Fault: record.Faultf(record.Raised, "no")}
	data, err := json.Marshal(map[string]any{"pointer": &failed, "value": failed})
	if err != nil || bytes.Count(data, []byte(`"mean":null`)) != 2 {
		t.Errorf("a failed test is %s, %v", data, err)
	}
}
