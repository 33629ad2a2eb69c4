//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
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
	for i := range 20 {
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

// TestChildrenAreAlike compares many children: the next heap addresses of every size, the order of
// a set, hashes, random draws, the collector's counters, and everything else that could reveal how
// many children came before. Nothing may depend on earlier or concurrent candidates, in this
// process or in another process.
func TestChildrenAreAlike(t *testing.T) {
	source := `import gc, os, sys, threading, resource
import numpy as np
import random
counts = gc.get_count()
hoard = [[bytearray(size) for _ in range(20)] for size in (1, 20, 40, 60, 100, 200, 400, ` +
		`1000, 5000)]
kinds = [object, lambda: lambda: 0, lambda: type('T', (), {})(), lambda: type('T', (), {}), ` +
		`lambda: iter([]), lambda: np.random.default_rng()]
things = [kind() for kind in kinds for _ in range(100)]
index = {id(thing): i for i, thing in enumerate(things)}
state = [index[id(thing)] for thing in set(things)]
state += [id(thing) for row in hoard for thing in row] + [id(row) for row in hoard]
state += [id(object()) for _ in range(3)] + [id(lambda: 1), id({}), id(float(3.5)), id((1, state))]
state += [*counts, sys.getallocatedblocks(), len(gc.get_objects()), gc.get_freeze_count()]
state += [os.getpid(), os.getppid(), threading.get_native_id(), threading.main_thread().native_id]
state += [resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, hash('pace'), ` +
		`id(np.zeros(10)), int(random.random() * 2**50), int(np.random.rand() * 2**50)]
drawn = [int(np.random.default_rng().random() * 2**50) for _ in range(2)]
assert drawn[0] != drawn[1]
state += drawn


def f():
    return state
`
	var mu sync.Mutex
	var want []byte
	for _, workers := range []int{1, 4} {
		p := openPool(t, Config{Workers: workers})
		if !p.server.zygote.Fixed {
			t.Skip("memory addresses are random on this machine")
		}
		var wg sync.WaitGroup
		slots := make(chan struct{}, workers)
		for i := range 12 {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				if i%3 == 1 { // another history
					_, _ = evaluate(t, p, "def f():\n    1 // 0\n", bench.Limits{})
				}
				v, fault := evaluate(t, p, source, bench.Limits{})
				if fault != nil {
					t.Error(fault)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				got := v.(bench.Array).Data
				if want == nil {
					want = got
				}
				if !bytes.Equal(got, want) {
					t.Errorf("child %d of %d workers differs from the first:\n%x\n%x",
						i, workers, got, want)
				}
			})
		}
		wg.Wait()
	}
}

// withSciPy uses the parts of SciPy that candidates mostly use: distances, trees, assignment,
// graphs, and dense linear algebra, for which SciPy has its own BLAS.
const withSciPy = `import numpy as np
import scipy.linalg
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist


def f():
    points = np.arange(24.0).reshape(12, 2) % 7
    distances = cdist(points, points)
    linear_sum_assignment(distances)
    minimum_spanning_tree(distances)
    KDTree(points).query(points + 0.25)
    return scipy.linalg.eigvalsh(np.eye(300))[0]
`

// SciPy is not preloaded, so a candidate reads it from the disk and maps its libraries while it is
// fully confined.
func TestSciPy(t *testing.T) {
	for _, without := range []missing{{}, {namespaces: true}} {
		t.Run(fmt.Sprintf("namespaces=%v", !without.namespaces), func(t *testing.T) {
			p := openPool(t, Config{without: without})
			limits := bench.Limits{Wall: time.Hour, CPU: 10 * time.Minute}
			target := load(t, p, withSciPy, "f", limits)
			defer target.Close()
			if v, err := target.Call(t.Context()); err != nil || v != bench.Float(1) {
				t.Errorf("f() = %v, %v", v, err)
			}
			// SciPy's BLAS and NumPy's BLAS use one thread.
			pid := target.(*Target).process.child.pid
			threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
			if err != nil || len(threads) != 1 {
				t.Errorf("%d threads, want 1; %v", len(threads), err)
			}
		})
	}
}

// BenchmarkLoad measures how long it takes to load a candidate, with and without SciPy, which is
// not preloaded.
func BenchmarkLoad(b *testing.B) {
	p := openPool(b, Config{})
	for _, module := range []string{"numpy", "scipy.spatial"} {
		b.Run(module, func(b *testing.B) {
			for b.Loop() {
				t := load(b, p, "import "+module+"\n"+answer42, "f",
					bench.Limits{Wall: time.Minute})
				must.Do(b, t.Close())
			}
		})
	}
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
