package suite

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
)

// The comparison of one run is exact if the environment is the same.
func TestRegressionOfOneRun(t *testing.T) {
	const here, there = "linux/amd64, numeric canary a", "linux/amd64, numeric canary b"
	before := func() recorded {
		train := 6.5
		return recorded{
			Train: &train, Tests: map[string]float64{"test50": 7}, Evaluations: 60, Budget: 60,
			Requests: 70, Tokens: map[string]int{"algorithm": 1000, "eap": 100},
			Journal: "aaaaaaaaaaaaaaaa", World: here,
		}
	}
	for _, tt := range []struct {
		name      string
		change    func(*recorded)
		tolerance float64
		want      []string
	}{
		{"nothing", func(*recorded) {}, 0, nil},
		{"the last digit", func(c *recorded) { *c.Train = 6.5000000000000009 }, 0.5,
			[]string{"train: 6.5 recorded, 6.500000000000001 now"}},
		{"no score", func(c *recorded) { c.Train = nil }, 0,
			[]string{"train: 6.5 recorded, no score now"}},
		{"other tests", func(c *recorded) { c.Tests = map[string]float64{"test200": 9} }, 0,
			[]string{"test50: missing", "test200: not recorded"}},
		{"counts", func(c *recorded) {
			c.Budget, c.Evaluations, c.Requests = 61, 59, 71
			c.Tokens = map[string]int{"algorithm": 1001, "reflection": 5}
		}, 0, []string{
			"budget: 60 recorded, 61 now", "evaluations: 60 recorded, 59 now",
			"requests: 70 recorded, 71 now", "tokens of algorithm: 1000 recorded, 1001 now",
			"tokens of eap: 100 recorded, 0 now", "tokens of reflection: 0 recorded, 5 now",
		}},
		{"only the journal", func(c *recorded) { c.Journal = "bbbbbbbbbbbbbbbb" }, 0,
			[]string{"journal: aaaaaaaaaaaa recorded, bbbbbbbbbbbb now: " +
				"the numbers agree but the steps differ"}},
		{"another environment within the tolerance", func(c *recorded) {
			c.World, c.Journal, c.Requests, c.Tokens["eap"], *c.Train = there, "bbbb", 72, 105, 6.6
		}, 0.1, nil},
		{"another environment beyond it", func(c *recorded) {
			c.World, c.Journal, c.Requests, c.Tokens["eap"] = there, "bbbb", 80, 111
		}, 0.1, []string{"requests: 70 recorded, 80 now", "tokens of eap: 100 recorded, 111 now"}},
		{"another environment, and not the whole budget", func(c *recorded) {
			c.World, c.Evaluations = there, 59
		}, 0.1, []string{"evaluations: 60 recorded, 59 now"}},
	} {
		now := before()
		tt.change(&now)
		golden.Same(t, tt.name, tt.want, before().differences(now, tt.tolerance))
	}
	if d := (recorded{Train: before().Train}).differences(before(), 0); d != nil {
		t.Errorf("a recording of scores only: %q", d)
	}
}
