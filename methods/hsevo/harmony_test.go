package hsevo

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/note"
)

var assigned = regexp.MustCompile(`\b([ab]): float = ([-+.\de]+)`)

// sum scores a program by the sum of its parameters a and b.
func sum(source string) (bench.Outcome, bool) {
	total, found := 0.0, assigned.FindAllStringSubmatch(source, -1)
	for _, m := range found {
		x, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			panic(err)
		}
		total += x
	}
	return scored(total), len(found) > 0
}

// tune returns a method that runs one harmony search on a population with the objectives 3, 1, 2,
// and then checks the run.
func tune(look func(r *run)) probe {
	return probe{New(), func(ctx context.Context, r *run) error {
		r.population = individuals(3, 1, 2)
		for i, x := range r.population {
			x.Code = methodtest.Target(fmt.Sprintf("return unvisited_nodes[0]  # program %d", i))
		}
		if err := r.tune(ctx); err != nil {
			return err
		}
		if look != nil {
			look(r)
		}
		return nil
	}}
}

func TestHarmonySearch(t *testing.T) {
	s := &script{score: sum, reply: func(llm.Request, int) (string, bool) {
		return tunable("1", "a: float = 5.5, b: float = 0.5") +
			ranges("'a': (5.0, 6.0), 'b': (0.0, 1.0)"), true
	}}
	var found *Individual
	l := s.run(t, tune(func(r *run) {
		if len(r.population) != 4 || !r.population[3].Tried || !r.population[1].Tried ||
			r.population[0].Tried || r.population[2].Tried {
			t.Errorf("%d members after a harmony search on three; want a fourth, and the "+
				"fourth and the best marked as tried", len(r.population))
		}
		found = r.population[3]
	}), 100)
	golden.Same(t, "requests", []string{"hs"}, operators(l))
	notes := methodtest.Notes[note.Offspring](t, l, "offspring")
	if len(notes) != 10 {
		t.Fatalf("%d evaluations, want 10", len(notes))
	}
	// The expected memory: a row changes only if a harmony is strictly better than the worst.
	var rows [][]float64
	least, total := 1e9, func(v []float64) float64 { return v[0] + v[1] }
	for i, n := range notes {
		least = min(least, total(n.Values))
		if i < 5 {
			if a, b := n.Values[0], n.Values[1]; n.Operator != "memory" || a < 5 || a > 6 ||
				b < 0 || b > 1 {
				t.Errorf("%s row %d is %v, want it inside the ranges", n.Operator, i, n.Values)
			}
			rows = append(rows, n.Values)
			continue
		}
		worst := 0
		for k, row := range rows {
			if total(row) > total(rows[worst]) {
				worst = k
			}
		}
		if total(n.Values) < total(rows[worst]) {
			rows[worst] = n.Values
		}
	}
	if found.Obj != least {
		t.Errorf("the result has the objective %g, want the least of all, %g", found.Obj, least)
	}
	want := []Harmony{
		{Target: 2, Parameters: []Parameter{{"a", 5, 6}, {"b", 0, 1}}, Result: found.Evaluation},
	}
	golden.Same(t, "harmony note", want, methodtest.Notes[Harmony](t, l, "harmony"))
}

// TestARowChangesOnStrictImprovementOnly checks that with equal scores the first harmony of the
// memory is returned.
func TestARowChangesOnStrictImprovementOnly(t *testing.T) {
	s := &script{
		score: func(string) (bench.Outcome, bool) { return scored(5), true },
		reply: func(llm.Request, int) (string, bool) {
			return tunable("1", "a: float = 5.5") + ranges("'a': (5.0, 6.0)"), true
		},
	}
	s.run(t, tune(func(r *run) {
		if x := r.population[3]; x.Evaluation != 1 || x.Obj != 5 {
			t.Errorf("the result is evaluation %d with objective %g, want the first with 5 "+
				"although the target has 1", x.Evaluation, x.Obj)
		}
	}), 100)
}

func TestHarmonyDraws(t *testing.T) {
	parameters := []Parameter{{"a", 5, 6}, {"b", -10, 10}}
	rows := [][]float64{{5.1, -9}, {5.5, 0}, {5.99, 9.9}}
	tests := []struct {
		name      string
		hmcr, par float64
		fits      func(j int, x float64) bool
	}{
		{"from the memory", 1, 0, func(j int, x float64) bool {
			return slices.ContainsFunc(rows, func(row []float64) bool { return x == row[j] })
		}},
		{"from the range", 0, 0.5, func(j int, x float64) bool {
			return parameters[j].Low <= x && x <= parameters[j].High
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, r := New(), rand.New(rand.NewPCG(1, 2))
			m.HMCR, m.PAR = tt.hmcr, tt.par
			low := 0
			for range 2000 {
				for j, x := range m.harmony(r, parameters, rows) {
					if !tt.fits(j, x) {
						t.Fatalf("the value %g of parameter %d does not fit", x, j)
					}
					if x < (parameters[j].Low+parameters[j].High)/2 {
						low++
					}
				}
			}
			if tt.hmcr == 0 && (low < 1850 || low > 2150) { // 2000 expected, standard deviation 32
				t.Errorf("%d of 4000 values in the lower half, want about 2000", low)
			}
		})
	}
}

