package report

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
)

// TestStyles: each method has a place of its own, whatever runs a report has, and one with a fixed
// place keeps it.
func TestStyles(t *testing.T) {
	l := Labels{Methods: []bench.Label{
		{Name: "greedy", Tasks: []string{"tsp"}}, {Name: "ppo", Style: 3, Tasks: []string{"walk"}},
		{Name: "a"}, {Name: "b"}, {Name: "pace", Style: 1}, {Name: "c"},
	}}
	got := l.Styles()
	want := map[string]int{"pace": 0, "ppo": 2, "a": 1, "b": 3, "c": 4}
	for name, style := range want {
		if got[name] != style {
			t.Errorf("%s has place %d, want %d", name, got[name], style)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	some := looksOf([]*group{}, l)
	if some["b"] != 3 {
		t.Errorf("without runs b has place %d", some["b"])
	}
}
