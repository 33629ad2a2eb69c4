//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

func TestMain(m *testing.M) {
	if Reexec() {
		return
	}
	goleak.VerifyTestMain(closing{m})
}

// closing runs tests that share a pool, and then closes the pool.
type closing struct{ *testing.M }

func (m closing) Run() int {
	defer func() {
		if shared != nil {
			shared.Close()
		}
	}()
	return m.M.Run()
}

var shared *Workers // the pool of Config{}

// testPython returns an interpreter with NumPy, or skips.
func testPython(tb testing.TB) string {
	tb.Helper()
	if p := os.Getenv("PACEBENCH_TEST_PYTHON"); p != "" {
		return p
	}
	return pyenv.ForTest(tb).Python
}

// openPool opens a pool for the time of the test, or shares the pool of an empty Config.
func openPool(tb testing.TB, cfg Config) *Workers {
	tb.Helper()
	share := cfg == Config{}
	if share && shared != nil {
		return shared
	}
	cfg.Python = testPython(tb)
	p, err := Open(context.Background(), cfg)
	if errors.Is(err, errUnconfined) {
		tb.Skip(err)
	}
	must.Do(tb, err)
	if share {
		shared = p
		return p
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// evaluate loads a source that defines f and calls it without arguments.
func evaluate(
	tb testing.TB, p *Workers, source string, limits bench.Limits,
) (bench.Value, *bench.Fault) {
	tb.Helper()
	t, err := p.Load(tb.Context(), source, "", "f", limits)
	var v bench.Value
	if err == nil {
		v, err = t.Call(tb.Context())
		pid := t.(*Target).process.child.pid
		if err := t.Close(); err != nil {
			tb.Error(err)
		}
		if s := state(pid); s != 0 {
			tb.Errorf("its process %d is left behind in state %c", pid, s)
		}
	}
	var fault *bench.Fault
	if err != nil && !errors.As(err, &fault) {
		tb.Fatalf("error of the backend: %v", err)
	}
	return v, fault
}

// shortLimits are for candidates that reach them, longLimits for candidates that must not reach
// them on any machine.
var (
	shortLimits = bench.Limits{Wall: time.Second, CPU: 200 * time.Millisecond, Memory: 256 << 20}
	longLimits  = bench.Limits{Wall: 10 * time.Minute, CPU: 5 * time.Minute, Memory: 256 << 20}
)

// whenAsked calls f once the target has been asked something and has not answered.
func whenAsked(t bench.Target, f func()) {
	clock := t.(*Target).process.clock
	go func() {
		for asked := false; !asked; time.Sleep(time.Millisecond) {
			clock.mu.Lock()
			asked = clock.ctx != nil
			clock.mu.Unlock()
		}
		f()
	}()
}

func load(tb testing.TB, p *Workers, source, name string, limits bench.Limits) bench.Target {
	tb.Helper()
	t, err := p.Load(context.Background(), source, "", name, limits)
	must.Do(tb, err)
	return t
}

func upload(tb testing.TB, t bench.Target, a bench.Array) bench.Handle {
	tb.Helper()
	h, err := t.Upload(context.Background(), a)
	must.Do(tb, err)
	return h
}

// controlGroup makes a control group that has one of two files: the first in the kernel's old
// interface, the second in its new one. It returns the name of that file, and a function that
// writes into the group's files.
func controlGroup(t *testing.T, first, second string) (file string, write func(file, text string)) {
	t.Helper()
	const all = "/sys/fs/cgroup"
	parent, file := filepath.Join(all, filepath.Dir(first)), filepath.Base(first)
	if _, err := os.Stat(parent); err != nil {
		parent, file = all, second
	}
	group := filepath.Join(parent, fmt.Sprintf("pacebench-test-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skip("no control group can be made: ", err)
	}
	t.Cleanup(func() { os.Remove(group) })
	return file, func(file, text string) {
		if err := os.WriteFile(filepath.Join(group, file), []byte(text), 0); err != nil {
			t.Skip("the control group cannot be changed: ", err)
		}
	}
}
