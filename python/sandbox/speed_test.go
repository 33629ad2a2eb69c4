//go:build linux && (amd64 || arm64)

package sandbox

import (
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
)

// TestTimeScale: a time scale is recommended only for a much slower machine.
func TestTimeScale(t *testing.T) {
	for _, c := range []struct{ ms, want float64 }{
		{0.5, 1}, {3.2, 1}, {6, 1}, {9, 1}, {9.1, 1.6}, {12, 2}, {13.7, 2.3},
		{6000, record.MaxTimeScale},
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
