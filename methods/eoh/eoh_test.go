package eoh

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// small is the configuration of the scripted checks: one lane and a population of four.
func small() *EoH {
	m := New()
	m.Population, m.Window = 4, 1
	return m
}

// byCall scores reply i with i.
func byCall(i int, _ llm.Request) string { return methodtest.Scored(i, i) }

// repeat returns n repetitions of the operators.
func repeat(n int, operators ...string) []string { return slices.Repeat(operators, n) }

// lastPopulation is the scores of the survivors at the end; fillers are +Inf.
func lastPopulation(t *testing.T, l *record.Loaded) []float64 {
	t.Helper()
	all := methodtest.Notes[note.Survivors](t, l, "population")
	scores := methodtest.Scores(l)
	var out []float64
	for _, m := range all[len(all)-1].Members {
		if s := scores[m.Program-1]; s == nil || m.Filler {
			out = append(out, math.Inf(1))
		} else {
			out = append(out, *s)
		}
	}
	return out
}

func TestOperatorOrder(t *testing.T) {
	model := methodtest.Model(byCall)
	l := methodtest.Run(t, small(), model, 14)
	want := slices.Concat(repeat(4, "i1"), repeat(2, "e1", "e2", "m1", "m2"), []string{"e1", "e2"})
	if diff := cmp.Diff(want, methodtest.Operators(model)); diff != "" {
		t.Errorf("operators mismatch (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{11, 10, 9, 8}, lastPopulation(t, l)); diff != "" {
		t.Errorf("survivors mismatch (-want +got):\n%s", diff)
	}
	if best := l.Summarize().Best; best == nil || best.Score != 13 {
		t.Errorf("best = %+v, want score 13, from a buffer that never merged", best)
	}
}

func TestParseFailuresAreFree(t *testing.T) {
	model := methodtest.Model(func(i int, r llm.Request) string {
		if i%3 == 0 {
			return "{an idea without code}"
		}
		return byCall(i, r)
	})
	l := methodtest.Run(t, small(), model, 12)
	want := slices.Concat(repeat(6, "i1"), repeat(3, "e1", "e2", "m1", "m2"))
	if diff := cmp.Diff(want, methodtest.Operators(model)); diff != "" {
		t.Errorf("operators mismatch (-want +got):\n%s", diff)
	}
	if r := l.Summarize(); r.Asked != 18 || r.Evaluations != 12 {
		t.Errorf("%d requests, %d evaluations; want 18, 12", r.Asked, r.Evaluations)
	}
	if diff := cmp.Diff([]float64{17, 16, 14, 13}, lastPopulation(t, l)); diff != "" {
		t.Errorf("survivors mismatch (-want +got):\n%s", diff)
	}
}

func TestCrashesCount(t *testing.T) {
	model := methodtest.Model(func(i int, r llm.Request) string {
		if i%2 == 0 {
			return methodtest.Answer("a crash", fmt.Sprintf("raise ValueError(%d)  # raises", i))
		}
		return byCall(i, r)
	})
	l := methodtest.Run(t, small(), model, 40)
	count := map[string]int{}
	for _, op := range methodtest.Operators(model) {
		count[op]++
	}
	if diff := cmp.Diff(map[string]int{"i1": 8, "e1": 8, "e2": 8, "m1": 8, "m2": 8},
		count); diff != "" {
		t.Errorf("operators mismatch (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{39, 37, 35, 33}, lastPopulation(t, l)); diff != "" {
		t.Errorf("survivors mismatch (-want +got):\n%s", diff)
	}
	if n := l.Summarize().Evaluations; n != 40 {
		t.Errorf("%d evaluations, want 40", n)
	}
}

func TestInitialisationIsCapped(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Answer("a crash", fmt.Sprintf("raise ValueError(%d)  # raises", i))
	})
	l := methodtest.Run(t, small(), model, 100)
	if diff := cmp.Diff(repeat(8, "i1"), methodtest.Operators(model)); diff != "" {
		t.Errorf("operators mismatch (-want +got):\n%s", diff)
	}
	if r := l.Summarize(); r.Evaluations != 8 || r.Best != nil {
		t.Errorf("%d evaluations, best %+v; want 8, none", r.Evaluations, r.Best)
	}
	if diff := cmp.Diff([]note.Failure{{Reason: "initialisation failed"}},
		methodtest.Notes[note.Failure](t, l, "failure")); diff != "" {
		t.Errorf("failures mismatch (-want +got):\n%s", diff)
	}
}

func TestEqualScoresAreFillers(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string { return methodtest.Scored(i, 1) })
	l := methodtest.Run(t, small(), model, 20)
	inf := math.Inf(1)
	if diff := cmp.Diff([]float64{1, inf, inf, inf}, lastPopulation(t, l)); diff != "" {
		t.Errorf("survivors mismatch (-want +got):\n%s", diff)
	}
	for _, p := range methodtest.Prompts(model, "e1", "e2") {
		if n := strings.Count(p, "{idea 0}"); n != 2 {
			t.Errorf("a prompt shows the only parent %d times, want twice:\n%s", n, p)
		}
	}
	for i, s := range methodtest.Scores(l) {
		if s == nil || *s != 1 {
			t.Errorf("evaluation %d: the log keeps %v, want 1", i+1, s)
		}
	}
}

