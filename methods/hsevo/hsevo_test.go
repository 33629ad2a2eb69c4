package hsevo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

func TestGeneration(t *testing.T) {
	l := new(script).run(t, New(), 31+50)
	generation := []string{"flash", "comprehensive", "10 crossover", "5 mutation", "hs"}
	golden.Same(t, "requests",
		slices.Concat([]string{"30 init"}, generation, generation), operators(l))
	notes := methodtest.Notes[Population](t, l, "population")
	var sizes []int
	for _, n := range notes {
		sizes = append(sizes, n.Size)
	}
	golden.Same(t, "population sizes", []int{30, 10, 15, 16, 10, 15, 16}, sizes)
	parents, second := append(slices.Clone(notes[3].Members), notes[3].Elitist), 0
	for _, n := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		if n.Operator != "crossover" {
			continue
		}
		if second++; second <= 10 {
			continue
		}
		for _, p := range n.Parents {
			if !slices.Contains(parents, p) {
				t.Errorf("parent %d is neither in the population before nor its elitist: %v",
					p, parents)
			}
		}
	}
}

// TestTies runs generations whose programs cannot be paired by different objectives.
func TestTies(t *testing.T) {
	t.Run("equal objectives are paired", func(t *testing.T) {
		s := &script{
			obj:   func(int, string, uint64) float64 { return 7 },
			score: func(string) (bench.Outcome, bool) { return scored(7), true },
		}
		l := s.run(t, New(), 100)
		if r := l.Summarize(); r.Evaluations != 100 || slices.Contains(operators(l), "10 init") {
			t.Errorf("%d evaluations by %v", r.Evaluations, operators(l))
		}
		if n := methodtest.Notes[Fallback](t, l, "fallback"); len(n) == 0 ||
			n[0] != (Fallback{1, "equal objectives"}) {
			t.Errorf("fallbacks %+v, want equal objectives in generation 1", n)
		}
	})
	t.Run("one valid member", func(t *testing.T) {
		s := &script{
			score: func(source string) (bench.Outcome, bool) {
				return raised, named.MatchString(source)
			},
		}
		l := s.run(t, New(), 60) // only the seed runs
		want := []string{"40 init", "5 mutation", "10 init", "4 mutation"}
		golden.Same(t, "requests", want, operators(l))
		all := requests(l)
		if r := all[45]; r.Temperature != 1.3 || !strings.Contains(r.System, personas[0]) {
			t.Errorf("the 41st initial program is requested at temperature %g with %q",
				r.Temperature, r.System)
		}
		if n := methodtest.Notes[Fallback](t, l, "fallback"); len(n) != 2 ||
			n[0] != (Fallback{1, "start"}) {
			t.Errorf("fallbacks %+v, want start twice", n)
		}
	})
	t.Run("nothing runs at all", func(t *testing.T) {
		s := &script{score: func(string) (bench.Outcome, bool) { return raised, true }}
		l := s.run(t, New(), 60)
		golden.Same(t, "requests", []string{"59 init"}, operators(l))
		if strings.Contains(prompts(l, "init")[0], "_v1") {
			t.Errorf("a seed that fails is shown:\n%s", prompts(l, "init")[0])
		}
	})
}

func TestPromptContents(t *testing.T) {
	s := &script{}
	l := s.run(t, New(), 31+50)
	for i, p := range prompts(l, "crossover") {
		pair := programs(p)
		if s.objectives[pair[0]] >= s.objectives[pair[1]] {
			t.Errorf("the better parent does not come first:\n%s", p)
		}
		g := i/10 + 1
		contains(t, "the crossover prompt", p, "def select_next_node_v0(",
			"def select_next_node_v1(", "def select_next_node_v2(",
			fmt.Sprintf("analysis-%d\n", g), fmt.Sprintf("comprehensive-%d\n", g), "under 50 words")
	}
	// There is a note after the start, then after crossover, mutation, harmony search, crossover, …
	notes := methodtest.Notes[Population](t, l, "population")
	for i, p := range prompts(l, "mutation") {
		elitist := notes[1+i/5*3].Elitist
		if want := nameOf(t, l, elitist); programs(p)[0] != want {
			t.Errorf("mutation %d shows program %v, want the elitist after crossover, %s",
				i, programs(p), want)
		}
		contains(t, "the mutation prompt", p, fmt.Sprintf("comprehensive-%d\n", i/5+1))
	}
}

