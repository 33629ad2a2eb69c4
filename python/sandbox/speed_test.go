//go:build linux && (amd64 || arm64)

package sandbox

import (
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
)

// TestTimeScale: a value is recommended for a much slower machine alone.
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

// TestMeasuringSpeed: the measurement takes a second of CPU time, in rounds, on every machine.
func TestMeasuringSpeed(t *testing.T) {
	p := openPool(t, Config{})
	target := load(t, p, speedSource, "least", bench.Limits{})
	v, err := target.Call(t.Context())
	must.Do(t, target.Close())
	took := target.(*Target).CPU()
	if ms, ok := v.(bench.Float); err != nil || !ok || ms <= 0 || took < time.Second {
		t.Errorf("a loop of %v ms, measured for %v: %v", v, took, err)
	}
}

// TestScaledLimits: a factor multiplies both time limits, also those that a task leaves open,
// and never passes the inherited one.
func TestScaledLimits(t *testing.T) {
	limits := inherited{cpu: 100 * time.Second}.within(
		bench.Limits{CPU: 30 * time.Second, Scale: 2})
	if limits.CPU != time.Minute || limits.Wall != 200*time.Second {
		t.Errorf("limits of 30 s, twice: %+v", limits)
	}
	limits = inherited{}.within(bench.Limits{})
	if limits.CPU != defaultCPU || limits.Wall != 100*time.Second {
		t.Errorf("limits as they are: %+v", limits)
	}
	limits = inherited{cpu: 50 * time.Second}.within(bench.Limits{CPU: 30 * time.Second, Scale: 2})
	if limits.CPU != 49*time.Second {
		t.Errorf("beyond the inherited limit: %v", limits.CPU)
	}
}
