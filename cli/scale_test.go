package cli

import (
	"container/heap"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/suite"
)

// A load is the work of one run.
type load struct {
	steps, window int
	ask           func() float64 // seconds of a step's requests
	evaluate      func() float64 // seconds of a core for a step's evaluation
	tests         float64        // seconds of a core at the end
}

// An event is the end of something in a simulation.
type event struct {
	at   float64
	run  int
	what moment
}

type moment int

const (
	asked moment = iota
	evaluated
	tested
)

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// A server is a number of places with a queue.
type server struct {
	free    int
	waiting []event // at: how long it will take
	busy    float64 // seconds of all places
}

// simulate returns the seconds that the runs take with so many cores and concurrent requests, and
// the share of that time in which cores and requests were in use. A run has its window of steps in
// flight; a step asks and then evaluates. As many runs are in progress as there are cores, as by
// default.
func simulate(runs []load, cores, requests int) (seconds, coreSeconds, askSeconds float64) {
	core, request := &server{free: cores}, &server{free: requests}
	var queue events
	now := 0.0
	enter := func(s *server, e event) {
		if s.free == 0 {
			s.waiting = append(s.waiting, e)
			return
		}
		s.free--
		s.busy += e.at
		heap.Push(&queue, event{now + e.at, e.run, e.what})
	}
	leave := func(s *server) {
		s.free++
		if len(s.waiting) > 0 {
			e := s.waiting[0]
			s.waiting = s.waiting[1:]
			enter(s, e)
		}
	}
	proposed, done, next := make([]int, len(runs)), make([]int, len(runs)), 0
	propose := func(c int) {
		if proposed[c] < runs[c].steps {
			proposed[c]++
			enter(request, event{runs[c].ask(), c, asked})
		}
	}
	begin := func() {
		if next < len(runs) {
			c := next
			next++
			for range runs[c].window {
				propose(c)
			}
		}
	}
	for range cores {
		begin()
	}
	for len(queue) > 0 {
		e := heap.Pop(&queue).(event)
		now = e.at
		switch c := e.run; e.what {
		case asked:
			leave(request)
			enter(core, event{runs[c].evaluate(), c, evaluated})
		case evaluated:
			leave(core)
			if done[c]++; done[c] == runs[c].steps {
				enter(core, event{runs[c].tests, c, tested})
			}
			propose(c)
		case tested:
			leave(core)
			begin()
		}
	}
	return now, core.busy, request.busy
}

// spread draws times with this mean; their logarithms have this standard deviation.
func spread(r *rand.Rand, mean, sigma float64) func() float64 {
	return func() float64 { return mean * math.Exp(sigma*r.NormFloat64()-sigma*sigma/2) }
}

// The spread of times: of evaluations as measured (15,000 of TSP-Construct by six searches of the
// embedded model: 0.8 to 1.3), of answers assumed.
const evaluationSigma, answerSigma = 1.0, 0.5

// part is the share of a run's work that is simulated, one in so many: the test must be quick.
const part = 10

// paperLoads are the runs of the suite paper with the models of the paper, as --dry-run expects
// them; requests are all that they make.
func paperLoads(t *testing.T, seeds int) (runs []load, requests float64) {
	t.Helper()
	for _, key := range []string{"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "GEMINI_API_KEY"} {
		t.Setenv(key, secret)
	}
	s, err := suite.Find("paper")
	must.Do(t, err)
	spelled, err := s.Plan(suite.Options{
		Seeds: fmt.Sprintf("1-%d", seeds), Evals: 1000, Test: "all", TimeScale: 1, Concurrency: 16,
		Notes: io.Discard,
	})
	must.Do(t, err)
	r := rand.New(rand.NewPCG(1, 1))
	e := &suite.Estimator{Store: &results.Store{}}
	for _, p := range spelled {
		if p.Row != nil {
			continue
		}
		m := e.Usual(p)
		steps := p.Header.Budget
		if p.Header.Requests == p.Header.Budget && m.Requests > 1 {
			steps = int(float64(steps) / m.Requests)
		}
		requests += float64(steps) * m.Requests
		tests, _ := p.TestSeconds(m.Worker)
		runs = append(runs, load{
			steps / part, suite.WindowOf(p.Header), spread(r, m.Asking, answerSigma),
			spread(r, m.Worker, evaluationSigma), tests / part,
		})
	}
	return runs, requests
}

