package bench_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// sleepy is a model that answers slowly.
type sleepy time.Duration

func (sleepy) Name() string { return "sleepy" }

func (s sleepy) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	time.Sleep(time.Duration(s))
	return llm.Reply{Text: fmt.Sprintf("program %d", r.Draw), Model: "sleepy"}, nil
}

// TestManyWorkersOnASlowEndpoint runs 64 workers with an endpoint that answers after 2 s on a
// virtual clock and an evaluator that does nothing. All workers must be busy all the time, and the
// memory of the process must not grow with the steps, except for the outcome of each program.
func TestManyWorkersOnASlowEndpoint(t *testing.T) {
	const workers, latency = 64, 2 * time.Second
	steps := 1600
	if os.Getenv("PACEBENCH_LONG") != "" {
		steps = 32_000
	}
	type held struct{ heap, files, goroutines int }
	at := map[int]held{}
	look := func(p bench.Progress) {
		if p.Evaluations%(steps/4) != 0 || p.Evaluations == 0 {
			return
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc")
		}
		at[p.Evaluations] = held{int(m.HeapAlloc), len(files), runtime.NumGoroutine()}
	}
	method := funcMethod(func(ctx context.Context, s *bench.Search) error {
		return drain(bench.Stream(ctx, s, workers, func() bench.Job[record.Outcome] {
			return func(ctx context.Context, st *bench.Step) (record.Outcome, error) {
				improve := llm.Text("improve")
				r, err := st.Ask(ctx, llm.Request{Purpose: "algorithm/x", User: improve})
				if err != nil {
					return record.Outcome{}, err
				}
				return st.Evaluate(ctx, program.Program{Source: r.Text})
			}
		}))
	})
	dir := filepath.Join(t.TempDir(), "run")
	var took time.Duration
	synctest.Test(t, func(t *testing.T) {
		run := benchtest.Prepare(t, method, benchtest.Config{Model: sleepy(latency), Budget: steps})
		run.Progress = look
		begun := time.Now()
		if _, err := run.Execute(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		took = time.Since(begun)
	})
	first, last := at[steps/4], at[steps]
	perStep := float64(last.heap-first.heap) / float64(steps-steps/4)
	t.Logf("%d steps: %v of the endpoint's clock; %d then %d files, %.1f MB then %.1f MB, "+
		"%.0f bytes a step", steps, took, first.files, last.files,
		float64(first.heap)/1e6, float64(last.heap)/1e6, perStep)
	if least := time.Duration(steps/workers) * latency; took > least+least/50 {
		t.Errorf("the run took %v; busy all the time, %d workers need %v", took, workers, least)
	}
	if last.files > first.files || last.goroutines > first.goroutines+8 {
		t.Errorf("%+v after a quarter of the steps, %+v after all", first, last)
	}
	if perStep > 1000 {
		t.Errorf("memory grows by %.0f bytes a step", perStep)
	}
}
