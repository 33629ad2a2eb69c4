package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench/results/resultstest"
)

// TestReportOfAThousandRuns: a lab's results, 200 evaluations each, in a minute and a gigabyte.
func TestReportOfAThousandRuns(t *testing.T) {
	if os.Getenv("PACEBENCH_LONG") == "" {
		t.Skip("long: scripts/test-long runs it")
	}
	dir := t.TempDir()
	for _, task := range []string{"tsp-construct", "tsp-aco", "racing-car", "bipedal-walker"} {
		for _, method := range []string{"eoh", "reevo", "mcts-ahd", "hsevo", "pace"} {
			for seed := range uint64(50) {
				resultstest.Run{
					Task: task, Method: method, Models: resultstest.Mini, Seed: seed, Budget: 200,
					Evaluations: 200, Start: 7, Floor: 6, Pad: 1000,
				}.Write(t, dir)
			}
		}
	}
	cmd := process(t, "report", dir, "--out", filepath.Join(t.TempDir(), "report"))
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took, used := time.Since(start), cmd.ProcessState.SysUsage().(*syscall.Rusage)
	t.Logf("%v, %v of CPU time, %d MB", took, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(),
		used.Maxrss>>10)
	if took > time.Minute || used.Maxrss > 1<<20 {
		t.Errorf("%v and %d MB, promised are a minute and 1024", took, used.Maxrss>>10)
	}
}
