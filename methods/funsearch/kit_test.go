package funsearch

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
)

func TestConformance(t *testing.T) { benchtest.Method(t, func() bench.Method { return New() }) }

func TestConformanceWithResets(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	benchtest.Method(t, func() bench.Method {
		m := New()
		m.Reset, m.Signature, m.Normalise, m.Shown = 20, ByValues, false, 3
		return m
	})
}
