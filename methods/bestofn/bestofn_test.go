package bestofn

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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

var parentScore = regexp.MustCompile(`# score (\S+)`)

// parents are the scores of the programs that the prompts show; "–" if a prompt shows none.
func parents(m *llm.Scripted) (out []string) {
	for _, text := range methodtest.Prompts(m) {
		found := parentScore.FindStringSubmatch(text)
		if found == nil {
			found = []string{"", "–"}
		}
		out = append(out, found[1])
	}
	return out
}

func TestTheParentIsTheBest(t *testing.T) {
	model := given(5, 3, 4, 9, 1, 2)
	methodtest.Run(t, one(2), model, 6)
	want := []string{"–", "–", "5", "5", "9", "9"}
	if diff := cmp.Diff(want, parents(model)); diff != "" {
		t.Errorf("parents mismatch (-want +got):\n%s", diff)
	}
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
// its parent is the best of all earlier programs, for any duration of the evaluations.
func TestABatchIsABarrier(t *testing.T) {
	var journals [2][]record.Line
	for i := range journals {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		model := llm.NewScripted(func(q llm.Request) string {
			return methodtest.Scored(int(q.Draw%1000), q.Draw%1000)
		})
		delays := make(chan time.Duration, 1000)
		for range cap(delays) {
			delays <- time.Duration(r.IntN(300)) * time.Microsecond
		}
		l := benchtest.Run(t, New(), benchtest.Config{
			Model: model, Budget: 40, Analyzer: programtest.Analyzer(t),
			Evaluator: &benchtest.Evaluator{Score: methodtest.Score,
				Delay: func() time.Duration { return <-delays }},
		})
		journals[i] = l.Records
	}
	if diff := cmp.Diff(journals[0], journals[1]); diff != "" {
		t.Errorf("the journal depends on delays:\n%s", diff)
	}
	best, text, draws := -1.0, "", map[uint64]bool{}
	for i, r := range journals[0] {
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
			for _, p := range journals[0][i-3 : i+1] {
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
	if diff := cmp.Diff(map[int]bool{7: true, 6: true, 13: true}, found); diff != "" {
		t.Errorf("the best three distinct programs mismatch (-want +got):\n%s", diff)
	}
}

// TestFailuresAreNoParents checks that failing programs are charged but never shown, replies
// without a program are free, and a search without any score continues to its end.
func TestFailuresAreNoParents(t *testing.T) {
	for _, children := range []int{4, 16} {
		model := methodtest.Model(func(i int, _ llm.Request) string {
			if i%3 == 2 {
				return "no code this time"
			}
			return methodtest.Scored(i, i)
		})
		r := methodtest.Run(t, one(children), model, 100).Summarize()
		if r.Evaluations != 100 || r.Asked != 149 && r.Asked != 150 {
			t.Errorf("N = %d: %d evaluations of %d requests", children, r.Evaluations, r.Asked)
		}
	}
	model := methodtest.Model(func(i int, _ llm.Request) string {
		if i%2 == 0 {
			return methodtest.Answer("bad", fmt.Sprintf("raise ValueError(%d)  # raises", i))
		}
		return methodtest.Scored(i, -i)
	})
	methodtest.Run(t, one(2), model, 20)
	for _, text := range methodtest.Prompts(model) {
		if strings.Contains(text, "# raises") {
			t.Fatal("a prompt shows a program that failed")
		}
	}
	bad := methodtest.Model(func(i int, _ llm.Request) string {
		return methodtest.Answer("bad", fmt.Sprintf("raise ValueError(%d)  # raises", i))
	})
	r := methodtest.Run(t, New(), bad, 30).Summarize()
	if r.Best != nil || r.Evaluations != 30 ||
		slices.Contains(methodtest.Operators(bad), "C") {
		t.Errorf("%+v of %v, want 30 evaluations by I1 and no best", r, methodtest.Operators(bad))
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

// TestGrowth checks that the parent of a batch cut by the smaller budget is the same in the larger
// run.
func TestGrowth(t *testing.T) {
	config := benchtest.Config{Budget: 14, Dir: t.TempDir(), Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: methodtest.Score},
		Model: llm.NewScripted(func(q llm.Request) string {
			return methodtest.Scored(int(q.Draw%1000), q.Draw%1000)
		})}
	benchtest.Run(t, New(), config)
	config.Budget = 30
	grown := benchtest.Run(t, New(), config)
	config.Dir = t.TempDir()
	if diff := cmp.Diff(benchtest.Run(t, New(), config).Records, grown.Records); diff != "" {
		t.Errorf("the grown run differs (-at once +grown):\n%s", diff)
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*BestOfN){
		"children: 0 proposals, want at least 1":         func(m *BestOfN) { m.Children = 0 },
		"top: 0 programs, want at least 1":               func(m *BestOfN) { m.Top = 0 },
		"epsilon: 1.5, want 0 to 1":                      func(m *BestOfN) { m.Epsilon = 1.5 },
		`start: "x", want i1 or template`:                func(m *BestOfN) { m.Start = "x" },
		"window: 0 proposals in flight, want at least 1": func(m *BestOfN) { m.Window = 0 },
		"temperature: 3, want 0 to 2":                    func(m *BestOfN) { m.Temperature = 3 },
	} {
		m := New()
		change(m)
		if err := m.Check(); err == nil || err.Error() != want {
			t.Errorf("Check() = %v, want %q", err, want)
		}
	}
}
