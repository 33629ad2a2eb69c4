package aco

import (
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// reference is testdata/reference.json: 48 runs of the public solver (PyTorch, float64) on
// each of the five training instances.
type reference struct {
	Iterations []int `json:"iterations_recorded"`
	Heuristics map[string]struct {
		Mean   float64   `json:"objective_mean"`
		SD     float64   `json:"objective_sd"`
		SE     float64   `json:"objective_se"`
		Best   []float64 `json:"best_so_far_mean"`
		BestSE []float64 `json:"best_so_far_se"`
		Cost   []float64 `json:"mean_ant_cost_mean"`
		CostSE []float64 `json:"mean_ant_cost_se"`
	} `json:"heuristics"`
}

const referenceRuns = 48

// training is TSP-ACO's training set.
func training() tsp.Set { return tsp.Draw(1234, 5, 50) }

// TestColonyAgreesWithTheReference repeats solves, each with its own streams, and compares means
// with the reference: the objective, and after 1, 2, 5, 10, 20, 50 and 100 iterations the best tour
// so far and the tours of all ants. The tours of all ants are precise to 0.1 %: they would show a
// wrong deposit, a missing closing edge, a wrong order of decay and deposit, or a biased step. For
// each of 5 heuristics and 2 samplers, 15 differences may be at most 4 standard errors, computed
// from the reference's spread: a correct colony fails for at most 1 % of the seeds. In
// scripts/test-long, blocks, the sampler of TSP-ACO, makes 120 repetitions; with PACEBENCH_SLOW,
// both samplers make 120 repetitions for each of 4 seeds. With 120 repetitions, the test also
// compares the spreads.
func TestColonyAgreesWithTheReference(t *testing.T) {
	var want reference
	read(t, "reference.json", &want)
	slow := os.Getenv("PACEBENCH_SLOW") != ""
	for name := range want.Heuristics {
		for how, sampler := range samplers {
			runs, seeds := 4, 1
			switch {
			case slow:
				runs, seeds = 120, 4
			case how == "blocks" && tasktest.Long():
				runs = 120
			}
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				for seed := range seeds {
					got := measure(t, heuristics[name], sampler, want.Iterations,
						uint64(seed), runs)
					w := want.Heuristics[name]
					z := func(what string, got, want, se float64) {
						v := (got - want) / (se * math.Sqrt(1+referenceRuns/float64(runs)))
						if math.Abs(v) > 4 {
							t.Errorf("seed %d, %s: %.5f, reference %.5f, z = %.1f",
								seed, what, got, want, v)
						}
					}
					mean, sd := meanSD(got.objective)
					z("objective", mean, w.Mean, w.SE)
					for k, it := range want.Iterations {
						z("best after "+strconv.Itoa(it), got.best[k], w.Best[k], w.BestSE[k])
						z("mean ant at "+strconv.Itoa(it), got.cost[k], w.Cost[k], w.CostSE[k])
					}
					if runs >= 100 && math.Abs(sd/w.SD-1) > 0.45 {
						t.Errorf("seed %d: sd of the objective %.4f, reference %.4f",
							seed, sd, w.SD)
					}
				}
			})
		}
	}
}

// measured is the result of repetitions of the whole training set.
type measured struct {
	objective  []float64 // by repetition: mean over instances of the best tour
	best, cost []float64 // by recorded iteration: means over repetitions and instances
}

func measure(
	t *testing.T, heuristic func(tsp.Instance) []float64, sampler sampler,
	iterations []int, seed uint64, runs int,
) measured {
	t.Helper()
	m := measured{
		objective: make([]float64, runs),
		best:      make([]float64, len(iterations)), cost: make([]float64, len(iterations)),
	}
	set := training()
	share := 1 / float64(runs*len(set))
	for i, in := range set {
		eta := heuristic(in)
		Floor(eta)
		for r := range runs {
			so := math.Inf(1)
			stream := Stream{Seed: seed, Instance: i, Replicate: r}
			w := sampler(eta, len(in))
			best, err := solve(t.Context(), tour(in), w, Standard, stream, Options{
				See: func(iteration int, _ [][]int32, lengths []float64) {
					so = min(so, slices.Min(lengths))
					if k := slices.Index(iterations, iteration+1); k >= 0 {
						mean, _ := meanSD(lengths)
						m.best[k] += so * share
						m.cost[k] += mean * share
					}
				},
			})
			must.Do(t, err)
			m.objective[r] += best / float64(len(set))
		}
	}
	return m
}

func meanSD(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean) / float64(len(values)-1)
	}
	return mean, math.Sqrt(sd)
}
