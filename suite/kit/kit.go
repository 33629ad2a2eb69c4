package kit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/tasks"
)

// A T receives the messages of a check. It is a test or a line of check-method.
type T interface {
	Helper()
	Context() context.Context
	TempDir() string
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A Kit checks what every method must guarantee. The model is the embedded one with its usual
// mistakes. In addition, a tenth of the replies have no program, and a fifth of the programs fail.
// Analyzer parses the programs, which are scored without being run.
type Kit struct {
	New      func() bench.Method // makes a value with the method's default configuration
	Analyzer program.Analyzer
	Long     bool // try more budgets, and more points at which a run crashes
	// Leaks, when not nil, returns a function that reports the goroutines that have leaked since.
	Leaks func(T) func()

	dir   string   // an undisturbed run, the reference of the checks
	want  []byte   // the journal of the undisturbed run
	known sync.Map // for badModel
}

// A Check is one requirement on every method.
type Check struct {
	Name string
	Run  func(T)
}

// Checks makes the undisturbed run and returns the checks.
func (k *Kit) Checks(t T) []Check {
	k.dir, k.want = k.run(t, k.New())
	return []Check{
		{"the budget is met exactly", k.budget},
		{"the journal does not depend on --jobs", k.jobs},
		{"a crash at any step changes nothing", k.crash},
		{"the run ends when replies have no program", k.rubbish},
		{"the run ends when every program fails", k.allFail},
		{"the run ends when all scores are equal", k.allTie},
		{"nothing is left running after a cancel", k.cancel},
		{"a finished run replays", k.replay},
		{"a run continued with a larger budget equals a run with this budget", k.grow},
		{"different seeds give different runs", k.seeds},
	}
}

// Same reports whether another method makes the same undisturbed run, byte for byte.
func (k *Kit) Same(t T, m bench.Method) bool {
	_, got := k.run(t, m)
	return bytes.Equal(k.want, got)
}

// run makes an undisturbed run and returns its directory and journal.
func (k *Kit) run(t T, m bench.Method) (dir string, journal []byte) {
	c := k.config(t)
	Run(t, m, c)
	return c.Dir, journalBytes(t, c.Dir)
}

// A badModel is the embedded model, but a share of its replies have no program. A positive after is
// the number of requests that the embedded model answers. All later replies have no program.
type badModel struct {
	llm.Model
	share float64
	after int64
	asked *atomic.Int64
	known *sync.Map // the embedded model's replies by request: most runs make the same requests
}

func (b badModel) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	h := fnv.New64a()
	fmt.Fprint(h, r.Draw, llm.TextOf(r.User))
	if rand.New(rand.NewPCG(h.Sum64(), 1)).Float64() < b.share ||
		b.after > 0 && b.asked.Add(1) > b.after {
		return llm.Reply{
			Text:  "I am sorry, I cannot write a program today.",
			Usage: llm.Usage{Prompt: 10, Completion: 10},
		}, nil
	}
	for _, part := range r.User {
		if part.Image != nil {
			return b.Model.Complete(ctx, r)
		}
	}
	key := fmt.Sprint(r.Purpose, r.System, r.Temperature, r.MaxTokens, r.Draw, llm.TextOf(r.User))
	if reply, ok := b.known.Load(key); ok {
		return reply.(llm.Reply), nil
	}
	reply, err := b.Model.Complete(ctx, r)
	if err == nil {
		b.known.Store(key, reply)
	}
	return reply, err
}

func (k *Kit) embedded() badModel {
	model := offline.New(tasks.All(), offline.StatedRates())
	return badModel{Model: model, share: 0.10, known: &k.known}
}

func (k *Kit) config(t T) Config {
	return Config{
		Model: k.embedded(), Analyzer: k.Analyzer, Evaluator: &Evaluator{FailShare: 0.2},
		Budget: 120, Dir: filepath.Join(t.TempDir(), "run"),
	}
}

