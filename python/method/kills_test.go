//go:build linux

package pymethod_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/randsample"
)

// If a method's process is killed at random moments, the journal equals the journal of an
// undisturbed run. PACEBENCH_KILLS is the number of kills, in as many runs as needed. A run has 150
// evaluations, or 1,000 if there are more kills than the 20 of the long tier.
func TestKilledProcess(t *testing.T) {
	kills := 4
	if benchtest.Long() {
		kills = 20
	}
	if n, err := strconv.Atoi(os.Getenv("PACEBENCH_KILLS")); err == nil {
		kills = n
	}
	budget, want := 1000, []byte(nil)
	if kills <= 20 {
		budget = 150
	}
	pids := filepath.Join(t.TempDir(), "pid")
	source := examples(t, "eoh.py") + fmt.Sprintf("\n\nimport os\nopen(%q, 'w').write("+
		"str(os.getpid()))\n", pids)
	m, an := load(t, "eoh.py", source), programtest.Analyzer(t)
	started := time.Now()
	for done, number := 0, 0; done < kills; number++ {
		r := rand.New(rand.NewPCG(uint64(number), uint64(time.Now().UnixNano())))
		var killed atomic.Int64
		run := benchtest.Prepare(t, m.New(), benchtest.Config{
			Model: llm.NewScripted(func(r llm.Request) string {
				return methodtest.Scored(int(r.Draw), r.Draw%9973)
			}),
			Analyzer: an, Budget: budget,
			Evaluator: &benchtest.Evaluator{Score: methodtest.Score},
		})
		run.Progress = func(p bench.Progress) {
			if want == nil || r.IntN(budget/40) > 0 || done+int(killed.Load()) >= kills {
				return
			}
			time.AfterFunc(time.Duration(r.IntN(2000))*time.Microsecond, func() {
				if pid := ours(pids); pid > 0 && unix.Kill(pid, unix.SIGKILL) == nil {
					killed.Add(1)
				}
			})
		}
		dir := filepath.Join(t.TempDir(), strconv.Itoa(number))
		if _, err := run.Execute(t.Context(), dir); err != nil {
			t.Fatalf("after %d kills: %v", done, err)
		}
		got := journal(t, dir)
		if want == nil {
			want = got // of an undisturbed run
		}
		if !bytes.Equal(want, got) {
			t.Fatalf("after %d kills in this run: the journal in %s has changed",
				killed.Load(), dir)
		}
		if done += int(killed.Load()); benchtest.Long() || kills > 20 {
			fmt.Printf("%v: %d kills, %d runs, one journal\n",
				time.Since(started).Round(time.Second), done, number+1)
		}
		must.Do(t, os.RemoveAll(dir))
	}
}

// ours returns the pid in a file if that process is still a child of this one, and 0 otherwise.
func ours(path string) int {
	text, err := os.ReadFile(path)
	pid, _ := strconv.Atoi(string(text))
	if err != nil || pid == 0 {
		return 0
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat))
	if err != nil || len(fields) < 4 || fields[3] != strconv.Itoa(os.Getpid()) {
		return 0
	}
	return pid
}

// A step of random sampling in Go, with which the other benchmarks are compared.
func BenchmarkGo(b *testing.B) { benchmarkSteps(b, randsample.New()) }

// A step with sample. A scripted model and a fake evaluator answer immediately.
func BenchmarkSample(b *testing.B) {
	m := load(b, "randsample.py", examples(b, "randsample.py"))
	benchmarkSteps(b, m)
}

// A step with three awaits.
func BenchmarkThreeAwaits(b *testing.B) {
	source := strings.Replace(examples(b, "randsample.py"),
		`return await step.sample(search.problem.prompt, purpose="algorithm/I1")`,
		`reply = await step.ask(search.problem.prompt, purpose="algorithm/I1")
        program = await step.extract(reply)
        return await step.evaluate(program) if program else None`, 1)
	benchmarkSteps(b, load(b, "randsample.py", source))
}

// benchmarkSteps runs b.N evaluations.
func benchmarkSteps(b *testing.B, m bench.Method) {
	dir := filepath.Join(b.TempDir(), "run")
	run := benchtest.Prepare(b, m, benchtest.Config{
		Model: llm.NewScripted(func(llm.Request) string {
			return methodtest.Scored(1, 1) // one program: it is analysed and evaluated once
		}),
		Analyzer: programtest.Analyzer(b), Budget: max(b.N, 1),
		Evaluator: &benchtest.Evaluator{Score: methodtest.Score},
	})
	b.ResetTimer()
	before := tasktest.Spent(b).CPU
	if _, err := run.Execute(b.Context(), dir); err != nil {
		b.Fatal(err)
	}
	used := tasktest.Spent(b).CPU - before
	b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "CPU-ms/op")
}
