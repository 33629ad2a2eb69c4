package hsevo

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/methodtest"
)

// individuals returns valid individuals with these objectives.
func individuals(objs ...float64) []*Individual {
	var out []*Individual
	for i, obj := range objs {
		out = append(out,
			&Individual{Evaluation: i + 1, Obj: obj, Code: string(rune('a' + i))})
	}
	return out
}

func TestDraw(t *testing.T) {
	tests := []struct {
		name   string
		objs   []float64
		equals bool
		pairs  int
	}{
		{"different objectives", []float64{4, 3, 2, 1}, false, 10},
		{"three equal ones", []float64{1, 1, 1, 2}, false, 10},
		{"two are enough, in every pair", []float64{1, 2}, false, 10},
		{"all equal", []float64{1, 1, 1, 1}, false, 0},
		{"all equal, and equals are taken", []float64{1, 1, 1, 1}, true, 10},
		{"one individual", []float64{1}, true, 0},
		{"no individual", nil, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &run{HSEvo: New(), selection: rand.New(rand.NewPCG(1, 2))}
			seen := map[*Individual]int{}
			pairs := r.draw(individuals(tt.objs...), tt.equals)
			if len(pairs) != tt.pairs {
				t.Fatalf("draw(%v) gave %d pairs, want %d", tt.objs, len(pairs), tt.pairs)
			}
			for _, p := range pairs {
				seen[p.better]++
				seen[p.worse]++
				switch {
				case p.better == p.worse:
					t.Errorf("individual %d is both parents", p.better.Evaluation)
				case p.better.Obj > p.worse.Obj || !tt.equals && p.better.Obj == p.worse.Obj:
					t.Errorf("%v is called better than %v", p.better.Obj, p.worse.Obj)
				case p.better.Obj == p.worse.Obj && p.better.Evaluation > p.worse.Evaluation:
					t.Errorf("of two equals the later one, %d, is called better than %d",
						p.better.Evaluation, p.worse.Evaluation)
				}
			}
			if tt.pairs > 0 && len(seen) >= 20 {
				t.Errorf("no individual is in two of %d pairs", len(pairs))
			}
		})
	}
}

func TestDrawIsUniform(t *testing.T) {
	r := &run{HSEvo: New(), selection: rand.New(rand.NewPCG(1, 2))}
	r.Population = 1
	parents, count := individuals(1, 2, 3, 4), map[[2]int]float64{}
	for range 6000 {
		p := r.draw(parents, false)[0]
		count[[2]int{p.better.Evaluation, p.worse.Evaluation}]++
	}
	counts := slices.Collect(maps.Values(count))
	methodtest.Follows(t, fmt.Sprint(count), counts, slices.Repeat([]float64{1}, 6))
}
