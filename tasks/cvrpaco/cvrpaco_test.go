package cvrpaco

import (
	"math"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/tasks/internal/colony/colonytest"
)

// power is 1/d^p.
func power(p float64) func(s Site) []float64 {
	return func(s Site) []float64 {
		m := s.Places.Matrix(1)
		for i, d := range m {
			m[i] = math.Pow(d, -p)
		}
		return m
	}
}

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

// BenchmarkTraining is one evaluation of the template's matrix, without Python.
func BenchmarkTraining(b *testing.B) {
	colonytest.Evaluation(b, Colony(Name), power(1))
}
