package mkpaco

import (
	"math"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/tasks/internal/colony/colonytest"
)

func TestColonyAgreesWithTheReference(t *testing.T) {
	for _, c := range []struct {
		name string
		rate func(prize float64, weights []float64) float64
		want colonytest.Reference
	}{
		{"constant", func(float64, []float64) float64 { return 1 }, colonytest.Reference{
			Runs: 40, Objective: colonytest.Spread{Mean: 18.403828, SD: 0.217775},
			First: colonytest.Spread{Mean: 11.351041, SD: 0.237972},
			Last:  colonytest.Spread{Mean: 14.369909, SD: 0.268716},
			Tests: map[string]colonytest.Spread{
				"test100": {Mean: 18.942, SD: 0.03},
				"test200": {Mean: 31.170, SD: 0.07},
			},
		}},
		{"prize per weight", perWeight, colonytest.Reference{
			Runs: 40, Objective: colonytest.Spread{Mean: 22.150238, SD: 0.071367},
			First: colonytest.Spread{Mean: 15.388995, SD: 0.219014},
			Last:  colonytest.Spread{Mean: 20.470145, SD: 0.157344},
			Tests: map[string]colonytest.Spread{
				"test100": {Mean: 23.010, SD: 0.018},
				"test200": {Mean: 41.520, SD: 0.06},
			},
		}},
		{"cubed", func(prize float64, weights []float64) float64 {
			return math.Pow(prize/slices.Max(weights), 3)
		}, colonytest.Reference{
			Runs: 40, Objective: colonytest.Spread{Mean: 22.496191, SD: 0.005494},
			First: colonytest.Spread{Mean: 20.400879, SD: 0.118550},
			Last:  colonytest.Spread{Mean: 22.080977, SD: 0.046277},
			Tests: map[string]colonytest.Spread{
				"test100": {Mean: 23.2868, SD: 0.005},
				"test200": {Mean: 42.6277, SD: 0.012},
			},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			colonytest.Agree(t, newColony(), each(c.rate), c.want)
		})
	}
}

func perWeight(prize float64, weights []float64) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return prize / sum
}

// each makes a heuristic of what an item is rated.
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
func BenchmarkTraining(b *testing.B) { colonytest.Evaluation(b, newColony(), each(perWeight)) }