// TestScale compares the table of docs/suites.md with the model.
func TestScale(t *testing.T) {
	if !benchtest.Long() && !*golden.Update {
		t.Skip("long: scripts/test-long runs it")
	}
	const seeds = 10
	var b strings.Builder
	b.WriteString("| cores | concurrent requests | hours | cores in use | requests in use | " +
		"requests a minute | the limit is |\n|---|---|---|---|---|---|---|\n")
	for _, cores := range []int{1, 8, 64, 1000} {
		for _, atOnce := range []int{16, 64, 512, 4096} {
			if atOnce > 16 && cores == 1 || atOnce > 64 && cores == 8 ||
				atOnce > 512 && cores == 64 {
				continue
			}
			runs, asked := paperLoads(t, seeds)
			took, core, request := simulate(runs, cores, atOnce)
			asked /= part
			inCores, inRequests := core/took/float64(cores), request/took/float64(atOnce)
			limit := "what a run has in flight"
			switch {
			case inCores > 0.8:
				limit = "cores"
			case inRequests > 0.8:
				limit = "requests"
			}
			fmt.Fprintf(&b, "| %d | %d | %s | %.0f %% | %.0f %% | %.0f | %s |\n", cores, atOnce,
				hours(part*took), 100*inCores, 100*inRequests, asked/took*60, limit)
		}
	}
	page := filepath.Join("..", "docs", "suites.md")
	text := must.Read(t, page)
	golden.Text(t, page,
		needsBlock.ReplaceAllString(string(text), "${1}"+b.String()+"${2}"))
}

func hours(seconds float64) string {
	if h := seconds / 3600; h < 20 {
		return fmt.Sprintf("%.1f", h)
	}
	return fmt.Sprintf("%.0f", seconds/3600)
}

// TestSimulation simulates queues whose times are known.
func TestSimulation(t *testing.T) {
	always := func(s float64) func() float64 { return func() float64 { return s } }
	one := load{10, 2, always(4), always(1), 3}
	for _, c := range []struct {
		name            string
		runs            []load
		cores, requests int
		want            float64
	}{
		{"a run, two steps in flight", []load{one}, 2, 9, 5*5 + 3},
		{"one request at a time", []load{one}, 1, 1, 10*4 + 1 + 3},
		{"one core, two runs, one after the other", []load{one, one}, 1, 9, 2 * (5*4 + 6 + 3)},
	} {
		got, cores, asks := simulate(c.runs, c.cores, c.requests)
		n := float64(len(c.runs))
		if got != c.want || cores != 13*n || asks != 40*n {
			t.Errorf("%s: %g s, want %g; cores busy for %g s, requests for %g",
				c.name, got, c.want, cores, asks)
		}
	}
}

// drawn is a method that proposes programs with a window of steps in flight, and does nothing else.
type drawn struct{ Window int }

func (drawn) Name() string { return "drawn" }

func (d drawn) Run(ctx context.Context, s *bench.Search) error {
	propose := func() bench.Job[record.Outcome] {
		return func(ctx context.Context, st *bench.Step) (record.Outcome, error) {
			r, err := st.Ask(ctx, llm.Request{Purpose: "algorithm/x", User: llm.Text("improve")})
			if err != nil {
				return record.Outcome{}, err
			}
			return st.Evaluate(ctx, program.Program{Source: r.Text})
		}
	}
	for _, err := range bench.Stream(ctx, s, d.Window, propose) {
		if err != nil {
			return err
		}
	}
	return nil
}

// slowly is a model that answers slowly.
type slowly func() time.Duration

func (slowly) Name() string { return "slowly" }

func (s slowly) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	time.Sleep(s())
	return llm.Reply{Text: fmt.Sprintf("program %d", r.Draw), Model: "slowly"}, nil
}

// TestScaleOfTheEngine compares the model with runs of the engine on a virtual clock, with the same
// times for requests and evaluations.
func TestScaleOfTheEngine(t *testing.T) {
	const cores, steps = 2, 100
	loads := func() (runs []load) {
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 1))
			asks, evaluations := spread(r, 1, answerSigma), spread(r, 0.8, evaluationSigma)
			runs = append(runs, load{steps, 1 + 3*int(seed%2), asks, evaluations, 0})
		}
		return runs
	}
	// A method draws on several goroutines, in the order of their arrival.
	durations := func(draw func() float64) func() time.Duration {
		var mu sync.Mutex
		return func() time.Duration {
			mu.Lock()
			defer mu.Unlock()
			return time.Duration(draw() * float64(time.Second))
		}
	}
	want, _, _ := simulate(loads(), cores, math.MaxInt)
	var took float64
	synctest.Test(t, func(t *testing.T) {
		begun, jobs := time.Now(), make(chan struct{}, cores)
		var runs errgroup.Group
		runs.SetLimit(cores)
		for i, l := range loads() {
			run := benchtest.Prepare(t, drawn{l.window}, benchtest.Config{
				Model: slowly(durations(l.ask)), Budget: steps, Seed: uint64(i + 1),
				Evaluator: &benchtest.Evaluator{Jobs: jobs, Delay: durations(l.evaluate)},
			})
			dir := filepath.Join(t.TempDir(), "run")
			runs.Go(func() error {
				_, err := run.Execute(t.Context(), dir)
				return err
			})
		}
		must.Do(t, runs.Wait())
		took = time.Since(begun).Seconds()
	})
	t.Logf("%.1f s of the engine's clock, %.1f s in the model", took, want)
	if math.Abs(took-want) > 0.05*want {
		t.Errorf("%.1f s of the engine's clock, %.1f s in the model", took, want)
	}
}