func (k *Kit) budget(t T) {
	l, err := record.Load(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	loaded := map[int]*record.Loaded{k.config(t).Budget: l}
	budgets := []int{1, 7}
	if k.Long {
		budgets = append(budgets, 400)
	}
	for _, budget := range budgets {
		c := k.config(t)
		c.Budget = budget
		loaded[budget] = Run(t, k.New(), c)
	}
	for budget, l := range loaded {
		r := l.Summarize()
		if r.Evaluations != budget && r.Stopped == "budget" || r.Evaluations > budget {
			t.Errorf("budget %d: %d evaluations, stopped by %s", budget, r.Evaluations, r.Stopped)
		}
		// A method may give up an initialisation, but only with a small budget.
		asked := r.Requests == budget && r.Asked == budget // the budget counts requests
		if budget >= 120 && r.Evaluations != budget && !asked {
			t.Errorf("budget %d: only %d evaluations, stopped by %s",
				budget, r.Evaluations, r.Stopped)
		}
	}
}

func (k *Kit) jobs(t T) {
	for _, jobs := range []int{1, 8} {
		var n atomic.Uint64
		c := k.config(t)
		delay := func() time.Duration {
			micros := rand.New(rand.NewPCG(n.Add(1), uint64(jobs))).IntN(400)
			return time.Duration(micros) * time.Microsecond
		}
		c.Evaluator = &Evaluator{FailShare: 0.2, Jobs: make(chan struct{}, jobs), Delay: delay}
		Run(t, k.New(), c)
		if !bytes.Equal(k.want, journalBytes(t, c.Dir)) {
			t.Errorf("at --jobs %d the journal differs from the journal without a limit on jobs",
				jobs)
		}
	}
}

func (k *Kit) crash(t T) {
	c, want := k.config(t), k.want
	r := rand.New(rand.NewPCG(3, 4))
	cuts, n := []int{1, len(want) - 1}, 2
	if k.Long {
		cuts, n = append(cuts, 0, len(want)), 6
	}
	for range n {
		cuts = append(cuts, r.IntN(len(want)))
	}
	for _, cut := range cuts {
		c.Dir = t.TempDir()
		err := journal.WriteFile(filepath.Join(c.Dir, record.JournalFile), want[:cut])
		if err != nil {
			t.Fatal(err)
		}
		blobs := filepath.Join(k.dir, "blobs")
		// A run writes blobs before the line that names them.
		if _, err := os.Stat(blobs); err == nil {
			if err := os.CopyFS(filepath.Join(c.Dir, "blobs"), os.DirFS(blobs)); err != nil {
				t.Fatal(err)
			}
		}
		Run(t, k.New(), c)
		if !bytes.Equal(want, journalBytes(t, c.Dir)) {
			t.Fatalf("journal cut after %d of %d bytes: the resumed run's journal differs",
				cut, len(want))
		}
	}
}

func (k *Kit) rubbish(t T) {
	for _, sane := range []int64{0, 60} { // number of requests that get programs
		c := k.config(t)
		bad := k.embedded()
		bad.share = 1
		if sane > 0 {
			bad.share, bad.after, bad.asked = 0, sane, new(atomic.Int64)
		}
		c.Model, c.Budget = bad, 30+2*int(sane)
		l := Run(t, k.New(), c)
		r := l.Summarize()
		for _, rec := range l.Records {
			// A step without a request may evaluate a program of the task: HSEvo's seed.
			if sane == 0 && rec.Step != nil && len(rec.Step.Requests) > 0 &&
				len(rec.Step.Evaluations) > 0 {
				t.Errorf("step %d evaluates a program, but no reply contained one", rec.Step.Number)
			}
		}
		if r.Asked > 5*c.Budget+50 {
			t.Errorf("the run made %d requests; the limit is %d", r.Asked, 5*c.Budget)
		}
	}
}

func (k *Kit) allFail(t T) {
	c := k.config(t)
	c.Evaluator, c.Budget = &Evaluator{FailShare: 1}, 80
	r := Run(t, k.New(), c).Summarize()
	if r.Best != nil || r.Evaluations > 80 {
		t.Errorf("every program fails: best %v after %d evaluations", r.Best, r.Evaluations)
	}
}

func (k *Kit) allTie(t T) {
	c := k.config(t)
	c.Evaluator = &Evaluator{Score: func(string) record.Outcome {
		return record.Outcome{Score: -7, Values: []float64{7}}
	}}
	r := Run(t, k.New(), c).Summarize()
	if r.Best == nil || r.Best.Evaluation != 1 {
		t.Errorf("all scores are equal: best %+v, want the program of evaluation 1", r.Best)
	}
}

func (k *Kit) cancel(t T) {
	if k.Leaks != nil {
		defer k.Leaks(t)()
	}
	after := []int{5, 63, 121}
	if k.Long {
		after = []int{40, 90}
	}
	for _, requests := range after {
		c := k.config(t)
		ctx, cancel := context.WithCancel(t.Context())
		run := Prepare(t, k.New(), c)
		run.Progress = func(p bench.Progress) {
			if p.Requests > requests {
				cancel()
			}
		}
		start := time.Now()
		if _, err := run.Execute(ctx, c.Dir); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("Execute = %v, want context canceled", err)
		}
		cancel()
		if d := time.Since(start); d > 5*time.Minute { // a longer time means that the run hangs
			t.Errorf("the cancelled run took %v", d)
		}
		// The journal so far must be a prefix of the undisturbed run's journal.
		if got := journalBytes(t, c.Dir); !bytes.HasPrefix(k.want, got) {
			t.Errorf("cancelled after %d requests: "+
				"the journal is not the beginning of the undisturbed run's journal", requests)
		}
		Run(t, k.New(), c)
		if !bytes.Equal(k.want, journalBytes(t, c.Dir)) {
			t.Errorf("cancelled after %d requests: the resumed run's journal differs", requests)
		}
	}
}

