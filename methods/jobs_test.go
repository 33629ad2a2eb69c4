package methods

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/kit"
	"github.com/pacebench/pacebench/bench/testkit/benchtest"
	"github.com/pacebench/pacebench/bench/testkit/programtest"
)

// TestJobsOfEveryMethod is one of the kit's checks, for all methods in one binary, in which
// scripts/test-long has the race detector.
func TestJobsOfEveryMethod(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	for _, m := range All() {
		t.Run(m.Name(), func(t *testing.T) {
			t.Parallel()
			k := &kit.Kit{Analyzer: programtest.Analyzer(t), New: func() bench.Method {
				m, err := New(m.Name())
				if err != nil {
					t.Fatal(err)
				}
				return m
			}}
			found := false
			for _, c := range k.Checks(t) {
				if strings.Contains(c.Name, "--jobs") {
					found = true
					c.Run(t)
				}
			}
			if !found {
				t.Error("the kit has no check of --jobs")
			}
		})
	}
}