// nameOf returns the name of the program that an evaluation scored.
func nameOf(t *testing.T, l *record.Loaded, evaluation int) string {
	t.Helper()
	for _, p := range l.Programs() {
		if p.Evaluation == evaluation {
			return programs(p.Program.Source)[0]
		}
	}
	t.Fatalf("evaluation %d has no score", evaluation)
	return ""
}

// TestLedger checks which experience counts as good. Generation 1 improves by crossover, generation
// 2 only by harmony search, generation 3 ties, and generation 4 improves by mutation.
func TestLedger(t *testing.T) {
	s := &script{
		obj: func(g int, op string, draw uint64) float64 {
			noise := float64(draw) / (1 << 31)
			switch {
			case g == 0:
				return 900 + noise
			case g == 1 && op == "crossover":
				return 500 + noise
			case g == 3 && op == "mutation":
				return 400 // like the result of harmony search in generation 2
			case g == 4 && op == "mutation":
				return 300
			}
			return 600 + noise
		},
		reply: func(r llm.Request, g int) (string, bool) {
			return tunable("0", fmt.Sprintf("g=%d.0", g)) + ranges("'g': (1, 2)"),
				r.Purpose.Operator() == "hs" && g == 2
		},
		score: func(source string) (bench.Outcome, bool) {
			return scored(400), strings.Contains(source, "g=")
		},
	}
	l := s.run(t, New(), 31+4*25+20)
	want := []Verdict{{1, true}, {2, false}, {3, false}, {4, true}}
	golden.Same(t, "verdicts", want, methodtest.Notes[Verdict](t, l, "verdict")[:4])
	for g, want := range []string{
		"Current reflections:\nexperience-1\n\nIneffective reflections:\nNone\n",
		"Current reflections:\nexperience-2\n\nexperience-1\n\nIneffective reflections:\nNone\n",
		"Current reflections:\nexperience-3\n\nexperience-1\n\nIneffective reflections:\n" +
			"experience-2\n",
		"Current reflections:\nexperience-4\n\nexperience-1\n\nIneffective reflections:\n" +
			"experience-2\n\nexperience-3\n",
		"Current reflections:\nexperience-5\n\nexperience-1\n\nexperience-4\n\n" +
			"Ineffective reflections:\nexperience-2\n\nexperience-3\n",
	} {
		contains(t, fmt.Sprintf("the comprehensive prompt of generation %d", g+1),
			prompts(l, "comprehensive")[g], want)
	}
}

func TestTunedValuesAreVisible(t *testing.T) {
	s := &script{
		score: func(source string) (bench.Outcome, bool) {
			return scored(1), strings.Contains(source, "a: float = 5.")
		},
	}
	l := s.run(t, New(), 31+25+15)
	var best string
	for _, p := range l.Programs() {
		if p.Outcome.Score == -1 {
			best = p.Program.Source
			break
		}
	}
	header := best[strings.Index(best, "a: float = "):strings.Index(best, "):")]
	p := prompts(l, "mutation")[5]
	contains(t, "the mutation prompt after a harmony search that helped", p,
		"def select_next_node_v1(", header)
	if header == "a: float = 5.5" {
		t.Errorf("the value was not tuned: %s", header)
	}
}

func TestBudget(t *testing.T) {
	t.Run("40", func(t *testing.T) {
		l := new(script).run(t, New(), 40)
		golden.Same(t, "requests",
			[]string{"30 init", "flash", "comprehensive", "9 crossover"}, operators(l))
	})
	t.Run("replies without a program", func(t *testing.T) {
		n := 0
		s := &script{reply: func(r llm.Request, _ int) (string, bool) {
			if r.Purpose.Operator() == "init" {
				n++
			}
			return "I would rather not.", r.Purpose.Operator() == "init" && n%3 == 0
		}}
		l := s.run(t, New(), 40)
		first := methodtest.Notes[Population](t, l, "population")[0]
		if first.Size != 30 || len(first.Members) != 20 || l.Summarize().Evaluations != 40 {
			t.Errorf("the first population has %d members in %d places, %d evaluations; want "+
				"20 in 30, 40",
				len(first.Members), first.Size, l.Summarize().Evaluations)
		}
	})
}

// TestTheOrderOfAnswersDoesNotMatter checks that windows of 1 and 8 give the same records.
func TestTheOrderOfAnswersDoesNotMatter(t *testing.T) {
	var want []byte
	for _, window := range []int{1, 8} {
		m := New()
		m.Window = window
		got, err := json.Marshal(new(script).run(t, m, 150).Records)
		must.Do(t, err)
		if want == nil {
			want = got
		}
		if !bytes.Equal(want, got) {
			t.Errorf("window %d gives different records from window 1", window)
		}
	}
}
