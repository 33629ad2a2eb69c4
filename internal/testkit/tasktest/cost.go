package tasktest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
)

// A Cost is the use of CPU and memory by a process and all its descendants so far.
type Cost struct {
	CPU    time.Duration // user and system
	Wall   time.Time
	Memory int64 // bytes resident now
}

// Spent returns the cost of this process. It skips the benchmark if there is no /proc.
func Spent(b testing.TB) Cost {
	b.Helper()
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	if len(files) == 0 {
		b.Skip("no /proc")
	}
	type process struct{ parent, ticks, pages int }
	all := map[int]process{}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // the process has ended
		}
		// Fields after the name, from the third on: see proc(5).
		f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		field := func(n int) int {
			v, _ := strconv.Atoi(f[n-3])
			return v
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		all[pid] = process{field(4), field(14) + field(15) + field(16) + field(17), field(24)}
	}
	c := Cost{Wall: time.Now()}
	for pid, p := range all {
		for up := pid; up > 1; up = all[up].parent {
			if up == os.Getpid() {
				c.CPU += time.Duration(p.ticks) * 10 * time.Millisecond
				c.Memory += int64(p.pages) * int64(os.Getpagesize())
				break
			}
		}
	}
	return c
}

// inFlight is the number of evaluations that a run makes concurrently on 2 cores.
const inFlight = 2

// AgainstLoops runs againstLoop for the references of a control task and for the program that the
// paper prints under a label. The scorer's function "loop" is the plain loop.
func AgainstLoops(
	b *testing.B, task *bench.Task, scorer *bench.Scorer, label string, seeds ...int,
) {
	e := Control(b, task)
	run := func(b *testing.B, source string) {
		job := map[string]any{
			"source": strings.Join(task.Imports, "\n") + "\n" + source, "seeds": seeds,
		}
		againstLoop(b, e, source, func() (result []bench.Value, err error) {
			err = e.Hosts.Lend(b.Context(), scorer, func(h bench.Host) (err error) {
				result, err = h.Call(b.Context(), "loop", job, nil)
				return err
			})
			return result, err
		})
	}
	for _, r := range task.References {
		b.Run(r.Name, func(b *testing.B) { run(b, r.Source) })
	}
	b.Run("printed", func(b *testing.B) {
		run(b, Printed(b, task, "../../../shared/paper/pace.tex", label))
	})
}

// againstLoop measures training evaluations of a program, each together with a plain loop over the
// same seeds in one process. The loop returns its seconds of CPU time, its seconds of wall time,
// and then a value for each seed. The values must equal the evaluation's values. Most metrics are
// for one evaluation at a time; run-wall-s and run-wall-ratio are for concurrent evaluations, as in
// a run.
func againstLoop(
	b *testing.B, e *bench.TaskEvaluator, source string, loop func() ([]bench.Value, error),
) {
	b.Helper()
	if _, err := e.Evaluate(b.Context(), program.Program{Source: source}); err != nil {
		b.Fatal(err) // this evaluation starts the processes
	}
	var cpu, wall, runWall, loopCPU, loopWall float64
	for b.Loop() {
		before := Spent(b)
		o, err := e.Evaluate(b.Context(), program.Program{Source: source})
		if err != nil || !o.OK() {
			b.Fatalf("%+v, %v", o, err)
		}
		after := Spent(b)
		cpu += (after.CPU - before.CPU).Seconds()
		wall += after.Wall.Sub(before.Wall).Seconds()
		begin := time.Now()
		var run errgroup.Group
		for range inFlight {
			run.Go(func() error {
				for range 2 {
					p := program.Program{Source: source}
					if _, err := e.Evaluate(b.Context(), p); err != nil {
						return err
					}
				}
				return nil
			})
		}
		must.Do(b, run.Wait())
		runWall += time.Since(begin).Seconds() / (2 * inFlight)
		result, err := loop()
		must.Do(b, err)
		var values []float64
		for _, v := range result {
			values = append(values, float64(v.(bench.Float)))
		}
		loopCPU, loopWall = loopCPU+values[0], loopWall+values[1]
		if got, want := fmt.Sprint(o.Values), fmt.Sprint(values[2:]); got != want {
			b.Fatalf("values %s, the loop's %s", got, want)
		}
	}
	n := float64(b.N)
	b.ReportMetric(cpu/n, "cpu-s")
	b.ReportMetric(wall/n, "wall-s")
	b.ReportMetric(loopCPU/n, "loop-cpu-s")
	b.ReportMetric(loopWall/n, "loop-wall-s")
	b.ReportMetric(cpu/loopCPU, "cpu-ratio")
	b.ReportMetric(wall/loopWall, "wall-ratio")
	b.ReportMetric(runWall/n, "run-wall-s")
	b.ReportMetric(runWall/loopWall, "run-wall-ratio")
	b.ReportMetric(0, "ns/op")
}

// Memory shows whether evaluations of a program leak memory. It reports the maximum memory of all
// processes in each half of the evaluations, and logs it for the first nine tenths. Run it with
// -benchtime 1000x.
func Memory(b *testing.B, e *bench.TaskEvaluator, source string) {
	b.Helper()
	most, last := make([]int64, 10), 0
	for i := range b.N {
		if _, err := e.Evaluate(b.Context(), program.Program{Source: source}); err != nil {
			b.Fatal(err)
		}
		tenth := 10 * i / b.N
		if i%5 == 4 {
			most[tenth] = max(most[tenth], Spent(b).Memory)
		}
		if tenth > last {
			b.Logf("tenth %d of %d evaluations: %d MB", last+1, b.N, most[last]>>20)
			last = tenth
		}
	}
	b.ReportMetric(float64(slices.Max(most[:5])>>20), "first-half-MB")
	b.ReportMetric(float64(slices.Max(most[5:])>>20), "second-half-MB")
	b.ReportMetric(0, "ns/op")
}
