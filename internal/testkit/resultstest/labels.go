package resultstest

import (
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record/results"
)

// Tasks and Methods have the labels of the paper's tables.
var (
	Tasks = []*bench.Task{
		labelled("racing-car", "Racing Car", "track coverage (%)", 2, bench.Maximize,
			bench.Split{Name: "test", Title: "Test"}),
		labelled("bipedal-walker", "Bipedal Walker", "mean episode return", 2, bench.Maximize,
			bench.Split{Name: "test", Title: "Test"}),
		labelled("tsp-aco", "TSP-ACO", "mean tour length", 3, bench.Minimize, tspSplits...),
		labelled("tsp-construct", "TSP-Construct", "mean tour length", 3, bench.Minimize,
			tspSplits...),
	}
	Methods = []bench.Label{
		{Name: "greedy", Title: "Greedy Construct", Tasks: []string{"tsp-construct"}},
		{Name: "aco", Title: "ACO", Tasks: []string{"tsp-aco"}},
		{Name: "deepaco", Title: "DeepACO", Tasks: []string{"tsp-aco"}},
		{Name: "ppo", Title: "PPO", Style: 8, Absent: "train it",
			Tasks: []string{"racing-car", "bipedal-walker"}},
		{Name: "randsample", Title: "Random sampling", Style: 7, Control: true},
		{Name: "eoh", Title: "EoH", Style: 2},
		{Name: "reevo", Title: "ReEvo", Style: 3},
		{Name: "mcts-ahd", Title: "MCTS-AHD", Style: 4, Scheduled: true},
		{Name: "hsevo", Title: "HSEvo", Style: 5},
		{Name: "mles", Title: "MLES (cold)", Style: 6, Variants: []bench.Variant{
			{Name: "unit=evaluations", Title: "by evaluations", Main: true},
		}},
		{Name: "pace", Title: "PACE", Style: 1, Operators: []string{"I1", "P1", "P2", "P3", "P4"},
			Variants: []bench.Variant{
				{Name: "ts=false", Title: "w/o TS"},
				{Name: "operators=P2,P3,P4", Title: "w/o P1", Footnote: "as printed"},
				{Name: "operators=P1,P2,P4", Title: "w/o P3"}, {Name: "k=5", Title: "k = 5"},
				{Name: "extraction=false", Class: "generation", Title: "extraction=false"},
			}},
	}
)

var tspSplits = []bench.Split{
	{Name: "test50", Title: "n=50", InDomain: true}, {Name: "test200", Title: "n=200"},
	{Name: "test500", Title: "n=500"}, {Name: "test1000", Title: "n=1000"},
}

func labelled(
	name, title, unit string, digits int, goal bench.Goal, tests ...bench.Split,
) *bench.Task {
	return &bench.Task{
		Problem: bench.Problem{Name: name, Goal: goal},
		Label:   bench.TaskLabel{Title: title, Unit: unit, Digits: digits},
		Splits:  append([]bench.Split{{Name: "train"}}, tests...),
	}
}

// Collect changes to a new directory, lets fill write ./results there, and reads it. The relative
// path keeps absolute paths out of the output.
func Collect(t *testing.T, fill func(t testing.TB, root string)) *results.Store {
	t.Helper()
	t.Chdir(t.TempDir())
	fill(t, "results")
	s, err := (&results.Reader{}).Read("results")
	must.Do(t, err)
	return s
}
