package funsearch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// one returns the method with one proposal in flight, so that requests can be scripted by number.
func one() *FunSearch {
	m := New()
	m.Window = 1
	return m
}

// start is the score of the template in these tests.
const start = -10

// run scores programs by their comments. The template has no comment, so its score is start.
func run(t *testing.T, m *FunSearch, model llm.Model, budget int) *record.Loaded {
	t.Helper()
	return benchtest.Run(t, m, benchtest.Config{
		Model: model, Budget: budget, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: score},
	})
}

func score(source string) record.Outcome {
	if !strings.Contains(source, "# ") {
		return record.Outcome{Score: start, Values: []float64{-start}}
	}
	return methodtest.Score(source)
}

func shares(weights []float64) (out []float64) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for _, w := range weights {
		out = append(out, w/sum)
	}
	return out
}

func near(t *testing.T, what string, want, got []float64) {
	t.Helper()
	golden.Same(t, what, want, got, cmpopts.EquateApprox(0, 5e-6))
}

func TestSelectionLaw(t *testing.T) {
	m, scores := New(), []float64{-6, -6.1, -7}
	want := []float64{0.47471, 0.41152, 0.11377}
	near(t, "normalised", want, shares(m.clusterWeights(scores, 0)))
	m.Normalise = false
	near(t, "raw", []float64{0.73103, 0.26893, 0.00003}, shares(m.clusterWeights(scores, 0)))
	near(t, "small scores", shares(m.clusterWeights([]float64{-0.5, -0.6}, 0)),
		shares(New().clusterWeights([]float64{-0.5, -0.6}, 0)))
}

func TestLengthLaw(t *testing.T) {
	near(t, "shares of lengths", []float64{0.41923, 0.32650, 0.25428},
		shares(lengthWeights([]int{100, 150, 200})))
}

// TestSchedule derives the temperature from the weight of a score that is 0.1 worse.
func TestSchedule(t *testing.T) {
	m := New()
	m.ClusterPeriod = 4
	for n, want := range []float64{1, 0.75, 0.5, 0.25, 1} {
		got := -0.1 / math.Log(m.clusterWeights([]float64{0, -0.1}, n)[1]) / m.ClusterTemperature
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("after %d registrations T/T0 = %v, want %v", n, got, want)
		}
	}
}

// TestHomeIsland checks that, without a reset, only the prompts of one island show a program.
// Programs that share a child or descend from each other are on one island, so there are at least
// as many such families as islands.
func TestHomeIsland(t *testing.T) {
	m := one()
	m.Islands, m.Samples = 3, 1
	model := methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Scored(i, -5-float64(i%7)/100)
	})
	l := run(t, m, model, 150)
	family := map[int]int{} // by evaluation; the template is on every island
	join := func(a, b int) {
		for e, f := range family {
			if f == a {
				family[e] = b
			}
		}
	}
	for i, n := range methodtest.Notes[note.Offspring](t, l, "offspring")[1:] {
		evaluation := i + 2
		family[evaluation] = evaluation
		for _, p := range n.Parents {
			if p > 1 {
				join(family[p], family[evaluation])
			}
		}
	}
	all := map[int]bool{}
	for _, f := range family {
		all[f] = true
	}
	if len(all) < 3 {
		t.Errorf("%d families of 149 programs on three islands", len(all))
	}
}

func TestNotesOfIslands(t *testing.T) {
	l := run(t, New(), llm.NewScripted(func(q llm.Request) string {
		return methodtest.Scored(int(q.Draw), -5-float64(q.Draw%11))
	}), 100)
	notes := methodtest.Notes[Islands](t, l, "islands")
	if len(notes) != 2 || len(notes[1].Islands) != 10 || notes[1].Islands[0].Programs < 2 {
		t.Errorf("notes of islands: %+v", notes)
	}
}

