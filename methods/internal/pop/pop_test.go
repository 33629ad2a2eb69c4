package pop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
)

func fitness(xs []*Individual[int]) []float64 {
	var out []float64
	for _, x := range xs {
		out = append(out, x.Fitness)
	}
	return out
}

func TestRegister(t *testing.T) {
	type entry struct {
		text  string
		score float64
	}
	tests := []struct {
		name            string
		size, batch     int
		entries         []entry
		survivors, wait []float64
		generation      int
	}{
		{"failures take no place in the first population", 3, 3,
			[]entry{{"a", 1}, {"b", None}, {"c", 2}}, nil, []float64{1, 2}, 0},
		{"a full buffer survives", 2, 2,
			[]entry{{"a", 1}, {"b", 2}}, []float64{2, 1}, nil, 1},
		{"failures take a place later", 2, 2,
			[]entry{{"a", 1}, {"b", 2}, {"c", None}}, []float64{2, 1}, []float64{None}, 1},
		{"an equal score is demoted and takes a place", 3, 3,
			[]entry{{"a", 1}, {"b", 1}, {"c", 1}}, []float64{1, None, None}, nil, 1},
		{"an equal text is demoted", 3, 3,
			[]entry{{"a", 1}, {"a", 2}}, nil, []float64{1, None}, 0},
		{"a demoted score does not demote again", 4, 4,
			[]entry{{"a", 1}, {"a", 2}, {"c", 2}}, nil, []float64{1, None, 2}, 0},
		{"the best of both stay", 2, 2,
			[]entry{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 0}}, []float64{3, 2}, nil, 2},
		{"a steady state has no buffer", 2, 1,
			[]entry{{"a", 1}, {"b", 3}, {"c", 2}}, []float64{3, 2}, nil, 3},
		{"an evicted program can come back", 1, 1,
			[]entry{{"a", 1}, {"b", 3}, {"a", 4}}, []float64{4}, nil, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := New[int](tt.size, tt.batch)
			for i, e := range tt.entries {
				p.Register(i, e.text, e.score)
			}
			golden.Same(t, fmt.Sprintf("survivors of %v", tt.entries),
				tt.survivors, fitness(p.Survivors()))
			golden.Same(t, fmt.Sprintf("buffer of %v", tt.entries), tt.wait, fitness(p.Waiting()))
			if p.Generation() != tt.generation {
				t.Errorf("Generation() = %d, want %d", p.Generation(), tt.generation)
			}
		})
	}
}

func TestOfEqualsTheOlderStays(t *testing.T) {
	p := New[int](2, 4)
	for i := range 4 {
		p.Register(i, "same", 1)
	}
	var births []int
	for _, x := range p.Survivors() {
		births = append(births, x.Value)
	}
	golden.Same(t, "births of the survivors", []int{0, 1}, births)
}

func TestWeightsAreThePublishedOnes(t *testing.T) {
	tests := []struct {
		name    string
		weights []float64
		want    []float64 // of the first ranks, normalised
	}{
		{"EoH with four", Weights(4, 0), []float64{0.32915, 0.26332, 0.21944, 0.18809}},
		{"EoH with two", Weights(2, 0), []float64{0.6, 0.4}},
		{"one is certain", Weights(1, 0), []float64{1}},
		{"rank from 1 with four", Weights(4, 1), []float64{0.3152, 0.2627, 0.2251, 0.1970}},
		{"MLES with sixteen", Exponential(16, 0.5),
			[]float64{0.39360, 0.23873, 0.14480, 0.08782, 0.05327, 0.03231}},
		{"MLES with four", Exponential(4, 0.5), []float64{0.45505, 0.27600, 0.16741, 0.10154}},
		{"MLES with two", Exponential(2, 0.5), []float64{0.62246, 0.37754}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.weights
			total := 0.0
			for _, w := range got {
				total += w
			}
			for i := range got {
				got[i] /= total
			}
			golden.Same(t, "weights", tt.want, got[:len(tt.want)], cmpopts.EquateApprox(0, 5e-5))
		})
	}
}

func TestDrawFollowsItsWeights(t *testing.T) {
	for _, weights := range [][]float64{Weights(4, 0), Weights(2, 0), Weights(20, 0),
		Weights(20, 1), {0, 3, 0, 1}} {
		r := rand.New(rand.NewPCG(1, 2))
		counts := make([]float64, len(weights))
		for range 100_000 {
			counts[Draw(r, weights)]++
		}
		methodtest.Follows(t, fmt.Sprintf("Draw(%v)", weights), counts, weights)
	}
}

func TestSelect(t *testing.T) {
	law := func(n int) []float64 { return Exponential(n, 0.5) }
	r := rand.New(rand.NewPCG(1, 2))
	p := New[int](4, 4)
	if got := p.Select(r, 2, law, true); got != nil {
		t.Errorf("parents from an empty population: %v", got)
	}
	for i := range 3 {
		p.Register(i, string(rune('a'+i)), float64(i))
	}
	p.Survive()
	twice := false
	for range 200 {
		seen := map[int]bool{}
		for _, v := range p.Select(r, 4, law, true) {
			seen[v] = true
		}
		if len(seen) != 3 {
			t.Fatalf("different parents: %v, want all three", seen)
		}
		pair := p.Select(r, 2, law, false)
		twice = twice || pair[0] == pair[1]
	}
	if !twice {
		t.Error("independent draws never gave the same parent twice")
	}
}

func TestPopulationLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, batch := rapid.IntRange(1, 5).Draw(t, "size"), rapid.IntRange(1, 5).Draw(t, "batch")
		p := New[int](size, batch)
		best := None
		for i, score := range rapid.SliceOf(rapid.IntRange(-3, 6)).Draw(t, "scores") {
			s := float64(score)
			if score < 0 {
				s = None
			}
			p.Register(i, string(rune('a'+i%26)), s)
			if p.Survive(); len(p.Survivors()) > size {
				t.Fatalf("%d survivors in a population of %d", len(p.Survivors()), size)
			}
			seen := map[float64]bool{}
			for j, x := range p.Ranked() {
				if seen[x.Fitness] || math.IsInf(x.Fitness, 0) {
					t.Fatalf("rank %d has fitness %v, which is not finite or not new", j, x.Fitness)
				}
				seen[x.Fitness] = true
				best = max(best, x.Fitness)
			}
			if r := p.Ranked(); len(r) > 0 && r[0].Fitness != best {
				t.Fatalf("the best is %v, but %v was in the population", r[0].Fitness, best)
			}
		}
	})
}
