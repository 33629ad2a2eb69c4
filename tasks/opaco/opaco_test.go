package opaco

import (
	"testing"

	"github.com/pacebench/pacebench/tasks/internal/colony/colonytest"
)

func perDistance(prize, distance float64) float64 { return prize / distance }

// each makes a heuristic from a rating of each step.
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
func BenchmarkTraining(b *testing.B) { colonytest.Evaluation(b, Colony(), each(perDistance)) }
