package eoh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// small returns the configuration of the scripted tests: one lane and a population of four.
func small() *EoH {
	m := New()
	m.Population, m.Window = 4, 1
	return m
}

func repeat(n int, operators ...string) []string { return slices.Repeat(operators, n) }

func survivors(t *testing.T, l *record.Loaded, want ...float64) {
	t.Helper()
	got, _ := methodtest.Survivors(t, l)
	golden.Same(t, "survivors", want, got)
}

// TestOperators checks the order of the operators. A reply without a program costs no evaluation; a
// program that fails costs one.
func TestOperators(t *testing.T) {
	for _, tt := range []struct {
		name      string
		every     int // replies 0, every, 2·every, … are bad
		bad       func(i int) string
		budget    int
		want      []string
		survivors []float64
	}{
		{"without code", 3, func(int) string { return "{an idea without code}" }, 12,
			slices.Concat(repeat(6, "i1"), repeat(3, "e1", "e2", "m1", "m2")),
			[]float64{17, 16, 14, 13}},
		{"crashes", 2, methodtest.Crash, 40,
			slices.Concat(repeat(8, "i1"), repeat(8, "e1", "e2", "m1", "m2")),
			[]float64{39, 37, 35, 33}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := methodtest.Model(func(i int, r llm.Request) string {
				if i%tt.every == 0 {
					return tt.bad(i)
				}
				return methodtest.ByCall(i, r)
			})
			l := methodtest.Run(t, small(), model, tt.budget)
			golden.Same(t, "operators", tt.want, methodtest.Operators(model))
			survivors(t, l, tt.survivors...)
			if n := l.Summarize().Evaluations; n != tt.budget {
				t.Errorf("%d evaluations, want %d", n, tt.budget)
			}
		})
	}
}

func TestInitialisationIsCapped(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string { return methodtest.Crash(i) })
	l := methodtest.Run(t, small(), model, 100)
	golden.Same(t, "operators", repeat(8, "i1"), methodtest.Operators(model))
	if r := l.Summarize(); r.Evaluations != 8 || r.Best != nil {
		t.Errorf("%d evaluations, best %+v; want 8, none", r.Evaluations, r.Best)
	}
	golden.Same(t, "failures",
		[]note.Failure{{Reason: "initialisation failed"}},
		methodtest.Notes[note.Failure](t, l, "failure"))
}

func TestEqualScoresAreFillers(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string { return methodtest.Scored(i, 1) })
	l := methodtest.Run(t, small(), model, 20)
	inf := math.Inf(-1)
	survivors(t, l, 1, inf, inf, inf)
	for _, p := range methodtest.Prompts(model, "e1", "e2") {
		if n := strings.Count(p, "{idea 0}"); n != 2 {
			t.Errorf("a prompt shows the only parent %d times, want twice:\n%s", n, p)
		}
	}
}

// TestSelectionLaw counts how often the best of four is drawn; package pop tests the law itself.
func TestSelectionLaw(t *testing.T) {
	const draws = 20_000
	p := pop.New[evolve.Candidate](8, 8)
	for i := range 4 {
		p.Register(evolve.Candidate{ID: i}, fmt.Sprint(i), float64(4-i))
	}
	p.Survive()
	m, r, best, twice := small(), rand.New(rand.NewPCG(5, 6)), 0.0, false
	for range draws {
		if m.parents(r, p, m1)[0].ID == 0 {
			best++
		}
		pair := m.parents(r, p, e1)
		twice = twice || pair[0].ID == pair[1].ID
	}
	if math.Abs(best/draws-0.32915) > 0.0133 { // four standard deviations
		t.Errorf("the best is drawn in %.4f of the draws, want 0.3292", best/draws)
	}
	if !twice {
		t.Error("no program was drawn as both parents")
	}
}

func TestDistinctParents(t *testing.T) {
	m := small()
	m.DistinctParents = true
	p := pop.New[evolve.Candidate](2, 2)
	p.Register(evolve.Candidate{ID: 1}, "a", 1)
	p.Register(evolve.Candidate{ID: 2}, "b", 2)
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		if got := m.parents(r, p, e1); len(got) != 2 || got[0].ID == got[1].ID {
			t.Fatalf("parents = %+v, want two different ones", got)
		}
	}
}
