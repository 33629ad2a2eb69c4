package cvrpaco

import (
	"math"
	"slices"
	"testing"

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

// TestColonyAgreesWithTheReference: idle steps free, as the task counts, and at a cost of 1, as the
// public code does.
func TestColonyAgreesWithTheReference(t *testing.T) {
	for _, c := range []struct {
		name      string
		idle      float64
		heuristic func(s Site) []float64
		want      colonytest.Reference
	}{
		{"inverse", 0, power(1), colonytest.Reference{
			Runs: 20, Objective: colonytest.Spread{Mean: 13.306563, SD: 0.159260},
			First: colonytest.Spread{Mean: 22.044761, SD: 0.085225},
			Last:  colonytest.Spread{Mean: 18.801096, SD: 0.094899},
			Tests: map[string]colonytest.Spread{
				"test50": {Mean: 11.321, SD: 0.02},
			},
		}},
		{"inverse square", 0, power(2), colonytest.Reference{
			Runs: 20, Objective: colonytest.Spread{Mean: 9.430239, SD: 0.064607},
			First: colonytest.Spread{Mean: 16.356302, SD: 0.076636},
			Last:  colonytest.Spread{Mean: 12.253869, SD: 0.072027},
			Tests: map[string]colonytest.Spread{
				"test50":  {Mean: 9.2114, SD: 0.02},
				"test100": {Mean: 15.408, SD: 0.02},
			},
		}},
		{"inverse, idle cost", 1, power(1), colonytest.Reference{
			Runs: 20, Objective: colonytest.Spread{Mean: 18.695731, SD: 0.145129},
			First: colonytest.Spread{Mean: 25.146595, SD: 0.215546},
			Last:  colonytest.Spread{Mean: 24.382943, SD: 0.449626},
		}},
		{"inverse square, idle cost", 1, power(2), colonytest.Reference{
			Runs: 20, Objective: colonytest.Spread{Mean: 12.617887, SD: 0.083120},
			First: colonytest.Spread{Mean: 19.403302, SD: 0.308801},
			Last:  colonytest.Spread{Mean: 16.143448, SD: 0.322779},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			colonytest.Agree(t, newColony(Name, c.idle), c.heuristic, c.want)
		})
	}
}

// TestSavingsServeEveryone once, and no vehicle carries more than it can.
func TestSavingsServeEveryone(t *testing.T) {
	for number := range 64 {
		s, err := data.Instance("test100", number)
		if err != nil {
			t.Fatal(err)
		}
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
	colonytest.Evaluation(b, newColony(Name, 0), power(1))
}
