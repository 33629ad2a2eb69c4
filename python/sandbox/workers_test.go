//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

const answer42 = "def f():\n    return 42\n"

func TestBrokenPrelude(t *testing.T) {
	p := openPool(t, Config{})
	_, err := p.Load(t.Context(), answer42, "import nothing_of_the_kind\n", "f", bench.Limits{})
	fault := (*bench.Fault)(nil)
	if err == nil || errors.As(err, &fault) ||
		!strings.Contains(err.Error(), "prelude fails: ModuleNotFoundError") {
		t.Errorf("a broken prelude gives %v", err)
	}
}

func TestFaultEndsTheTarget(t *testing.T) {
	p := openPool(t, Config{})
	target := load(t, p, "def f(x):\n    return 1 // x\n", "f", bench.Limits{})
	defer target.Close()
	_, first := target.Call(t.Context(), bench.Int(0))
	_, second := target.Call(t.Context(), bench.Int(1))
	if first == nil || first != second {
		t.Errorf("first %v, then %v", first, second)
	}
}

// TestWallTimeRunsOnlyWhileAsked puts the clock forward between two questions, by more than the
// wall limit and in steps that it sees.
func TestWallTimeRunsOnlyWhileAsked(t *testing.T) {
	p := openPool(t, Config{})
	limits := bench.Limits{Wall: time.Minute, CPU: time.Minute}
	target := load(t, p, answer42, "f", limits)
	defer target.Close()
	clock := target.(*Target).process.clock
	for range 2 * limits.Wall / tick {
		clock.mu.Lock()
		clock.since = clock.since.Add(-tick)
		clock.check()
		clock.mu.Unlock()
	}
	if v, err := target.Call(t.Context()); v != bench.Int(42) {
		t.Errorf("%v, %v", v, err)
	}
}

// TestCPUTimeIsTheProcesssOwn lets a candidate sleep longer than its CPU limit, and then compute in
// many short calls, each of which takes a tenth of the limit by its own count of CPU time and
// returns the CPU time of all calls.
func TestCPUTimeIsTheProcesssOwn(t *testing.T) {
	p := openPool(t, Config{})
	source := `import time
def f(sleep):
    time.sleep(sleep)
    begin = time.process_time()
    while not sleep and time.process_time() < begin + 0.05:
        pass
    return time.process_time()
`
	target := load(t, p, source, "f", bench.Limits{Wall: time.Hour, CPU: time.Second / 2})
	defer target.Close()
	if v, err := target.Call(t.Context(), bench.Float(0.7)); err != nil {
		t.Errorf("asleep: %v, %v", v, err)
	}
	spent := bench.Value(bench.Float(0))
	for range 12 {
		now, err := target.Call(t.Context(), bench.Float(0))
		if fault := (*bench.Fault)(nil); errors.As(err, &fault) && fault.Kind == bench.Timeout {
			if spent.(bench.Float) < 0.25 {
				t.Errorf("timed out after %v s of CPU time", spent)
			}
			return
		}
		spent = now
		must.Do(t, err)
	}
	t.Error("no timeout")
}

