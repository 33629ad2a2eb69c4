package hsevo

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
)

func TestConformance(t *testing.T) { benchtest.Method(t, func() bench.Method { return New() }) }
