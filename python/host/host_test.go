//go:build linux

package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	goleak.VerifyTestMain(m)
}

// world is a scorer of two modules.
var world = &bench.Scorer{
	Main: "world", Modules: map[string]string{"track": trackSource, "world": worldSource},
}

const trackSource = `
def wheel(job):
    raise ValueError(f"no wheel {job}\nand no road")
`

const worldSource = `
import os, signal, subprocess, sys, time
import numpy as np
import track

def echo(job, ask):
    sent = [job["number"], True, None, b"text", np.float32(0.5), np.int16(-3), np.bool_(False)]
    answer = ask(*ask(*sent))
    assert [type(v) for v in answer[:3]] == [int, bool, type(None)], answer
    assert answer[3].flags.writeable and answer[3].flags.aligned
    answer[3][0] = ord("T")
    return [*answer, np.arange(6.0).reshape(2, 3).T]

def sum_up(job, ask):
    total = 0
    for i in range(job):
        [value] = ask(i)
        total += value
    return [total]

def stubborn(job, ask):
    for i in range(5):
        try:
            ask(i)
        except BaseException:
            pass
    return [1]

def pid(job, ask):
    return [os.getpid()]

def environment(job, ask):
    return ["\n".join(f"{k}={v}" for k, v in sorted(os.environ.items())).encode()]

def noisy(job, ask):
    for i in range(3000):
        print("x" * 100)
    os.write(2, b"\0\1\2\xff last words\n")
    if job:
        os._exit(3)
    return ask()

def child(job, ask):
    return [os.getpid(), subprocess.Popen([sys.executable, "-c", ` +
	`"import time; time.sleep(600)"]).pid]

def wheel(job, ask):
    track.wheel(job)

def leaves(job, ask):
    sys.exit(4)

def crashes(job, ask):
    os.kill(os.getpid(), signal.SIGSEGV)

def closes(job, ask):
    os.close(4)
    time.sleep(600)

def sleeps(job, ask):
    ask(os.getpid())
    if job:
        open(job, "w").write(str(os.getpid()))
    time.sleep(600000)

def strange(job, ask):
    ask({1: 2})

def nothing(job, ask):
    return 5
`

// open opens a pool for the time of the test.
func open(tb testing.TB, cfg Config) *Workers {
	tb.Helper()
	env := pyenv.ForTest(tb)
	cfg.Python = func(context.Context, string) (string, error) { return env.Python, nil }
	p := Open(context.Background(), cfg)
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Error(err)
		}
	})
	return p
}

type asked = func(context.Context, []bench.Value) ([]bench.Value, error)

// run lends a process for one run.
func run(
	ctx context.Context, p *Workers, function string, job any, ask asked,
) (list []bench.Value, err error) {
	err = p.Lend(ctx, world, func(h bench.Host) (err error) {
		list, err = h.Call(ctx, function, job, ask)
		return err
	})
	return list, err
}

// pid returns the ID of the process that the pool lends next.
func pid(t *testing.T, p *Workers) int {
	t.Helper()
	list, err := run(t.Context(), p, "pid", nil, nil)
	must.Do(t, err)
	return int(list[0].(bench.Int))
}

func ended(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(b), ") Z ")
}

// await waits until a condition holds. The limit of five minutes only ends tests that hang.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func echo(_ context.Context, list []bench.Value) ([]bench.Value, error) { return list, nil }

func text(s string) bench.Array {
	return bench.Array{DType: "uint8", Shape: []int{len(s)}, Data: []byte(s)}
}

