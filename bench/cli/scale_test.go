package cli

import (
	"bytes"
	"container/heap"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/bench/suite"
	"github.com/pacebench/pacebench/bench/testkit/benchtest"
	"github.com/pacebench/pacebench/bench/testkit/golden"
	"github.com/pacebench/pacebench/data"
)

// A load is what one run asks of a machine.
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

// A server is a number of places, and who waits for one.
type server struct {
	free    int
	waiting []event // at: how long it will take
	busy    float64 // seconds of all places
}

// simulate returns how many seconds the runs take with so many cores and requests at once, and for
// how much of that time cores and requests were in use. A run has its window of steps in flight; a
// step asks and then evaluates. As many runs are under way as there are cores, as by default.
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

// spread draws times with this mean whose logarithms have this standard deviation.
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
	if err != nil {
		t.Fatal(err)
	}
	spelled, err := s.Spell(suite.Options{
		Seeds: fmt.Sprintf("1-%d", seeds), Evals: 1000, Test: "all", TimeScale: 1, Concurrency: 16,
		Notes: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	e := &suite.Estimator{Store: &results.Store{}}
	for _, p := range spelled {
		if p.Row != nil {
			continue
		}
		m := e.Usual(p)
		task, _, _ := strings.Cut(p.Header.Task, "@")
		steps := p.Header.Budget
		if p.Header.Requests == p.Header.Budget && m.Requests > 1 {
			steps = int(float64(steps) / m.Requests)
		}
		requests += float64(steps) * m.Requests
		runs = append(runs, load{
			steps / part, suite.WindowOf(p.Header), spread(r, m.Asking, answerSigma),
			spread(r, m.Worker, evaluationSigma), data.ExpectedCosts().Tasks[task].Tests / part,
		})
	}
	return runs, requests
}

// TestScale holds the table of docs/scale.md to the model.
func TestScale(t *testing.T) {
	if !benchtest.Long() && !*golden.Update {
		t.Skip("long: scripts/test-long runs it")
	}
	const seeds = 10
	var b strings.Builder
	b.WriteString("| cores | requests at once | hours | cores in use | requests in use | " +
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
	page := filepath.Join("..", "..", "docs", "scale.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	golden.Text(t, page,
		needsBlock.ReplaceAllString(string(text), "${1}"+b.String()+"${2}"))
}

func hours(seconds float64) string {
	if h := seconds / 3600; h < 20 {
		return fmt.Sprintf("%.1f", h)
	}
	return fmt.Sprintf("%.0f", seconds/3600)
}

// TestSimulation has queues whose times are known.
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

// stepTimes are the seconds that each evaluation of a run took of a core, and the seconds that all
// requests of each step took. timing.jsonl counts a worker from when its process is ready. How long
// the start takes is the least that an evaluation has in addition to its worker's time, for the
// others waited for a worker.
func stepTimes(dir string) (evaluations, asks []float64, err error) {
	data, err := journal.ReadFile(filepath.Join(dir, "timing.jsonl"))
	if err != nil {
		return nil, nil, err
	}
	least := math.Inf(1)
	for line := range bytes.Lines(data) {
		var l struct {
			Ask      []float64 `json:"ask_ms"`
			Evaluate []float64 `json:"evaluate_ms"`
			Worker   []float64 `json:"worker_ms"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, nil, err
		}
		asked := 0.0
		for _, ms := range l.Ask {
			asked += ms / 1000
		}
		for i, ms := range l.Worker {
			evaluations = append(evaluations, ms/1000)
			asks = append(asks, asked)
			least = min(least, (l.Evaluate[i]-ms)/1000)
		}
	}
	for i := range evaluations {
		evaluations[i] += least
	}
	return evaluations, asks, nil
}

// TestScaleOfARealSuite compares the model with a suite on this machine, two workers, times of
// evaluations as its own timing.jsonl has them. Other work adds waits that no model knows: one
// suite of three must be within a quarter. With a worker more it takes a third less.
func TestScaleOfARealSuite(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	for range 3 {
		took, want := realSuite(t)
		t.Logf("%.1f s on the machine, %.1f s in the model", took, want)
		if math.Abs(took-want) <= 0.25*took {
			return
		}
	}
	t.Error("no suite took the time of the model")
}

// realSuite returns the seconds that a suite takes, and those that it takes in the model.
func realSuite(t *testing.T) (took, want float64) {
	out, file := t.TempDir(), filepath.Join(t.TempDir(), "real.toml")
	text := "name = \"real\"\nseeds = [1, 2]\nevals = 200\n[[runs]]\n" +
		"tasks = [\"tsp-construct\"]\nmethods = [\"eoh\", \"reevo\", \"randsample\"]\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if text, err := process(t, "suite", file, "--model", "offline", "--test", "none", "--jobs", "2",
		"--out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	took = time.Since(start).Seconds()
	store, err := suite.ReadResults(out)
	if err != nil {
		t.Fatal(err)
	}
	var runs []load
	for _, r := range store.Runs {
		times, asks, err := stepTimes(r.Dir)
		if err != nil || len(times) == 0 {
			t.Fatalf("%s: %d times, %v", r.Dir, len(times), err)
		}
		at, next := 0, 0
		runs = append(runs, load{
			len(times), suite.WindowOf(r.Header),
			func() float64 { next++; return asks[(next-1)%len(asks)] },
			func() float64 { at++; return times[(at-1)%len(times)] }, 0,
		})
	}
	want, _, _ = simulate(runs, 2, 1000)
	return took, want
}
