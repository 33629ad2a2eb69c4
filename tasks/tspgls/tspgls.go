// Package tspgls is the task TSP-GLS in ReEvo's form: design the function that says which edges a
// guided local search penalises. Start at Task, or at Solve for a guide made in Go.
package tspgls

import (
	"context"
	"embed"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/internal/programs"
	"github.com/pacebench/pacebench/tasks/internal/sets"
	"github.com/pacebench/pacebench/tasks/internal/tsp"
)

// Name is the task's name on the command line and in results.
const Name = "tsp-gls"

// itself is the distance of a city from itself.
const itself = 1e-5

// data has ReEvo's sets. Their seeds are the lengths of the words "train", "test" and "val".
var data = &sets.Sets[tsp.Instance]{
	Task:   Name,
	Splits: sets.Read(sources),
	Draw: sets.Together(func() map[string][]tsp.Instance {
		drawn := map[string][]tsp.Instance{"train": tsp.Draw(5, 10, 200)}
		test, val := numpy.NewLegacy(4), numpy.NewLegacy(3)
		for _, s := range []struct {
			name  string
			nodes int
		}{{"test20", 20}, {"test50", 50}, {"test100", 100}, {"test200", 200}} {
			drawn[s.name] = tsp.DrawFrom(test, 64, s.nodes)
			drawn[record.Val] = tsp.DrawFrom(val, 64, s.nodes) // the last set, of 200 nodes, stays
		}
		return drawn
	}),
	Arrays: func(in tsp.Instance) [][]byte { return [][]byte{numpy.Bytes(in.Coordinates())} },
}

// effort returns the bounds of a search: the improving moves in a perturbation, and the number of
// perturbations.
func effort(split string) (moves, iterations int) {
	switch split {
	case "test20":
		return 5, 73
	case "test50":
		return 30, 175
	}
	return 30, 1200
}

//go:embed references/*.py *.toml
var sources embed.FS

// Task returns the task.
func Task() *bench.Task {
	t := programs.Read(sources)
	t.SetSplits(data.Bench())
	for i, s := range t.Splits { // many programs find the same tours as ReEvo's program
		t.Splits[i].Saturated = s.Name == "test20" || s.Name == "test50"
	}
	t.Name, t.Digest, t.Score = Name, data.Digest, score
	return &t
}

func score(ctx context.Context, in bench.Instance, f bench.Target) (m bench.Measure, err error) {
	cities, err := data.Instance(in.Split, in.Number)
	if err != nil {
		return m, err
	}
	n := len(cities)
	v, err := f.Call(ctx, sets.Array(cities.Matrix(itself), n, n))
	if err != nil {
		return m, err
	}
	guide, err := programs.Floats(v, n, n)
	if err != nil {
		return m, err
	}
	for i, g := range guide {
		if math.IsNaN(g) {
			return m, bench.Faultf(bench.NonFinite, "entry %s is NaN",
				programs.Index(i, []int{n, n}))
		}
	}
	m.Value, err = Solve(ctx, in.Split, in.Number, guide)
	return m, err
}

// Solve returns the length of the best tour that the search finds with a guide, n×n and row-major
// without NaN. If a perturbation reaches its limit of penalties, Solve returns a fault.
func Solve(ctx context.Context, split string, instance int, guide []float64) (float64, error) {
	cities, err := data.Instance(split, instance)
	if err != nil {
		return 0, err
	}
	moves, iterations := effort(split)
	s := newSearch(cities, guide)
	s.improve()
	best, cost := append([]int32(nil), s.tour[:s.n]...), s.cost()
	s.k = float32(0.1 * float64(cost) / float64(len(cities)))
	for range iterations {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if !s.perturb(moves) {
			return 0, bench.Faultf(bench.Invalid,
				"no move improves a tour after %d penalties", patience)
		}
		s.improve()
		if c := s.cost(); c < cost {
			cost = c
			copy(best, s.tour)
		}
	}
	return cities.Length(best), nil
}
