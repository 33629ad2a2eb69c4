package pace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
)

func TestOperatorCycle(t *testing.T) {
	all := [][]int{{0}, {1}, {0, 1}, {2}}
	tests := []struct {
		name  string
		set   func(*PACE)
		eaps  int
		calls [][]int
		want  []string
	}{
		{"all eligible", func(*PACE) {}, 4, all, []string{P1, P2, P3, P4, P1, P2, P3, P4}},
		{"after I1 only P1 and P3 have parents", func(*PACE) {}, 4, [][]int{nil, nil, nil},
			[]string{P1, P3, P1, P3, P1}},
		{"one caller: no crossover", func(*PACE) {}, 4, [][]int{{0}, nil},
			[]string{P1, P2, P3, P1, P2, P3}},
		{"no EAP at all", func(*PACE) {}, 0, [][]int{nil, nil}, []string{P3, P3, P3}},
		{"no EAP and no P3", func(m *PACE) { m.Operators = []string{P1, P2, P4} }, 0,
			[][]int{nil, nil}, []string{I1, I1, I1}},
		{"nobody to refine", func(*PACE) {}, 4, nil, []string{I1, I1, I1}},
		{"every EAP called: nothing to insert", func(*PACE) {}, 1, [][]int{{0}, {0}},
			[]string{P3, P4, P3, P4}},
		{"all slots taken: no insertion", func(m *PACE) { m.K = 1 }, 2, [][]int{{0}, {1}},
			[]string{P2, P3, P2, P3}},
		{"k = 1: crossover of two that share", func(m *PACE) { m.K = 1 }, 2, [][]int{{0}, {1}, {0}},
			[]string{P2, P3, P4, P2, P3, P4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := small()
			tt.set(m)
			golden.Same(t, "operators",
				tt.want, operatorsOf(state(t, m, tt.eaps, tt.calls...), len(tt.want)))
		})
	}
}

func TestReplacementDropsTheWeakest(t *testing.T) {
	r := state(t, small(), 4, []int{0, 1, 2})
	r.library.arms[0].credit(0)
	r.library.arms[1].credit(1)
	r.library.arms[2].credit(0) // as weak as e0, which is older
	p := r.plan(P2)
	if p.target.Name != "e0" || p.focus.Name != "e3" {
		t.Errorf("P2 replaces %s by %s, want e0 by e3", p.target.Name, p.focus.Name)
	}
	golden.Same(t, "must call", []string{"e1", "e2", "e3"}, names(p.must))
}

func TestCrossoverContract(t *testing.T) {
	m := small()
	m.Operators = []string{P4}
	r := state(t, m, 5, []int{0, 1}, []int{1, 2, 3})
	for range 200 {
		p := r.next()
		if p.operator != P4 || p.parents[0] == p.parents[1] || p.atMost != 3 {
			t.Fatalf("plan = %+v, want a crossover of two parents with at most 3 calls", p)
		}
		for _, a := range p.parents {
			if len(shared(p.must, a.Calls)) == 0 {
				t.Fatalf("designated are %v, none of a parent that calls %v", names(p.must),
					names(a.Calls))
			}
		}
		if n := len(p.must); n > 2 || n == 1 && p.must[0].Name != "e1" {
			t.Fatalf("designated are %v, want one of each parent", names(p.must))
		}
		golden.Same(t, "pool", []string{"e0", "e1", "e2", "e3"}, names(union(p.must, p.may)))
	}
}

func TestCrossoverWithOneEAPEach(t *testing.T) {
	m := small()
	m.K, m.Operators = 1, []string{P4}
	r := state(t, m, 2, []int{0}, []int{1}, []int{0})
	for range 50 {
		golden.Same(t, "designated", []string{"e0"}, names(r.next().must))
	}
}

func TestWarmUpComesFirst(t *testing.T) {
	for _, ts := range []bool{true, false} { // "w/o TS" removes only Thompson sampling
		m := small()
		m.TS = ts
		r := state(t, m, 3, []int{})
		r.library.arms[0].Alpha = 1000 // a Thompson draw would take it every time
		var got []string
		for range 3 {
			got = append(got, r.plan(P1).focus.Name)
		}
		golden.Same(t, fmt.Sprintf("ts=%t: focus", ts), []string{"e0", "e1", "e2"}, got)
		for range 20 {
			if f := r.plan(P1).focus.Name; ts && f != "e0" {
				t.Fatalf("after the warm-up the focus is %s, want the best arm e0", f)
			}
		}
	}
}

func TestThompsonSamplingPrefersTheBestRecord(t *testing.T) {
	r := state(t, small(), 4, []int{})
	for i, a := range r.library.arms {
		a.Exposures = 1
		for n := range 20 {
			reward := 0
			if n < 4*i { // e3 improved 12 of 20 times
				reward = 1
			}
			a.credit(reward)
		}
	}
	count := map[string]int{}
	for range 2000 {
		count[r.plan(P1).focus.Name]++
	}
	if !(count["e3"] > count["e2"] && count["e2"] > count["e1"] && count["e1"] >= count["e0"] &&
		count["e3"] > 1500) {
		t.Errorf("focus counts %v, want them in the order of the records, e3 far ahead", count)
	}
}

func TestWithoutThompsonSamplingTheFocusIsUniform(t *testing.T) {
	m := small()
	m.TS, m.Warmup = false, 0
	r := state(t, m, 5, []int{})
	r.library.arms[2].Alpha = 1000
	count := make([]float64, 5)
	for range 20_000 {
		count[r.plan(P1).focus.ID]++
	}
	methodtest.Follows(t, "focus", count, slices.Repeat([]float64{1}, 5))
}

func TestParentsAreDrawnByRank(t *testing.T) {
	r := state(t, small(), 3, []int{0}, nil, []int{1}, []int{2})
	count := make([]float64, 5)
	for range 100_000 {
		count[r.parent(func(a *Algorithm) bool { return len(a.Calls) > 0 }).ID]++
	}
	// Weights 1/(rank+4) of ranks 1, 3 and 4, where the rank is in the whole population.
	weights := []float64{0, 1.0 / 5, 0, 1.0 / 7, 1.0 / 8}
	methodtest.Follows(t, "parents", count, weights)
}

func TestTopEAPs(t *testing.T) {
	r := state(t, small(), 5)
	// Improvements and failures of each EAP.
	for i, record := range [][2]int{{1, 1}, {1, 3}, {0, 0}, {2, 2}, {0, 4}} {
		for range record[0] {
			r.library.arms[i].credit(1)
		}
		for range record[1] {
			r.library.arms[i].credit(0)
		}
	}
	// e0, e2 and e3 have the mean 1/2. e3 has the most trials, and e2 has no trials.
	golden.Same(t, "top(5)", []string{"e3", "e0", "e1", "e4", "e2"}, names(r.library.top(5)))
}

// TestDesignatedAreTheLikeliest gives each parent one arm that is far better than its other arm.
func TestDesignatedAreTheLikeliest(t *testing.T) {
	r := state(t, small(), 4, []int{0, 1}, []int{2, 3})
	r.library.arms[1].Alpha, r.library.arms[2].Alpha = 500, 500
	r.library.arms[0].Beta, r.library.arms[3].Beta = 500, 500
	ranked := r.ranked()
	got := names(r.m.designate(rand.New(rand.NewPCG(3, 3)), r.library, ranked[0], ranked[1]))
	golden.Same(t, "designated", []string{"e1", "e2"}, got)
}
