//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"os"
	"sync"
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
	goleak.VerifyTestMain(m)
}

var interpreterOnce sync.Once
var interpreterPath string

// testPython returns an interpreter with NumPy, or skips.
func testPython(tb testing.TB) string {
	tb.Helper()
	if p := os.Getenv("PACEBENCH_TEST_PYTHON"); p != "" {
		return p
	}
	interpreterOnce.Do(func() { interpreterPath = pyenv.ForTest(tb).Python })
	if interpreterPath == "" {
		tb.Skip("needs Python with NumPy")
	}
	return interpreterPath
}

// openPool opens a pool for the time of the test.
func openPool(tb testing.TB, cfg Config) *Pool {
	tb.Helper()
	cfg.Python = testPython(tb)
	p, err := Open(context.Background(), cfg)
	if errors.Is(err, errUnconfined) {
		tb.Skip(err)
	}
	must.Do(tb, err)
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// evaluate loads a source that defines f and calls it without arguments.
func evaluate(
	tb testing.TB, p *Pool, source string, limits bench.Limits,
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

// shortLimits are for what runs into them, longLimits for what must not on any machine.
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
