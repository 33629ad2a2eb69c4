package bestofn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// one returns the method with one proposal in flight, so that requests can be scripted by number.
func one(children int) *BestOfN {
	m := New()
	m.Children, m.Window = children, 1
	return m
}

// given returns a model whose i-th program has the i-th score. After the last score, the scores
// start again.
func given(scores ...float64) *llm.Scripted {
	return methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Scored(i, scores[i%len(scores)])
	})
}

// TestTheParentIsTheBest also checks that a later program with an equal score is not the parent.
func TestTheParentIsTheBest(t *testing.T) {
	for _, tt := range []struct {
		scores []float64
		want   [][]int
	}{
		{[]float64{5, 3, 4, 9, 1, 2}, [][]int{nil, nil, {1}, {1}, {4}, {4}}},
		{[]float64{7}, [][]int{nil, nil, {1}, {1}, {1}, {1}}},
	} {
		l := methodtest.Run(t, one(2), given(tt.scores...), 6)
		var got [][]int
		for _, n := range methodtest.Notes[note.Offspring](t, l, "offspring") {
			got = append(got, n.Parents)
		}
		golden.Same(t, "parents", tt.want, got, cmpopts.EquateEmpty())
	}
}

// TestABatchIsABarrier checks that the requests of a batch have the same prompt and different
// draws, and that the parent is the best program of all earlier batches.
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
			t.Errorf("request %d: the prompt differs from its batch, or the draw is repeated", i)
		}
		draws[q.Draw] = true
		if i%4 == 3 {
			for _, p := range l.Records[i-3 : i+1] {
				best = max(best, p.Step.Evaluations[0].Score)
			}
		}
	}
}

// TestI1IsRandomSampling checks that random sampling makes the same requests until a program has a
// score.
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

// TestEpsilon checks that epsilon 1 draws parents uniformly from all scored programs, and that
// epsilon 0 uses no random numbers.
func TestEpsilon(t *testing.T) {
	history := make([]scored, 20)
	for i := range history {
		history[i] = scored{evaluation: i + 1, id: fmt.Sprint(i), score: float64(i % 7)}
	}
	m, r, seen := New(), rand.New(rand.NewPCG(1, 2)), make([]float64, 21)
	m.Epsilon = 1
	for range 20_000 {
		seen[m.choose(r, history).evaluation]++
	}
	methodtest.Follows(t, "parents", seen[1:], slices.Repeat([]float64{1}, 20))
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
