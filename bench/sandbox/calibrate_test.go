//go:build linux && (amd64 || arm64)

package sandbox

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
)

// TestFactorsOnLimits: like machines have like limits, and a slow one has longer ones.
func TestFactorsOnLimits(t *testing.T) {
	for _, c := range []struct{ ratio, want float64 }{
		{0.001, 0.25}, {0.2, 0.25}, {0.3, 0.25}, {0.4, 0.5}, {0.59, 0.5}, {0.61, 1}, {1, 1}, {1.69, 1},
		{1.71, 2}, {2.8, 2}, {2.9, 4}, {5, 4}, {6, 8}, {1000, 16},
	} {
		got := calibrate(c.ratio * referenceMS)
		if got.Limits != c.want {
			t.Errorf("a loop of %g times the reference: %v, want a factor of %g", c.ratio, got, c.want)
		}
	}
	limits := inherited{cpu: 100 * time.Second}.within(bench.Limits{CPU: 30 * time.Second}, 2)
	if limits.CPU != time.Minute || limits.Wall != 200*time.Second {
		t.Errorf("limits of 30 s on a machine half as fast: %+v", limits)
	}
	limits = inherited{cpu: 50 * time.Second}.within(bench.Limits{CPU: 30 * time.Second}, 2)
	if limits.CPU != 49*time.Second {
		t.Errorf("beyond the inherited limit: %v", limits.CPU)
	}
}

// A clock that moves by the kernel's ticks gives loops of 1 to 8 ms on one machine.
func TestCalibrationsAgree(t *testing.T) {
	p := openPool(t, Config{})
	var loops []float64
	for range 8 {
		if err := p.calibrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		loops = append(loops, p.report.Calibration.LoopMS)
	}
	if slices.Max(loops) > 2.2*slices.Min(loops) { // a core that is shared takes 1.7 times as long
		t.Errorf("the loop takes %v ms", loops)
	}
}

func TestCalibratedPool(t *testing.T) {
	p := openPool(t, Config{Calibrate: true})
	c := p.Report().Calibration
	if c == nil || c.LoopMS <= 0 || *c != calibrate(c.LoopMS) && c.LoopMS > 1 {
		t.Fatalf("calibration %+v", c)
	}
	if said := p.Report().String(); !strings.Contains(said, c.String()) {
		t.Errorf("%s, without %v", said, c)
	}
	target := load(t, p, answer42, "f", bench.Limits{CPU: time.Second})
	defer target.Close()
	if limit, scale := target.(*Target).Limit(); limit != time.Duration(c.Limits*1e9) || scale != c.Limits {
		t.Errorf("a limit of 1 s is %v, scale %g", limit, scale)
	}
}