func TestValuesCrossBothWays(t *testing.T) {
	got, err := run(t.Context(), open(t, Config{}), "echo", map[string]int{"number": -7}, echo)
	must.Do(t, err)
	var data []byte
	for _, v := range []float64{0, 3, 1, 4, 2, 5} {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	want := []bench.Value{
		bench.Int(-7), bench.Bool(true), bench.None{}, text("Text"), bench.Float(0.5),
		bench.Int(-3), bench.Bool(false),
		bench.Array{DType: "float64", Shape: []int{3, 2}, Data: data},
	}
	golden.Same(t, "value", want, got)
}

// TestAFaultInAskEndsTheRunAlone: the error comes back unchanged, and the process is used again,
// whatever the scorer does with the error.
func TestAFaultInAskEndsTheRunAlone(t *testing.T) {
	p := open(t, Config{})
	before := pid(t, p)
	fault := bench.Faultf(bench.Raised, "ValueError: step 3")
	for _, function := range []string{"sum_up", "stubborn"} {
		calls := 0
		refuse := func(context.Context, []bench.Value) ([]bench.Value, error) {
			calls++
			return nil, fault
		}
		_, err := run(t.Context(), p, function, 5, refuse)
		if err != error(fault) || calls != 1 {
			t.Errorf("%s: %v after %d calls", function, err, calls)
		}
	}
	list, err := run(t.Context(), p, "sum_up", 4, echo)
	if err != nil || list[0] != bench.Value(bench.Int(6)) {
		t.Errorf("then %v, %v", list, err)
	}
	if after := pid(t, p); after != before {
		t.Errorf("process %d, then %d", before, after)
	}
}

// TestABrokenWorld: a failure of the scorer is not the candidate's fault. Its message is one line,
// and the next run has a new process.
func TestABrokenWorld(t *testing.T) {
	var log bytes.Buffer
	p := open(t, Config{Log: &log})
	before := pid(t, p)
	if list, err := run(t.Context(), p, "noisy", 0, echo); err != nil || len(list) != 0 {
		t.Errorf("what it prints disturbs: %v, %v", list, err)
	}
	for _, c := range []struct {
		function string
		job      any
		want     string
	}{
		{"wheel", 3,
			"the scorer failed: world: track.py line 3: ValueError: no wheel 3 and no road"},
		{"leaves", nil, "the scorer failed: world: world.py line 50: SystemExit: 4"},
		{"crashes", nil, "the scorer failed: world: its process ended: signal: segmentation fault"},
		{"noisy", 1, "the scorer failed: world: its process ended: exit status 3; " +
			"it printed ? last words"},
		{"closes", nil, "the scorer failed: world: its process closed its pipe"},
		{"strange", nil,
			"the scorer failed: world: world.py line 66: TypeError: a dict cannot be sent"},
		{"nothing", nil,
			"the scorer failed: world: TypeError: nothing returned a int and not a list"},
		{"missing", nil, "the scorer failed: world: AttributeError: " +
			"module 'world' has no attribute 'missing'"},
	} {
		_, err := run(t.Context(), p, c.function, c.job, echo)
		if !errors.Is(err, bench.ErrScorer) || hint.Of(err) == "" {
			t.Errorf("%v with hint %q", err, hint.Of(err))
		}
		if fmt.Sprint(err) != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		after := pid(t, p)
		if after == before || !ended(before) {
			t.Errorf("%s: process %d, then %d", c.function, before, after)
		}
		before = after
	}
	if !strings.Contains(log.String(), "    track.wheel(job)") {
		t.Errorf("no traceback in the log:\n%s", &log)
	}
}

func TestAScorerThatCannotBeImported(t *testing.T) {
	p := open(t, Config{})
	source := "import math\nimport no_such_package\n"
	s := &bench.Scorer{Main: "world", Modules: map[string]string{"world": source}}
	err := p.Lend(t.Context(), s, func(bench.Host) error { t.Error("it is lent"); return nil })
	want := "the scorer failed: world: world.py line 2: ModuleNotFoundError: " +
		"No module named 'no_such_package'"
	if fmt.Sprint(err) != want {
		t.Error(err)
	}
}

func TestAProcessIsReplaced(t *testing.T) {
	patience := standard
	patience.runs = 3
	p := open(t, Config{patience: patience})
	var pids []int
	for range 4 {
		pids = append(pids, pid(t, p))
	}
	if pids[0] != pids[1] || pids[1] != pids[2] || pids[2] == pids[3] || !ended(pids[0]) {
		t.Errorf("runs in processes %v, of which each may have three", pids)
	}
	// A process that was killed while it was idle.
	must.Do(t, unix.Kill(pids[3], unix.SIGKILL))
	<-p.idle[0].Gone() // wait until Go knows; before that, its use would be an error
	if again := pid(t, p); again == pids[3] {
		t.Errorf("process %d is lent after its end", again)
	}
}

func TestManyAtOnce(t *testing.T) {
	p := open(t, Config{Workers: 2})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				list, err := run(t.Context(), p, "sum_up", 10+i, echo)
				want := bench.Value(bench.Int((10 + i) * (9 + i) / 2))
				if err != nil || list[0] != want {
					t.Errorf("%v, %v, want %v", list, err, want)
				}
			}
		})
	}
	wg.Wait()
	if len(p.alive) > 2 {
		t.Errorf("%d processes", len(p.alive))
	}
}