func TestCancelledContextEndsAQuestionAndNothingElse(t *testing.T) {
	p := openPool(t, Config{Workers: 1})
	source := "import time\ndef f(s):\n    time.sleep(s)\n    return 42\n"
	target := load(t, p, source, "f", bench.Limits{Wall: time.Hour})
	defer target.Close()
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		if v, err := target.Call(ctx, bench.Float(0)); v != bench.Int(42) {
			t.Fatalf("%v, %v", v, err)
		}
		cancel() // after the answer: no harm
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	whenAsked(target, cancel)
	if _, err := target.Call(ctx, bench.Float(1e6)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	target.Close()

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Load(cancelled, answer42, "", "f", bench.Limits{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("load: %v", err)
	}
	if v, fault := evaluate(t, p, answer42, bench.Limits{}); v != bench.Int(42) {
		t.Errorf("afterwards: %v, %v", v, fault)
	}
}

func TestLoadWaitsForAWorker(t *testing.T) {
	p := openPool(t, Config{Workers: 1})
	first := load(t, p, answer42, "f", bench.Limits{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := p.Load(ctx, answer42, "", "f", bench.Limits{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second candidate where there is room for one: %v", err)
	}
	first.Close()
	first.Close() // the second Close gives nothing back
	load(t, p, answer42, "f", bench.Limits{}).Close()
}

func TestManyAtOnce(t *testing.T) {
	p := openPool(t, Config{Workers: 4})
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			source := fmt.Sprintf("def f(x):\n    return x + %d\n", i)
			want := bench.Value(bench.Int(1 + i))
			if i%5 == 4 {
				source, want = "def f(x):\n    import os\n    os._exit(1)\n", nil
			}
			target, err := p.Load(t.Context(), source, "", "f", bench.Limits{})
			if err != nil {
				t.Error(err)
				return
			}
			if v, err := target.Call(t.Context(), bench.Int(1)); v != want {
				t.Errorf("%d: %v, %v", i, v, err)
			}
			target.Close()
		})
	}
	wg.Wait()
}

// TestEndOfAPool: closing a pool, or the end of its context, ends its processes, including the
// processes of targets in use.
func TestEndOfAPool(t *testing.T) {
	for _, closes := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		p, err := Open(ctx, Config{Python: testPython(t), Workers: 2})
		must.Do(t, err)
		zygote := p.server.zygote.process
		target := load(t, p, "def f():\n    while True:\n        pass\n", "f", bench.Limits{})
		pids := []int{zygote.Pid, target.(*Target).process.child.pid}
		called := make(chan error, 1)
		go func() {
			_, err := target.Call(t.Context())
			called <- err
		}()
		if closes {
			must.Do(t, p.Close())
		} else {
			cancel()
			<-zygote.Gone()
		}
		if err := <-called; err == nil {
			t.Error("the call returned")
		}
		target.Close()
		for _, pid := range pids {
			if s := state(pid); s != 0 {
				t.Errorf("process %d is in state %c", pid, s)
			}
		}
		_, err = p.Load(t.Context(), answer42, "", "f", bench.Limits{})
		if !errors.Is(err, errClosed) {
			t.Errorf("load: %v", err)
		}
		must.Do(t, p.Close())
		cancel()
		if _, err := Open(ctx, Config{Python: testPython(t)}); !errors.Is(err, context.Canceled) {
			t.Errorf("open: %v", err)
		}
	}
}

func TestMissingMechanisms(t *testing.T) {
	for name, without := range map[string]missing{
		"Landlock": {landlock: true}, "seccomp": {seccomp: true},
	} {
		cfg := Config{Python: testPython(t), without: without}
		_, err := Open(t.Context(), cfg)
		if err == nil || !strings.Contains(err.Error(), "no "+name) || hint.Of(err) == "" {
			t.Errorf("without %s: %v, hint %q", name, err, hint.Of(err))
		}
		var log bytes.Buffer
		cfg.Unsafe, cfg.Log = true, &log
		p := openPool(t, cfg)
		r := p.Report()
		if !r.Unsafe || !slices.Contains(r.Missing(), name) ||
			!strings.Contains(r.String(), "UNSAFE") {
			t.Errorf("without %s: %v", name, r)
		}
		lines := strings.Count(log.String(), "\n")
		if lines != 1 || !strings.Contains(log.String(), "NOT confined") {
			t.Errorf("without %s: told %q", name, log.String())
		}
		if v, fault := evaluate(t, p, answer42, bench.Limits{}); v != bench.Int(42) {
			t.Errorf("without %s: %v, %v", name, v, fault)
		}
	}
}

func TestSelfTest(t *testing.T) {
	for _, c := range SelfTest(t.Context(), Config{Python: testPython(t)}) {
		if !c.OK {
			t.Errorf("%s: not stopped: %s, %v", c.Name, c.Detail, c.Err)
		}
	}
	checks := SelfTest(t.Context(), Config{Python: "/nonexistent/python"})
	if len(checks) != 1 || checks[0].OK || checks[0].Err == nil {
		t.Errorf("without Python: %v", checks)
	}
}
