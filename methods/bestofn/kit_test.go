package bestofn

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
)

func TestConformance(t *testing.T) { benchtest.Method(t, func() bench.Method { return New() }) }

func TestConformanceFromTheTemplate(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	benchtest.Method(t, func() bench.Method {
		m := New()
		m.Start, m.Epsilon, m.Top, m.Children = Template, 0.2, 3, 6
		return m
	})
}
