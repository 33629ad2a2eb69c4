package bestofn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/methods/randsample"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// one is the method with one proposal in flight, so that requests can be scripted by number.
func one(children int) *BestOfN {
	m := New()
	m.Children, m.Window = children, 1
	return m
}

// given scores the i-th program with the i-th number, and starts again after the last.
func given(scores ...float64) *llm.Scripted {
	return methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Scored(i, scores[i%len(scores)])
	})
}

// parents are the scores of the programs that the prompts show; "–" if a prompt shows none.
func parents(m *llm.Scripted) (out []string) {
	for _, text := range methodtest.Prompts(m) {
		out = append(out, append(methodtest.Shown(text), "–")[0])
	}
	return out
}

func TestTheParentIsTheBest(t *testing.T) {
	model := given(5, 3, 4, 9, 1, 2)
	methodtest.Run(t, one(2), model, 6)
	want := []string{"–", "–", "5", "5", "9", "9"}
	golden.Same(t, "parents", want, parents(model))
	prompts := methodtest.Prompts(model)
	golden.Text(t, "testdata/C.golden", prompts[4]+"\n")
	for _, word := range []string{"-9", "9\n\n", "idea 3"} { // its score or its thought
		if strings.Contains(strings.ReplaceAll(prompts[4], "# score 9", ""), word) {
			t.Errorf("the prompt says %q", word)
		}
	}
	if n := strings.Count(prompts[4], "# score 9"); n != 1 {
		t.Errorf("the prompt shows its parent %d times", n)
	}
	for _, r := range model.Requests() {
		if r.System != "" {
			t.Errorf("a system message: %q", r.System)
		}
	}
}

func TestAnEqualChildIsNoParent(t *testing.T) {
	model := given(7)
	l := methodtest.Run(t, one(2), model, 8)
	for _, n := range methodtest.Notes[note.Offspring](t, l, "offspring")[2:] {
		if !slices.Equal(n.Parents, []int{1}) || n.Operator != "C" {
			t.Errorf("%+v, want the first program as the parent of all", n)
		}
	}
}

// TestABatchIsABarrier checks that a batch has one prompt and one draw for each request, and that
// its parent is the best of all earlier programs.
func TestABatchIsABarrier(t *testing.T) {
	l := methodtest.Run(t, New(), llm.NewScripted(func(q llm.Request) string {
		return methodtest.Scored(int(q.Draw%1000), q.Draw%1000)
	}), 40)
	best, text, draws := -1.0, "", map[uint64]bool{}
	for i, r := range l.Records {
		q := r.Step.Requests[0].Request
		if i%4 == 0 {
			text, draws = llm.TextOf(q.User), map[uint64]bool{}
			want := "# score " + strconv.FormatFloat(best, 'f', -1, 64) + "\n"
			if i > 0 && !strings.Contains(text, want) {
				t.Errorf("batch %d does not show the best, %v:\n%s", i/4, best, text)
			}
		}
		if draws[q.Draw] || llm.TextOf(q.User) != text {
			t.Errorf("request %d: another prompt than its batch, or an equal draw", i)
		}
		draws[q.Draw] = true
		if i%4 == 3 {
			for _, p := range l.Records[i-3 : i+1] {
				best = max(best, p.Step.Evaluations[0].Score)
			}
		}
	}
}

// TestI1IsRandomSampling checks that requests equal random sampling's until a program has a score.
func TestI1IsRandomSampling(t *testing.T) {
	answer := func() *llm.Scripted {
		return methodtest.Model(func(i int, _ llm.Request) string {
			if i < 5 {
				return "nothing yet"
			}
			return methodtest.Scored(i, i)
		})
	}
	own, other := answer(), answer()
	control := randsample.New()
	control.Window = 1
	methodtest.Run(t, one(2), own, 10)
	methodtest.Run(t, control, other, 10)
	first := func(m *llm.Scripted) (out []llm.Request) {
		for _, r := range m.Requests()[:6] {
			r.Draw = 0 // each method has its own draws
			out = append(out, r)
		}
		return out
	}
	if diff := cmp.Diff(first(other), first(own)); diff != "" {
		t.Errorf("the first requests mismatch (-randsample +bestofn):\n%s", diff)
	}
}

