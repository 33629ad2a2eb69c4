package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/resultstest"
)

// TestReportOfAThousandRuns reports a lab's results of 200 evaluations each within a gigabyte. The
// CPU time must be proportional to the number of runs: ten times as many runs may take twenty times
// as long.
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

// reportOfSeeds reports 20 rows of so many seeds each. It returns the CPU time and the peak memory
// in bytes.
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
