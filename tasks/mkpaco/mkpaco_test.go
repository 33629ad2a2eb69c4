package mkpaco

import (
	"testing"

	"github.com/pacebench/pacebench/tasks/internal/colony/colonytest"
)

func perWeight(prize float64, weights []float64) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return prize / sum
}

// each makes a heuristic from a rating of each item.
func each(rate func(prize float64, weights []float64) float64) func(s Sack) []float64 {
	return func(s Sack) []float64 {
		eta := make([]float64, len(s.Prizes))
		for i, p := range s.Prizes {
			eta[i] = rate(p, s.Weights[i*constraints:(i+1)*constraints])
		}
		return eta
	}
}

// BenchmarkTraining is one evaluation of the template's ratings, without Python.
func BenchmarkTraining(b *testing.B) { colonytest.Evaluation(b, Colony(), each(perWeight)) }
