//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// TestLimitedRun is a run in a process with inherited limits, which TestInheritedLimits starts.
func TestLimitedRun(t *testing.T) {
	if os.Getenv("PACEBENCH_LIMITED") == "" {
		t.Skip("another test starts it")
	}
	p, err := Open(t.Context(), Config{Python: testPython(t), Log: os.Stdout})
	if err != nil {
		fmt.Println("open:", err, hint.Of(err))
		return
	}
	defer p.Close()
	limits := bench.Limits{CPU: 500 * time.Millisecond, Memory: 4 << 30}
	if strings.Contains(os.Getenv("PACEBENCH_LIMITED"), "ulimit -t") {
		limits.CPU = time.Hour
	}
	for _, source := range []string{
		answer42, "def f():\n    while True:\n        pass\n", "x = bytes(3 << 30)\n",
	} {
		target, err := p.Load(t.Context(), source, "import math\n", "f", limits)
		var v bench.Value
		if err == nil {
			v, err = target.Call(t.Context())
			target.Close()
		}
		fmt.Println("outcome:", v, err, hint.Of(err))
	}
}

func TestInheritedLimits(t *testing.T) {
	exe, err := os.Executable()
	must.Do(t, err)
	plain := []string{"outcome: 42 <nil>", "outcome: <nil> timeout: time limit exceeded"}
	for _, c := range []struct {
		limit string
		want  []string // parts of the output
	}{
		{"ulimit -t 5 -n 40", append(plain,
			"sandbox: no program gets more than 4000 ms of CPU time (ulimit -t)",
			"sandbox: at most 40 files can be open (ulimit -n)")},
		{"ulimit -v 3000000", append(plain,
			"MiB of address space, Python's own included (ulimit -v)", "outcome: <nil> memory: ")},
		{"ulimit -d 2000000", append(plain, "(ulimit -d)", "outcome: <nil> memory: ")},
		{"ulimit -n 12",
			[]string{"too many open files", "at most 12 files can be open (ulimit -n)"}},
		{"ulimit -s 1024 -c 0 -f 100", plain},
	} {
		t.Run(c.limit, func(t *testing.T) {
			t.Parallel()
			script := c.limit + `; exec "$0" -test.run='^TestLimitedRun$'`
			cmd := exec.CommandContext(t.Context(), "bash", "-c", script, exe)
			cmd.Env = append(os.Environ(),
				"PACEBENCH_LIMITED="+c.limit, "PACEBENCH_TEST_PYTHON="+testPython(t))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			for _, want := range c.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is not said:\n%s", want, out)
				}
			}
			if strings.Contains(string(out), "crashed") {
				t.Errorf("a program is blamed:\n%s", out)
			}
		})
	}
}

// TestTimeScale: a time scale is recommended only for a much slower machine.
func TestTimeScale(t *testing.T) {
	for _, c := range []struct{ ms, want float64 }{
		{0.5, 1}, {9, 1}, {9.1, 1.6}, {12, 2}, {6000, record.MaxTimeScale},
	} {
		if got := TimeScale(c.ms); got != c.want {
			t.Errorf("a loop of %g ms: %g, want %g", c.ms, got, c.want)
		}
	}
}

// TestScaledLimits: a factor multiplies both time limits, including the limits that a task leaves
// open, but the CPU limit stays below the inherited limit.
func TestScaledLimits(t *testing.T) {
	for _, c := range []struct {
		inherited time.Duration
		limits    bench.Limits
		cpu, wall time.Duration
	}{
		{100 * time.Second, bench.Limits{CPU: 30 * time.Second, Scale: 2}, time.Minute,
			200 * time.Second},
		{0, bench.Limits{}, defaultCPU, 100 * time.Second},
		{50 * time.Second, bench.Limits{CPU: 30 * time.Second, Scale: 2}, 49 * time.Second,
			200 * time.Second},
	} {
		got := inherited{cpu: c.inherited}.within(c.limits)
		if got.CPU != c.cpu || got.Wall != c.wall {
			t.Errorf("%+v within %v: %+v", c.limits, c.inherited, got)
		}
	}
}

