package opaco

import (
	"testing"

	"github.com/pacebench/pacebench/tasks/internal/colony/colonytest"
)

func TestColonyAgreesWithTheReference(t *testing.T) {
	for _, c := range []struct {
		name string
		rate func(prize, distance float64) float64
		want colonytest.Reference
	}{
		{"constant", func(float64, float64) float64 { return 1 }, colonytest.Reference{
			Runs: 40, Objective: colonytest.Spread{Mean: 5.97165, SD: 0.215541},
			First: colonytest.Spread{Mean: 2.85087, SD: 0.066712},
			Last:  colonytest.Spread{Mean: 3.349602, SD: 0.071112},
			Tests: map[string]colonytest.Spread{
				"test50":  {Mean: 6.235, SD: 0.06},
				"test100": {Mean: 7.470, SD: 0.06},
				"test200": {Mean: 8.591, SD: 0.08},
			},
		}},
		{"prize / d", perDistance, colonytest.Reference{
			Runs: 40, Objective: colonytest.Spread{Mean: 12.7041, SD: 0.244308},
			First: colonytest.Spread{Mean: 4.733147, SD: 0.104550},
			Last:  colonytest.Spread{Mean: 8.01793, SD: 0.161102},
			Tests: map[string]colonytest.Spread{
				"test50":  {Mean: 13.350, SD: 0.06},
				"test100": {Mean: 24.137, SD: 0.14},
				"test200": {Mean: 37.133, SD: 0.4},
			},
		}},
		{"prize / d²", func(p, d float64) float64 { return p / (d * d) }, colonytest.Reference{
			Runs: 40, Objective: colonytest.Spread{Mean: 13.8691, SD: 0.193472},
			First: colonytest.Spread{Mean: 6.546202, SD: 0.147753},
			Last:  colonytest.Spread{Mean: 10.960573, SD: 0.295610},
			Tests: map[string]colonytest.Spread{
				"test50":  {Mean: 14.560, SD: 0.06},
				"test100": {Mean: 29.376, SD: 0.1},
				"test200": {Mean: 49.808, SD: 0.2},
			},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			colonytest.Agree(t, newColony(), each(c.rate), c.want)
		})
	}
}

func perDistance(prize, distance float64) float64 { return prize / distance }

// each makes a heuristic of what a step is rated.
func each(rate func(prize, distance float64) float64) func(f Field) []float64 {
	return func(f Field) []float64 {
		eta, n := make([]float64, len(f.Distances)), len(f.Places)
		for i, d := range f.Distances {
			eta[i] = rate(f.Prizes[i%n], d)
		}
		return eta
	}
}

// BenchmarkTraining is one evaluation of the template's matrix, without Python.
func BenchmarkTraining(b *testing.B) { colonytest.Evaluation(b, newColony(), each(perDistance)) }