// TestEpsilon draws parents uniformly from all scored programs, and with 0 draws nothing.
func TestEpsilon(t *testing.T) {
	history := make([]scored, 20)
	for i := range history {
		history[i] = scored{evaluation: i + 1, id: fmt.Sprint(i), score: float64(i % 7)}
	}
	m, r, seen := New(), rand.New(rand.NewPCG(1, 2)), make([]float64, 21)
	m.Epsilon = 1
	const draws = 20_000
	for range draws {
		seen[m.choose(r, history).evaluation]++
	}
	chi2 := 0.0
	for _, n := range seen[1:] {
		chi2 += (n - draws/20) * (n - draws/20) / (draws / 20)
	}
	if p := (distuv.ChiSquared{K: 19}).Survival(chi2); p < 0.001 {
		t.Errorf("not uniform, p = %v: %v", p, seen)
	}
	m.Epsilon = 0
	if x := m.choose(nil, history); x.evaluation != 7 { // a draw would panic
		t.Errorf("the parent is %d, want 7, the oldest of the best", x.evaluation)
	}
	m.Top, m.Epsilon = 3, 0
	history[13].id = history[6].id // the same program again
	found := map[int]bool{}
	for range 100 {
		found[m.choose(r, history).evaluation] = true
	}
	golden.Same(t, "the best three distinct programs",
		map[int]bool{7: true, 6: true, 13: true}, found)
}

func TestWithoutAScoreI1GoesOn(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string { return methodtest.Crash(i) })
	r := methodtest.Run(t, New(), model, 30).Summarize()
	golden.Same(t, "operators", map[string]int{"I1": 30},
		methodtest.Count(methodtest.Operators(model)))
	if r.Best != nil || r.Evaluations != 30 {
		t.Errorf("%+v, want 30 evaluations and no best", r)
	}
}

func TestStartFromTheTemplate(t *testing.T) {
	m := one(2)
	m.Start = Template
	evaluator := &benchtest.Evaluator{Score: func(source string) record.Outcome {
		if !strings.Contains(source, "# score") {
			return record.Outcome{Score: 1, Values: []float64{1}}
		}
		return methodtest.Score(source)
	}}
	run := func(e bench.Evaluator) (*record.Loaded, *llm.Scripted) {
		model := given(0, 0, 5)
		return benchtest.Run(t, m, benchtest.Config{Model: model, Budget: 6, Evaluator: e,
			Analyzer: programtest.Analyzer(t)}), model
	}
	l, model := run(evaluator)
	first := l.Records[0].Step
	if len(first.Requests) != 0 || len(first.Evaluations) != 1 {
		t.Errorf("step 0 has %d requests and %d evaluations, want 0 and 1",
			len(first.Requests), len(first.Evaluations))
	}
	if r := l.Summarize(); r.Evaluations != 6 || r.Asked != 5 {
		t.Errorf("%d evaluations of %d requests, want 6 of 5", r.Evaluations, r.Asked)
	}
	for i, text := range methodtest.Prompts(model) {
		shown := strings.Contains(text, prompt.Default(benchtest.Problem().Template))
		if shown != (i < 4) {
			t.Errorf("prompt %d shows the default body: %v", i, shown)
		}
	}
	l, model = run(&benchtest.Evaluator{FailShare: 1})
	failures := methodtest.Notes[note.Failure](t, l, "failure")
	if len(failures) != 1 || len(model.Requests()) != 0 {
		t.Errorf("a template that fails: %v and %d requests", failures, len(model.Requests()))
	}
}

func TestCheck(t *testing.T) {
	methodtest.Refuses(t, New, map[string]func(*BestOfN){
		"children: 0 proposals, want at least 1":         func(m *BestOfN) { m.Children = 0 },
		"top: 0 programs, want at least 1":               func(m *BestOfN) { m.Top = 0 },
		"epsilon: 1.5, want 0 to 1":                      func(m *BestOfN) { m.Epsilon = 1.5 },
		`start: "x", want i1 or template`:                func(m *BestOfN) { m.Start = "x" },
		"window: 0 proposals in flight, want at least 1": func(m *BestOfN) { m.Window = 0 },
	})
}
