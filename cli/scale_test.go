package cli

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
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

// An event is the end of a step's requests, of its evaluation, or of a run's tests.
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

// A server has a number of places, such as cores, and a queue.
type server struct {
	free    int
	waiting []event // at is the duration of the work
	busy    float64 // summed over all places, in seconds
}

// simulate returns the seconds that the runs take with these numbers of cores and concurrent
// requests, and the seconds for which cores and requests were in use, summed over all of them. A
// run has as many steps in flight as its window allows. A step first makes its requests and then
// evaluates. As many runs are in progress as there are cores, which is the default.
func simulate(runs []load, cores, requests int) (seconds, coreSeconds, askSeconds float64) {
	core, request := &server{free: cores}, &server{free: requests}
	var queue []event // sorted by time
	now := 0.0
	enter := func(s *server, e event) {
		if s.free == 0 {
			s.waiting = append(s.waiting, e)
			return
		}
		s.free--
		s.busy += e.at
		e.at += now
		i := sort.Search(len(queue), func(i int) bool { return queue[i].at > e.at })
		queue = slices.Insert(queue, i, e)
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
		e := queue[0]
		queue, now = queue[1:], e.at
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

// spread returns a function that draws times with the given mean. The logarithms of the times have
// the standard deviation sigma.
func spread(r *rand.Rand, mean, sigma float64) func() float64 {
	return func() float64 { return mean * math.Exp(sigma*r.NormFloat64()-sigma*sigma/2) }
}

// The standard deviations of the logarithms of times. For evaluations, the value is measured:
// 15,000 evaluations of TSP-Construct, in six searches with the embedded model, have 0.8 to 1.3.
// For answers, it is assumed.
const evaluationSigma, answerSigma = 1.0, 0.5

// Only 1/part of a run's work is simulated, so that the test is quick.
const part = 10

// paperLoads are the runs of the suite paper with the models of the paper, as --dry-run expects
// them. requests is the number of requests of all runs.
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
		if p.Baseline != nil {
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

// TestScale compares the table of docs/suites.md with the simulation.
func TestScale(t *testing.T) {
	if !benchtest.Long() && !*golden.Update {
		t.Skip("long: scripts/test-long runs it")
	}
	const seeds = 10
	var b strings.Builder
	b.WriteString("| cores | concurrent requests | hours | cores in use | requests in use | " +
		"requests a minute | the limit is |\n|---|---|---|---|---|---|---|\n")
	for _, c := range [][2]int{{8, 16}, {8, 64}, {64, 64}, {64, 512}, {1000, 512}, {1000, 4096}} {
		cores, atOnce := c[0], c[1]
		runs, asked := paperLoads(t, seeds)
		took, core, request := simulate(runs, cores, atOnce)
		asked /= part
		inCores, inRequests := core/took/float64(cores), request/took/float64(atOnce)
		limit := "the runs' windows"
		switch {
		case inCores > 0.8:
			limit = "cores"
		case inRequests > 0.8:
			limit = "requests"
		}
		fmt.Fprintf(&b, "| %d | %d | %s | %.0f %% | %.0f %% | %.0f | %s |\n", cores, atOnce,
			hours(part*took), 100*inCores, 100*inRequests, asked/took*60, limit)
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

// TestReportOfAThousandRuns reports a thousand runs of 200 evaluations each with at most a gigabyte
// of memory. The CPU time must be roughly proportional to the number of runs: ten times as many
// runs may take at most twenty times as long.
func TestReportOfAThousandRuns(t *testing.T) {
	if os.Getenv("PACEBENCH_LONG") == "" {
		t.Skip("long: scripts/test-long runs it")
	}
	few, _ := reportOfSeeds(t, 5)
	many, memory := reportOfSeeds(t, 50)
	if many > 20*few || memory > 1<<30 {
		t.Errorf("%v of CPU time, of a tenth of the runs %v; %d MB, promised are 1024",
			many, few, memory>>20)
	}
}

// reportOfSeeds reports 20 rows with the given number of seeds each. It returns the CPU time and
// the peak memory in bytes.
func reportOfSeeds(t *testing.T, seeds uint64) (cpu time.Duration, memory int64) {
	t.Helper()
	dir := t.TempDir()
	for _, task := range []string{"tsp-construct", "tsp-aco", "racing-car", "bipedal-walker"} {
		for _, method := range []string{"eoh", "reevo", "mcts-ahd", "hsevo", "pace"} {
			for seed := range seeds {
				resultstest.Run{
					Task: task, Method: method, Models: resultstest.Mini, Seed: seed, Budget: 200,
					Evaluations: 200, Start: 7, Floor: 6, Pad: 1000,
				}.Write(t, dir)
			}
		}
	}
	cmd := process(t, "report", dir, "--out", filepath.Join(t.TempDir(), "report"))
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	memory = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d runs: %v, %v of CPU time, %d MB", 20*seeds, time.Since(start), cpu, memory>>20)
	return cpu, memory
}