// TestWatched: a candidate can be watched while it loops, when it is loaded or when it is called.
func TestWatched(t *testing.T) {
	p := openPool(t, Config{})
	for _, source := range []string{"while True: pass", "def f():\n    while True: pass"} {
		ctx, cancel := context.WithCancel(t.Context())
		began, ended := 0, 0
		w := p.Watched(func(c bench.Target) func() {
			began++
			go func() {
				for c.CPU() == 0 || c.Limit() != longLimits.CPU {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			return func() { ended++ }
		})
		c, err := w.Load(ctx, source, "", "f", longLimits)
		if err == nil {
			_, err = c.Call(ctx)
			err = errors.Join(err, c.Close(), c.Close())
		}
		if !errors.Is(err, context.Canceled) || began != 1 || ended != 1 {
			t.Errorf("%q: %v, began %d times, ended %d times", source, err, began, ended)
		}
	}
}

// fortyTwo is a task of one instance, whose score is the program's return value. The program first
// sleeps for the seconds that sleep returns.
func fortyTwo(sleep func(bench.Target) bench.Float) *bench.Task {
	return &bench.Task{
		Problem: bench.Problem{Template: program.Function{Name: "f"}, Goal: bench.Maximize},
		Splits:  []bench.Split{{Name: "train", Instances: 1}},
		Score: func(ctx context.Context, _ bench.Instance, f bench.Target) (bench.Measure, error) {
			v, err := f.Call(ctx, sleep(f))
			if err != nil {
				return bench.Measure{}, err
			}
			return bench.Measure{Value: float64(v.(bench.Int))}, nil
		},
	}
}

// TestKilledFromOutside: if another process kills a candidate's process or the zygote, the
// evaluation is repeated, and the candidate gets its score.
func TestKilledFromOutside(t *testing.T) {
	p := openPool(t, Config{})
	victims := []func(*Target) int{
		func(t *Target) int { return t.process.child.pid },
		func(t *Target) int { return t.workers.server.zygote.process.Pid },
	}
	tries, last := 0, 0
	task := fortyTwo(func(f bench.Target) bench.Float {
		if s := state(last); s != 0 {
			t.Errorf("process %d is left behind in state %c", last, s)
		}
		tries, last = tries+1, f.(*Target).process.child.pid
		if tries > len(victims) {
			return 0
		}
		victim := victims[tries-1](f.(*Target))
		whenAsked(f, func() {
			if err := unix.Kill(victim, unix.SIGKILL); err != nil {
				t.Error(err)
			}
		})
		return 1e6
	})
	candidate := program.Program{
		Source: "import time\ndef f(s):\n    time.sleep(s)\n    return 42\n",
	}
	o, err := (&bench.TaskEvaluator{Task: task, Loader: p}).Score(t.Context(), "train", candidate)
	if err != nil || o.Fault != nil || o.Score != 42 || tries != 3 {
		t.Errorf("%+v, %v after %d tries", o, err, tries)
	}
}

// TestSignalsOfASchedulerAreNobodysFault: scancel sends SIGTERM to every process of a job, and
// the candidate must survive it.
func TestSignalsOfASchedulerAreNobodysFault(t *testing.T) {
	target := load(t, openPool(t, Config{}), "def f():\n    return 1\n", "f", bench.Limits{})
	defer target.Close()
	for _, s := range []syscall.Signal{
		syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1,
	} {
		must.Do(t, syscall.Kill(target.(*Target).process.child.pid, s))
	}
	if v, err := target.Call(t.Context()); err != nil {
		t.Errorf("%v, %v", v, err)
	}
}

// TestSmallContainer lets a candidate run into the memory limit of a control group, which kills it.
func TestSmallContainer(t *testing.T) {
	file, write := controlGroup(t, "memory/memory.limit_in_bytes", "memory.max")
	write(file, strconv.Itoa(32<<20))
	p := openPool(t, Config{})
	const source = "def f():\n    hoard = bytearray(1 << 28)\n    return len(hoard)\n"
	target := load(t, p, source, "f", bench.Limits{})
	defer target.Close()
	write("cgroup.procs", strconv.Itoa(target.(*Target).process.child.pid))
	v, err := target.Call(t.Context())
	fault := (*bench.Fault)(nil)
	if errors.As(err, &fault) || !errors.Is(err, bench.ErrInterrupted) {
		t.Errorf("%v, %v: want an interrupted evaluation", v, err)
	}
	if !strings.Contains(hint.Of(err), "out of memory") {
		t.Errorf("hint %q", hint.Of(err))
	}
}
