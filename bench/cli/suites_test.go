package cli

import (
	"slices"
	"testing"
)

// TestSuitesHaveBothRowsOfDeepACO: one fits the published row, the other is the fair baseline.
func TestSuitesHaveBothRowsOfDeepACO(t *testing.T) {
	for _, name := range []string{"tsp-aco", "paper"} {
		s, err := findSuite(name)
		if err != nil {
			t.Fatal(err)
		}
		cells, err := s.cells([]uint64{1}, cellOptions{evals: 1}, func(group) ([]*choice, error) { return []*choice{{}}, nil })
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []string{"tsp-aco/deepaco", "tsp-aco/deepaco-train-k"} {
			if !slices.ContainsFunc(cells, func(c *cell) bool { return c.name() == row }) {
				t.Errorf("suite %s has no cell %s", name, row)
			}
		}
	}
}