func TestTheProbeIsFirst(t *testing.T) {
	p := open(t, Config{Workers: 2})
	refusal := errors.New("another pygame")
	s := *world
	probes := 0
	s.Probe = func(ctx context.Context, h bench.Host) error {
		probes++
		if _, err := h.Call(ctx, "sum_up", 2, echo); err != nil {
			return err
		}
		return refusal
	}
	err := p.Lend(t.Context(), &s, func(bench.Host) error { t.Error("lent"); return nil })
	if err != refusal {
		t.Error(err)
	}
	refusal = nil
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := p.Lend(t.Context(), &s, func(bench.Host) error { return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if probes != 2 {
		t.Errorf("%d probes, want a refused one and one for all", probes)
	}
}

func TestCancel(t *testing.T) {
	const never = 1 << 40
	long := patience{tick: time.Millisecond, stall: never, leave: never, runs: 500}
	p := open(t, Config{patience: long})
	before := pid(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := run(ctx, p, "sum_up", 100, func(
		context.Context, []bench.Value,
	) ([]bench.Value, error) {
		cancel()
		return []bench.Value{bench.Int(1)}, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if after := pid(t, p); after != before {
		t.Errorf("process %d, then %d: a process that comes to its next question is kept",
			before, after)
	}
	short := long
	short.leave = 20
	p.idle[0].patience = short // it started with the long one
	ctx, cancel = context.WithCancel(t.Context())
	answer := func(_ context.Context, list []bench.Value) ([]bench.Value, error) {
		cancel() // the scorer does not reach another question
		return list, nil
	}
	if _, err := run(ctx, p, "sleeps", nil, answer); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !ended(before) {
		t.Error("a process that comes to no question is kept")
	}
}

func TestAProcessThatStalls(t *testing.T) {
	p := open(t, Config{})
	before := pid(t, p) // starting takes longer than the limits below
	stalls := p.idle[0]
	stalls.patience = patience{tick: 10 * time.Millisecond, stall: 100, leave: 1, runs: 500}
	slow := func(_ context.Context, list []bench.Value) ([]bench.Value, error) {
		time.Sleep(1200 * time.Millisecond)
		if stalls.Ended() {
			t.Error("the time of a candidate counts")
		}
		return list, nil
	}
	_, err := run(t.Context(), p, "sleeps", nil, slow)
	if fmt.Sprint(err) != "the scorer failed: world: no answer for 1s" || !ended(before) {
		t.Error(err)
	}
}

// TestNothingIsLeftBehind: the end of the pool's context kills lent processes and their children,
// and Close waits for the processes.
func TestNothingIsLeftBehind(t *testing.T) {
	env := pyenv.ForTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	p := Open(ctx, Config{
		Workers: 2,
		Python:  func(context.Context, string) (string, error) { return env.Python, nil },
	})
	pids := []int{pid(t, p)}
	busy := func(_ context.Context, list []bench.Value) ([]bench.Value, error) {
		children, err := run(t.Context(), p, "child", nil, nil)
		if err != nil {
			return nil, err
		}
		for _, v := range append(list, children...) {
			pids = append(pids, int(v.(bench.Int)))
		}
		cancel()
		return list, nil
	}
	_, err := run(t.Context(), p, "sleeps", nil, busy)
	if err == nil || errors.Is(err, bench.ErrScorer) {
		t.Errorf("a run in a closed pool: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, pid := range pids {
		left := fmt.Sprintf("process %d of %v is left behind", pid, pids)
		await(t, left, func() bool { return ended(pid) })
	}
	if _, err := run(t.Context(), p, "pid", nil, nil); err != errClosed {
		t.Error(err)
	}
}

// TestItEndsWithItsParent kills a program whose scorer is busy.
func TestItEndsWithItsParent(t *testing.T) {
	if file := os.Getenv("HOST_TEST_PARENT"); file != "" {
		_, err := run(t.Context(), open(t, Config{}), "sleeps", file, echo)
		t.Error(err)
		return
	}
	pyenv.ForTest(t)
	cmd := exec.Command(os.Args[0], "-test.run", "^TestItEndsWithItsParent$")
	asleep := filepath.Join(t.TempDir(), "asleep")
	cmd.Env = append(os.Environ(), "HOST_TEST_PARENT="+asleep)
	must.Do(t, cmd.Start())
	pid := 0
	await(t, "the scorer does not continue after its question", func() bool {
		text, _ := os.ReadFile(asleep)
		pid, _ = strconv.Atoi(string(text))
		return pid > 0
	})
	must.Do(t, cmd.Process.Kill())
	_ = cmd.Wait()
	await(t, fmt.Sprintf("process %d is left behind", pid), func() bool { return ended(pid) })
}

func TestTheEnvironmentIsBuiltFromNothing(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	list, err := run(t.Context(), open(t, Config{Cache: "/var/cache/x"}), "environment", nil, nil)
	must.Do(t, err)
	got := string(list[0].(bench.Array).Data)
	if strings.Contains(got, "secret") {
		t.Error("a key is in it")
	}
	for _, want := range []string{
		"PYTHONHASHSEED=0", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1",
		"SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy", "MPLCONFIGDIR=/var/cache/x/matplotlib",
	} {
		if !strings.Contains(got+"\n", want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestServe calls Serve for a Python process that the package did not start. The process asks
// through the module host, until it ends or is refused.
func TestServe(t *testing.T) {
	python := pyenv.ForTest(t).Python
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "host.py"), Module)
	const asks = `
import host
ask = host.Host().ask
total = 1
while total < 100:
    total = ask(total, b"text")[0]
print(total)
`
	refusal := errors.New("enough")
	for _, limit := range []int64{1000, 20} {
		from, question, err := os.Pipe()
		must.Do(t, err)
		answer, to, err := os.Pipe()
		must.Do(t, err)
		cmd := exec.Command(
			python, "-P", "-c", "import sys; sys.path.insert(0, sys.argv[1])\n"+asks, dir)
		cmd.ExtraFiles = []*os.File{answer, question}
		var out bytes.Buffer
		cmd.Stdout = &out
		must.Do(t, cmd.Start())
		question.Close()
		answer.Close()
		said := func(list []bench.Value) ([]bench.Value, error) {
			if n := list[0].(bench.Int); int64(n) < limit {
				return []bench.Value{3 * n}, nil
			}
			return nil, refusal
		}
		err = Serve(int(to.Fd()), int(from.Fd()), said)
		ended := cmd.Wait()
		from.Close()
		to.Close()
		if limit == 1000 && (err != nil || ended != nil || out.String() != "243\n") {
			t.Errorf("%v, %v, printed %q", err, ended, out.String())
		}
		if limit == 20 && (!errors.Is(err, refusal) || ended == nil) {
			t.Errorf("refused: %v, %v", err, ended)
		}
	}
}