// TestBandwidth checks that an adjusted value moves by up to the bandwidth's share of the range,
// uniformly, in both directions, and also out of the range.
func TestBandwidth(t *testing.T) {
	for _, bandwidth := range []float64{0, 0.05, 0.2, 1} { // 0.2 is the default
		m, r := New(), rand.New(rand.NewPCG(1, 2))
		m.HMCR, m.PAR = 1, 1
		if bandwidth != 0.2 {
			m.Bandwidth = bandwidth
		}
		const draws = 2000
		q := Parameter{"a", -10, 30}
		least, most, sum := math.Inf(1), math.Inf(-1), 0.0
		for range draws {
			moved := m.harmony(r, []Parameter{q}, [][]float64{{5}})[0] - 5
			least, most, sum = min(least, moved), max(most, moved), sum+math.Abs(moved)
		}
		limit := bandwidth * (q.High - q.Low)
		if most > limit || most < 0.99*limit || least < -limit || least > -0.99*limit {
			t.Errorf("bandwidth %g: moves from %g to %g, want up to ±%g", bandwidth, least,
				most, limit)
		}
		// The standard deviation is 0.0065 of the limit.
		if mean := sum / draws; math.Abs(mean-limit/2) > 0.05*limit {
			t.Errorf("bandwidth %g: moves of %g on average, want %g", bandwidth, mean, limit/2)
		}
	}
}

func TestHarmonyFailures(t *testing.T) {
	for _, tt := range []struct {
		name, reply string
		evaluations int
		refused     bool
	}{
		{"replies that hold nothing", "I see no constants.", 0, true},
		{"programs that all raise",
			tunable("9", "a: float = 1.0") + ranges("'a': (0.0, 1.0)"), 15, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &script{
				score: func(string) (bench.Outcome, bool) { return raised, true },
				reply: func(llm.Request, int) (string, bool) { return tt.reply, true },
			}
			l := s.run(t, tune(func(r *run) {
				if len(r.population) != 3 {
					t.Errorf("%d members, want the three from before", len(r.population))
				}
			}), 100)
			var shown []string
			for _, p := range prompts(l, "hs") {
				shown = append(shown, programs(p)...)
			}
			best := []string{"1", "2", "0"} // the best, the second, the third
			golden.Same(t, "programs to be parameterised", best, shown)
			if r := l.Summarize(); r.Evaluations != tt.evaluations {
				t.Errorf("%d evaluations, want %d", r.Evaluations, tt.evaluations)
			}
			for i, n := range methodtest.Notes[Harmony](t, l, "harmony") {
				if n.Target != []int{2, 3, 1}[i] || n.Result != 0 ||
					(n.Refused != "") != tt.refused {
					t.Errorf("attempt %d is noted as %+v", i, n)
				}
			}
		})
	}
}

// TestRefund checks that the evaluations of a memory in which no program runs count, and that with
// Refund the run makes the same number of further evaluations. The run ends even if no program runs
// in several memories.
func TestRefund(t *testing.T) {
	tunable := tunable("9", "a: float = 1.0") + ranges("'a': (0.0, 1.0)")
	for _, refund := range []bool{false, true} {
		m := New()
		m.Refund = refund
		s := &script{
			score: func(source string) (bench.Outcome, bool) {
				return raised, strings.Contains(source, "program 9")
			},
			reply: func(r llm.Request, _ int) (string, bool) {
				return tunable, r.Purpose.Operator() == "hs"
			},
		}
		// Two generations of 10 crossovers, 5 mutations and three memories of 5.
		const budget = 31 + 2*30
		l := s.run(t, m, budget)
		r := l.Summarize()
		barren, refunded := 30, 0
		if refund { // four generations of 15; the last mutations leave no evaluation for a memory
			barren, refunded = 3*15, 3*15
		}
		if r.Barren != barren || r.Refunded != refunded || r.Evaluations != budget+refunded ||
			r.Stopped != "budget" {
			t.Errorf("refund %t: %d evaluations, %d barren, %d refunded, stopped by %s; "+
				"want %d, %d, %d, budget", refund, r.Evaluations, r.Barren, r.Refunded, r.Stopped,
				budget+refunded, barren, refunded)
		}
		if !bytes.Contains(l.Header.Config, fmt.Appendf(nil, `"refund":%t`, refund)) {
			t.Errorf("the header does not record it: %s", l.Header.Config)
		}
	}
}

func TestTheTargetIsTheBestUntried(t *testing.T) {
	r := &run{population: individuals(3, 1, 1, 2)}
	r.population = append(r.population, refused())
	var order []string
	for x := r.untried(); x != nil; x = r.untried() {
		x.Tried = true
		order = append(order, x.Code)
	}
	if got := strings.Join(order, ""); got != "bcda" {
		t.Errorf("targets in the order %s, want bcda", got)
	}
}
