package results_test

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// curved returns a run whose best program improves at these evaluations. Each evaluation takes a
// hundred tokens and costs a cent.
func curved(finished bool, evaluations int, curve ...results.Improvement) *results.Run {
	for i := range curve {
		curve[i].Tokens, curve[i].Cost = 100*curve[i].Evaluation, float64(curve[i].Evaluation)/100
	}
	last := curve[len(curve)-1]
	usd := float64(evaluations) / 100
	r := &results.Run{
		Header:  record.Header{Task: "tsp-construct", Method: "pace", Models: resultstest.Mini},
		Journal: true, Curve: curve,
		Totals: record.Totals{
			Evaluations: evaluations,
			Best:        &record.BestResult{Score: -last.Value, Value: last.Value},
			Usage: map[llm.Purpose]record.Tally{
				"algorithm/P1": {Usage: llm.Usage{Prompt: 100 * evaluations}, Cost: &usd},
			},
		},
	}
	if finished {
		r.Result = &record.Result{}
	}
	return r
}

func TestBestSoFar(t *testing.T) {
	at := func(evaluation int, value float64) results.Improvement {
		return results.Improvement{Evaluation: evaluation, Value: value}
	}
	for _, c := range []struct {
		name string
		runs []*results.Run
		axis *results.Axis
		want []results.Point
	}{
		{"one seed is its own band", []*results.Run{curved(true, 10, at(1, 9), at(4, 7))},
			results.ByEvaluations,
			[]results.Point{{1, 9, 9, 9}, {4, 7, 7, 7}, {10, 7, 7, 7}}},
		{"it begins where all seeds have a score", []*results.Run{
			curved(true, 10, at(1, 8), at(2, 6)), curved(true, 10, at(3, 8), at(5, 4)),
		}, results.ByEvaluations,
			[]results.Point{{3, 7, 6, 8}, {5, 5, 4, 6}, {10, 5, 4, 6}}},
		{"a finished run keeps its best beyond its end", []*results.Run{
			curved(true, 5, at(1, 8)), curved(true, 10, at(1, 8), at(8, 6)),
		}, results.ByEvaluations,
			[]results.Point{{1, 8, 8, 8}, {8, 7, 6, 8}, {10, 7, 6, 8}}},
		{"an unfinished run ends the curve", []*results.Run{
			curved(false, 5, at(1, 8)), curved(true, 10, at(1, 8), at(8, 6)),
		}, results.ByEvaluations,
			[]results.Point{{1, 8, 8, 8}, {5, 8, 8, 8}}},
		{"by tokens", []*results.Run{curved(true, 10, at(1, 9), at(4, 7))}, results.ByTokens,
			[]results.Point{{0.1, 9, 9, 9}, {0.4, 7, 7, 7}, {1, 7, 7, 7}}},
		{"by USD", []*results.Run{curved(true, 10, at(1, 9), at(4, 7))}, results.ByCost,
			[]results.Point{{0.01, 9, 9, 9}, {0.04, 7, 7, 7}, {0.1, 7, 7, 7}}},
		{"no run has a score", []*results.Run{{}}, results.ByEvaluations, nil},
		{"an unfinished run that ends before another has a score", []*results.Run{
			curved(false, 2, at(1, 8)), curved(true, 10, at(3, 8)),
		}, results.ByEvaluations, []results.Point{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := (&results.Group{Runs: c.runs}).BestSoFar(c.axis, map[*results.Axis]float64{
				results.ByEvaluations: 1, results.ByTokens: 1000, results.ByCost: 1,
			}[c.axis])
			golden.Same(t, c.name, c.want, got)
		})
	}
}
