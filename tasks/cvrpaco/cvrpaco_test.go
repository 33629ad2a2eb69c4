package cvrpaco

import (
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestSavingsServeEveryone checks that each customer is served once and no vehicle is overloaded.
func TestSavingsServeEveryone(t *testing.T) {
	for number := range 64 {
		s, err := data.Instance("test100", number)
		must.Do(t, err)
		served := []int{0}
		for _, route := range s.savings() {
			if s.load(route) > capacity {
				t.Errorf("instance %d: a route of load %v", number, s.load(route))
			}
			served = append(served, route...)
		}
		slices.Sort(served)
		if len(served) != len(s.Places) || len(slices.Compact(served)) != len(s.Places) {
			t.Errorf("instance %d: %d nodes on routes", number, len(served))
		}
	}
}