func (k *Kit) replay(t T) {
	e := &Evaluator{}
	run := Prepare(t, k.New(), k.config(t))
	run.Evaluator = e
	run.Model = llm.NewScripted(func(llm.Request) string {
		t.Error("the replay asked the model")
		return ""
	})
	if _, err := run.Verify(t.Context(), k.dir); err != nil || e.Count() > 0 {
		t.Errorf("the replay ended with the error %v and made %d evaluations", err, e.Count())
	}
}

// grow makes a run with a smaller budget and continues it with the kit's budget. First it continues
// the run with a model that gives no answers, which must lose nothing. Then it continues the run
// with the usual model, and cancels it on the way. In the end, the journal must equal the
// undisturbed run's journal. A method that depends on the size of its budget (bench.Scheduler) may
// refuse to continue, and must then leave the run unchanged.
func (k *Kit) grow(t T) {
	scored := []byte(`"evaluation":`)
	budgets := []int{1, 61}
	if k.Long {
		budgets = []int{2, 20, 119}
	}
	for _, budget := range budgets {
		c := k.config(t)
		large := c.Budget
		c.Budget = budget
		Run(t, k.New(), c)
		small := journalBytes(t, c.Dir)
		c.Budget = large
		mute := Prepare(t, k.New(), c)
		mute.Model = &llm.Scripted{Answer: func(context.Context, llm.Request) (llm.Reply, error) {
			return llm.Reply{}, llm.ErrFatal
		}}
		// Some evaluations need no answer, such as the evaluations of HSEvo's harmony search. If
		// only such evaluations are missing, the run succeeds.
		_, err := mute.Execute(t.Context(), c.Dir)
		now := journalBytes(t, c.Dir)
		if err == nil && !bytes.Equal(k.want, now) {
			t.Errorf("budget %d to %d: the model gave no answers, but the run reported no error",
				budget, large)
		}
		if !bytes.Equal(small, now) && bytes.Count(now, scored) <= bytes.Count(small, scored) {
			t.Errorf("budget %d to %d: the model gave no answers, but the journal changed "+
				"without a new evaluation",
				budget, large)
		}
		ctx, cancel := context.WithCancel(t.Context())
		run := Prepare(t, k.New(), c)
		run.Progress = func(p bench.Progress) {
			if !p.Replayed && p.Evaluations > budget+10 {
				cancel()
			}
		}
		_, err = run.Execute(ctx, c.Dir)
		cancel()
		if errors.Is(err, record.ErrForeign) {
			if !bench.Scheduled(k.New()) {
				t.Errorf("budget %d to %d: the run was refused, but the method does not read "+
					"search.left (in Go: it does not implement bench.Scheduler)", budget, large)
			}
			if !bytes.Equal(small, journalBytes(t, c.Dir)) {
				t.Errorf("budget %d to %d: the run was refused, but its journal changed",
					budget, large)
			}
			continue
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		Run(t, k.New(), c)
		if !bytes.Equal(k.want, journalBytes(t, c.Dir)) {
			t.Errorf("budget %d to %d: the journal differs from the journal of a run with %d",
				budget, large, large)
		}
	}
}

func (k *Kit) seeds(t T) {
	c := k.config(t)
	c.Seed = 2
	Run(t, k.New(), c)
	one := bytes.SplitN(k.want, []byte("\n"), 2)[1]
	if bytes.HasSuffix(journalBytes(t, c.Dir), one) {
		t.Error("seeds 1 and 2 give the same run")
	}
}

func journalBytes(t T, dir string) []byte {
	t.Helper()
	data, err := journal.ReadFile(filepath.Join(dir, record.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
