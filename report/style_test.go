package report

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
)

// TestStyles: each method has its own place in the palette, whatever runs a report has, and a
// method with a fixed place keeps it.
func TestStyles(t *testing.T) {
	l := Labels{Methods: []bench.Label{
		{Name: "greedy", Tasks: []string{"tsp"}}, {Name: "ppo", Style: 3, Tasks: []string{"walk"}},
		{Name: "a"}, {Name: "b"}, {Name: "pace", Style: 1}, {Name: "c"},
	}}
	golden.Same(t, "places",
		map[string]int{"pace": 0, "ppo": 2, "a": 1, "b": 3, "c": 4}, l.Styles())
	if got := looksOf([]*group{}, l)["b"]; got != 3 {
		t.Errorf("without runs b has place %d", got)
	}
}
