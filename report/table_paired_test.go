package report

import (
	"math"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// TestPairedTable compares three variants with their bases: the mean difference, its interval
// computed by hand (t with 2 degrees of freedom is 4.302653), and the shared requests and tokens.
func TestPairedTable(t *testing.T) {
	s := &results.Store{}
	for i, values := range [][2]float64{{6.3, 6.35}, {6.2, 6.3}, {6.1, 6.1}} {
		seed := uint64(i + 1)
		base := finished("pace", "", seed, -values[0], values[0], nil)
		variant := finished("pace", "k=5", seed, -values[1], values[1], nil)
		variant.Header.Paired = base.Header.Digest()
		variant.Asked = 40
		variant.Usage = map[llm.Purpose]record.Tally{
			"algorithm/i1": {Requests: 40, Usage: llm.Usage{Prompt: 1000}},
		}
		variant.Shared = map[llm.Purpose]record.Tally{
			"algorithm/i1": {Requests: 10, Usage: llm.Usage{Prompt: 200}},
		}
		s.Runs = append(s.Runs, base, variant)
	}
	table := func() *Table {
		return find(s, "paired-tsp-construct", Options{Labels: labels, All: true})
	}
	got := row(t, table(), "pace@k=5")
	for id, want := range map[string]float64{
		"train":      0.05,
		"train/low":  0.05 - 4.302653*0.05/math.Sqrt(3),
		"train/high": 0.05 + 4.302653*0.05/math.Sqrt(3),
		"pairs":      3, "shared_requests": 25, "shared_tokens": 20,
	} {
		if math.Abs(got[id].Mean-want) > 1e-6 {
			t.Errorf("%s is %v, want %v", id, got[id].Mean, want)
		}
	}
	golden.Same(t, "row", []string{"PACE | +0.050 ± 0.050"}, lines(t, table(), "base", "train"))

	s.Runs = s.Runs[1:] // the base of seed 1
	golden.Same(t, "pairs without a base", []string{"2"}, lines(t, table(), "pairs"))
	noted(t, table(), "PACE, k = 5, seed 1.")

	for _, r := range s.Runs {
		r.Header.Paired = ""
	}
	if table() != nil {
		t.Error("there is a table of paired differences without a paired run")
	}
}