// TestSelectionLaw draws from a population with fillers; pop tests the law itself.
func TestSelectionLaw(t *testing.T) {
	const draws = 100_000
	m := small()
	for _, fillers := range []int{0, 3} {
		p := pop.New[evolve.Candidate](8, 8)
		for i := range 4 {
			p.Register(evolve.Candidate{ID: i}, fmt.Sprint(i), float64(4-i))
		}
		for i := range fillers {
			p.Register(evolve.Candidate{ID: 9}, fmt.Sprint("filler", i), 1)
		}
		p.Survive()
		r, count := rand.New(rand.NewPCG(5, 6)), make([]float64, 10)
		for range draws {
			count[m.parents(r, p, m1)[0].ID]++
		}
		chi2 := 0.0
		for i, share := range []float64{0.32915, 0.26332, 0.21944, 0.18809} {
			chi2 += (count[i] - draws*share) * (count[i] - draws*share) / (draws * share)
		}
		if count[9] > 0 || chi2 > 16.27 { // 3 degrees of freedom, p = 0.001
			t.Errorf("with %d fillers: counts %v, chi-square %.1f", fillers, count, chi2)
		}
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

func TestExactBudgetUnderConcurrency(t *testing.T) {
	var asking, flight atomic.Int64
	model := &llm.Scripted{Answer: func(_ context.Context, r llm.Request) (llm.Reply, error) {
		defer asking.Add(-1)
		if n := asking.Add(1); n > flight.Load() {
			flight.Store(n)
		}
		runtime.Gosched()
		return llm.Reply{Text: methodtest.Scored(int(r.Draw), r.Draw)}, nil
	}}
	evaluator := &benchtest.Evaluator{Score: methodtest.Score}
	l := benchtest.Run(t, New(),
		benchtest.Config{Model: model, Budget: 1000, Analyzer: programtest.Analyzer(t),
			Evaluator: evaluator})
	count := map[string]int{}
	for _, op := range methodtest.Operators(model) {
		count[op]++
	}
	if r := l.Summarize(); r.Evaluations != 1000 || r.Asked != 1000 {
		t.Errorf("%d evaluations, %d requests; want 1000 of each", r.Evaluations, r.Asked)
	}
	if n := count["i1"]; n < 20 || n > 23 {
		t.Errorf("%d i1 requests, want 20 to 23", n)
	}
	if n := flight.Load(); n > 4 {
		t.Errorf("%d requests at once, want at most 4", n)
	}
	least, most := 1000, 0
	for _, op := range cycle {
		least, most = min(least, count[op.Name]), max(most, count[op.Name])
	}
	if most-least > 4 {
		t.Errorf("shares of the operators: %v", count)
	}
}

func TestLanesBeginAtE1(t *testing.T) {
	m := small()
	m.Window = 2
	l := methodtest.Run(t, m,
		llm.NewScripted(func(r llm.Request) string {
			return methodtest.Scored(int(r.Draw), r.Draw)
		}), 16)
	var got []string
	for _, o := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		if o.Operator != "i1" {
			got = append(got, o.Operator)
		}
	}
	if diff := cmp.Diff([]string{"e1", "e1", "e2", "e2", "m1", "m1", "m2", "m2", "e1", "e1"},
		got[:10]); diff != "" {
		t.Errorf("operators in the order proposed mismatch (-want +got):\n%s", diff)
	}
}

func TestNonFiniteScores(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	n := 0
	l := benchtest.Run(t, small(), benchtest.Config{
		Model: methodtest.Model(byCall), Budget: 24, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: func(source string) bench.Outcome {
			if n++; n%2 == 0 {
				return bench.Outcome{Score: odd[n/2%3], Values: []float64{1}}
			}
			return methodtest.Score(source)
		}},
	})
	r := l.Summarize()
	if r.Evaluations != 24 || r.Faults[bench.NonFinite] != 12 {
		t.Errorf("%d evaluations, faults %v; want 24, 12 nonfinite", r.Evaluations, r.Faults)
	}
	if r.Best == nil || r.Best.Score != 22 {
		t.Errorf("best %+v, want score 22", r.Best)
	}
	for _, s := range lastPopulation(t, l) {
		if math.IsNaN(s) {
			t.Errorf("survivors %v", lastPopulation(t, l))
		}
	}
	scores := methodtest.Scores(l)
	for _, o := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		for _, parent := range o.Parents {
			if scores[parent-1] == nil {
				t.Errorf("program %d failed and became a parent of %+v", parent, o)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		set  func(*EoH)
		want string
	}{
		{"defaults", func(*EoH) {}, ""},
		{"no population", func(m *EoH) { m.Population = 0 },
			"population: 0 programs, want at least 1"},
		{"no window", func(m *EoH) { m.Window = -1 },
			"window: -1 proposals in flight, want at least 1"},
		{"no parents", func(m *EoH) { m.Parents = 0 }, "parents: 0, want at least 1"},
		{"too hot", func(m *EoH) { m.Temperature = 3 }, "temperature: 3, want 0 to 2"},
		{"no tokens", func(m *EoH) { m.MaxTokens = 0 }, "max-tokens: 0, want at least 1"},
		{"another parser", func(m *EoH) { m.Parser = "lax" },
			`parser: "lax", want shared or strict`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, got := New(), ""
			tt.set(m)
			if err := m.Check(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Check() = %q, want %q", got, tt.want)
			}
		})
	}
}
