package pace

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// small returns the configuration of the scripted tests: one offspring at a time, a population of
// four, generations of four.
func small() *PACE {
	m := New()
	m.Population, m.Window, m.GenerationSize = 4, 1, 4
	return m
}

var (
	wanted = regexp.MustCompile(`(?m)^(?:Must call|Call exactly): (.*)$`)
	quoted = regexp.MustCompile("`([^`]+)`")
)

// asked lists the EAPs that a prompt requires the program to call.
func asked(prompt string) []string {
	m := wanted.FindStringSubmatch(prompt)
	if m == nil {
		return nil
	}
	var out []string
	for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
		out = append(out, q[1])
	}
	return out
}

// calling returns an answer whose program calls EAPs and has a score. Each i gives another program.
func calling(i int, score any, eaps ...string) string {
	lines := []string{fmt.Sprintf("total = %d", i)}
	for _, e := range eaps {
		lines = append(lines, "total += "+e+"(distance_matrix)")
	}
	return methodtest.Answer(fmt.Sprintf("idea %d", i),
		append(lines, fmt.Sprintf("return unvisited_nodes[int(total) %% 2]  # score %v", score))...)
}

// eapSource returns the source of a function whose fingerprint differs for every depth.
func eapSource(name string, depth int) string {
	return fmt.Sprintf("def %s(distance_matrix):\n    \"\"\"The size of it, %s.\"\"\"\n"+
		"    return %slen(distance_matrix)%s\n",
		name, name, strings.Repeat("abs(", depth), strings.Repeat(")", depth))
}

// A script answers like a well-behaved model, except for answers that a test replaces.
type script struct {
	eaps   int                                                  // functions in the answer to E1
	answer func(i int, op string, r llm.Request) (string, bool) // when not nil, asked first
	depth  int
}

// model numbers its calls from 0. In call i, an I1 program scores i/100, and a child scores i.
func (s *script) model() *llm.Scripted {
	return methodtest.Model(func(i int, r llm.Request) string {
		op, text := r.Purpose.Operator(), r.User[0].Text
		if s.answer != nil {
			if reply, ok := s.answer(i, op, r); ok {
				return reply
			}
		}
		switch op {
		case E1:
			var b strings.Builder
			for range s.eaps {
				b.WriteString(eapSource(fmt.Sprintf("e%d", s.depth), s.depth) + "\n")
				s.depth++
			}
			return b.String()
		case E2, E3:
			s.depth++
			return eapSource(fmt.Sprintf("e%d", s.depth-1), s.depth-1)
		case I1:
			return methodtest.Scored(i, float64(i)/100)
		}
		return calling(i, i, asked(text)...)
	})
}

// state returns a search in mid-run without an engine: a library of n EAPs e0, e1, … and a
// population of algorithms with the given call sets, best first.
func state(t testing.TB, m *PACE, n int, calls ...[]int) *search {
	t.Helper()
	r := &search{
		m: m, problem: benchtest.Problem(), library: &library{},
		selection: rand.New(rand.NewPCG(1, 1)), thompson: rand.New(rand.NewPCG(2, 2)),
		population: pop.New[*Algorithm](max(1, len(calls)), 1),
	}
	for i := range n {
		name := fmt.Sprintf("e%d", i)
		r.library.admit(&EAP{Name: name, Source: eapSource(name, i), Fingerprint: name, Origin: E1})
	}
	for i, set := range calls {
		a := &Algorithm{ID: i + 1, Score: float64(-i), Thought: fmt.Sprintf("{idea %d}", i),
			Shown: fmt.Sprintf("# algorithm %d\n", i)}
		for _, id := range set {
			a.Calls = append(a.Calls, r.library.arms[id].EAP)
		}
		r.population.Register(a, a.Shown, a.Score)
	}
	return r
}

// operatorsOf plans n offspring and returns their operators.
func operatorsOf(r *search, n int) []string {
	var out []string
	for range n {
		out = append(out, r.next().operator)
	}
	return out
}

// judge verifies a reply against a plan and returns the refusal.
func judge(t testing.TB, an program.Analyzer, p *plan, reply string) (*Algorithm, string) {
	t.Helper()
	child, refused, err := verify(t.Context(), an, benchtest.Problem(), p, reply)
	must.Do(t, err)
	return child, refused
}

// parent returns the algorithm of a reply whose target has these lines as its body.
func parent(t testing.TB, an program.Analyzer, known []*EAP, lines ...string) *Algorithm {
	t.Helper()
	a, refused := judge(t, an, &plan{operator: "test", may: known, known: known},
		methodtest.Answer("an idea", lines...))
	if a == nil {
		t.Fatal(refused)
	}
	return a
}

// planned lists the operators of the offspring after the initialisation.
func planned(t testing.TB, l *record.Loaded) []string {
	t.Helper()
	var out []string
	for _, o := range methodtest.Notes[Offspring](t, l, "offspring") {
		if o.Operator != I1 {
			out = append(out, o.Operator)
		}
	}
	return out
}
