package methods

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/kit"
	"github.com/pacebench/pacebench/bench/testkit/programtest"
)

// TestJobsOfEveryMethod is one of the kit's checks, for all methods in one binary: scripts/test has
// the race detector in it, and leaves this check out of the methods' own tests.
func TestJobsOfEveryMethod(t *testing.T) {
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