func TestReset(t *testing.T) {
	m := one()
	m.Islands, m.Reset = 4, 10
	l := run(t, m, methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Scored(i, -9+float64(i)/100)
	}), 11)
	resets := methodtest.Notes[Reset](t, l, "reset")
	if len(resets) != 1 || len(resets[0].Emptied) != 2 || len(resets[0].Founders) != 2 {
		t.Fatalf("resets %+v", resets)
	}
	d := m.database(nil, member{evaluation: 1, score: start})
	for i, x := range []float64{-3, -8, -4, -9} {
		d.islands[i].register(member{evaluation: 2 + i, score: x, signature: fmt.Sprint(x)})
	}
	n := d.reset(rand.New(rand.NewPCG(1, 1)))
	slices.Sort(n.Emptied)
	if !slices.Equal(n.Emptied, []int{1, 3}) {
		t.Errorf("emptied %v, want 1 and 3", n.Emptied)
	}
	for _, f := range n.Founders {
		if f != 2 && f != 4 {
			t.Errorf("founded with %d, want the best of islands 0 and 2", f)
		}
	}
	for _, i := range n.Emptied {
		if x := d.islands[i]; x.registered != 1 || len(x.clusters) != 1 {
			t.Errorf("island %d has %d programs", i, x.registered)
		}
	}
	m.Reset = 0
	l = run(t, m, methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Scored(i, -9)
	}), 60)
	if resets := methodtest.Notes[Reset](t, l, "reset"); len(resets) != 0 {
		t.Errorf("%d resets, want none with reset=0", len(resets))
	}
}

func TestSignature(t *testing.T) {
	for signature, want := range map[Signature]int{ByScore: 2, ByValues: 3} {
		m := one()
		m.Islands, m.Signature, m.Samples = 1, signature, 1
		n := 0
		l := benchtest.Run(t, m, benchtest.Config{
			Model: methodtest.Model(func(i int, _ llm.Request) string {
				return methodtest.Scored(i, -5)
			}), Budget: 50, Analyzer: programtest.Analyzer(t),
			Evaluator: &benchtest.Evaluator{Score: func(source string) record.Outcome {
				out := score(source)
				if out.Score == -5 {
					n++
					out.Values = []float64{5 + float64(n%2), 5 - float64(n%2)}
				}
				return out
			}},
		})
		notes := methodtest.Notes[Islands](t, l, "islands")
		if got := notes[0].Islands[0].Clusters; got != want {
			t.Errorf("%s: %d clusters, want %d", signature, got, want)
		}
	}
}

// TestRename checks that the highest version in a reply is used, under the target's name.
func TestRename(t *testing.T) {
	m := one()
	m.Islands = 1
	version := func(n int, body string) string {
		return strings.Replace(methodtest.Target(body), "select_next_node",
			fmt.Sprintf("select_next_node_v%d", n), 1)
	}
	var sources []string
	benchtest.Run(t, m, benchtest.Config{
		Model: methodtest.Model(func(i int, _ llm.Request) string {
			if i == 0 {
				return version(0, "return 0  # score -8") + "\n" +
					version(1, "return 1  # score -7") + "\n" + version(2, "return 2  # score -6")
			}
			return version(2, "return select_next_node_v1(current_node, destination_node, "+
				"unvisited_nodes, distance_matrix)  # score -1")
		}), Budget: 3, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: func(source string) record.Outcome {
			sources = append(sources, source)
			return score(source)
		}},
	})
	if !strings.Contains(sources[1], "def select_next_node(") ||
		!strings.Contains(sources[1], "# score -6") || strings.Contains(sources[1], "_v") {
		t.Errorf("the program is not version 2:\n%s", sources[1])
	}
	if !strings.Contains(sources[2], "select_next_node_v1(") {
		t.Errorf("the call of a missing version is not kept:\n%s", sources[2])
	}
}

func TestATemplateWithoutAScoreEndsTheRun(t *testing.T) {
	l := benchtest.Run(t, New(), benchtest.Config{
		Model:     methodtest.Model(func(int, llm.Request) string { return "" }),
		Evaluator: &benchtest.Evaluator{FailShare: 1}, Analyzer: programtest.Analyzer(t),
	})
	failures := methodtest.Notes[note.Failure](t, l, "failure")
	if r := l.Summarize(); len(failures) != 1 || r.Asked != 0 || r.Evaluations != 1 {
		t.Errorf("%v, %d requests, %d evaluations", failures, r.Asked, r.Evaluations)
	}
}
