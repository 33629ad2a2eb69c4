package mles

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/record/note"
)

// small returns the configuration of the scripted tests: one lane and a population of four.
func small() *MLES {
	m := New()
	m.Population, m.Window = 4, 1
	return m
}

func TestCallsAreTheBudget(t *testing.T) {
	third := func(i int, r llm.Request) string {
		if i%3 == 0 {
			return "{an idea without code}"
		}
		return methodtest.ByCall(i, r)
	}
	model := methodtest.Model(third)
	l := methodtest.Run(t, small(), model, 12)
	if r := l.Summarize(); r.Asked != 12 || r.Evaluations != 8 || r.Stopped != "requests" ||
		len(r.Warnings) > 0 {
		t.Errorf("%d requests, %d evaluations, stopped by %s, warnings %q; "+
			"want 12, 8, requests, none", r.Asked, r.Evaluations, r.Stopped, r.Warnings)
	}
	want := append(slices.Repeat([]string{"I1"}, 6), "e1", "e2", "m1_M", "m2_M", "e1", "e2")
	golden.Same(t, "operators", want, methodtest.Operators(model))

	m := small()
	m.Unit = Evaluations
	l = methodtest.Run(t, m, methodtest.Model(third), 12)
	if r := l.Summarize(); r.Asked != 18 || r.Evaluations != 12 || r.Stopped != "budget" {
		t.Errorf("by evaluations: %d requests, %d evaluations, stopped by %s; want 18, 12, budget",
			r.Asked, r.Evaluations, r.Stopped)
	}
	var evaluated []string
	for _, o := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		if o.Refused == "" {
			evaluated = append(evaluated, o.Operator)
		}
	}
	golden.Same(t, "operators of the evaluated",
		strings.Fields("I1 I1 I1 I1 e2 m1_M e1 e2 m2_M e1 m1_M m2_M"), evaluated)
}

func TestEqualScoresAreDuplicates(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string { return methodtest.Scored(i, 1) })
	l := methodtest.Run(t, small(), model, 20)
	var want []Demoted
	for i := 2; i <= 20; i++ {
		want = append(want, Demoted{Program: i, Duplicate: true})
	}
	golden.Same(t, "demoted", want, methodtest.Notes[Demoted](t, l, "demoted"))
}

func TestTheOnlyProgramIsBothParents(t *testing.T) {
	p := pop.New[evolve.Candidate](1, 1)
	p.Register(evolve.Candidate{ID: 3}, "a", 1)
	r := rand.New(rand.NewPCG(7, 8))
	if pair := selectParents(r, p, 2); len(pair) != 2 || pair[1].ID != 3 {
		t.Errorf("the only program as parents: %v, want it twice", pair)
	}
}

func TestRecordsCanBeLeftOut(t *testing.T) {
	c := evolve.Candidate{Picture: llm.NewImage("image/png", []byte("x")), Records: "step 0"}
	m := New()
	m.Records = RecordsNone
	if n := len(m.parts(m1, benchtest.Problem(), []evolve.Candidate{c})); n != 6 {
		t.Errorf("without records: %d parts, want 6", n)
	}
}

// A scripted program is worst on the instance that its score chooses.
type scripted struct {
	bench.Unmeasured
	neverCalled
	score float64
}

type neverCalled struct{ bench.Target }

func (scripted) Close() error { return nil }

type loader struct{}

func (loader) Load(_ context.Context, source, _, _ string, _ bench.Limits) (bench.Target, error) {
	return scripted{score: methodtest.Score(source).Score}, nil
}

// TestRightPicture mutates a line of programs, each worst on another instance: every prompt shows
// the picture of the parent's own worst instance, never a picture of an ancestor.
func TestRightPicture(t *testing.T) {
	m := small()
	m.Population = 1 // the best is the only parent
	task := &bench.Task{
		Problem: benchtest.Problem(), Splits: []bench.Split{{Name: "train", Instances: 4}},
		Score: func(_ context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
			s := f.(scripted).score
			v := s + 1
			if in.Number == int(s)%4 {
				v = s - 3
			}
			return bench.Measure{Value: v, Trace: fmt.Append(nil, s)}, nil
		},
		Evidence: func(_ context.Context, in bench.Instance, trace []byte) ([]bench.Blob, error) {
			return benchtest.Picture(fmt.Sprint(string(trace), " ", in.Number)), nil
		},
	}
	task.Goal = bench.Maximize
	model := methodtest.Model(methodtest.ByCall)
	benchtest.Run(t, m, benchtest.Config{
		Problem: task.Problem, Model: model, Budget: 13, Analyzer: programtest.Analyzer(t),
		Evaluator: &bench.TaskEvaluator{Task: task, Loader: loader{}, Evidence: true},
	})
	shown := 0
	for i, r := range model.Requests() {
		if len(r.User) == 1 {
			continue
		}
		shown++
		parent := i - 1 // reply i scores i
		if got, want := r.User[4].Image.Digest,
			benchtest.Picture(fmt.Sprint(parent, " ", parent%4))[0].Digest; got != want {
			t.Errorf("request %d shows %s, its parent's worst instance is %s", i, got, want)
		}
	}
	if shown < 4 {
		t.Errorf("%d pictures shown, want more", shown)
	}
}

func TestATaskWithoutPicturesIsRefused(t *testing.T) {
	c := benchtest.Config{
		Model: methodtest.Model(methodtest.ByCall), Budget: 14, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{
			Score:    methodtest.Score,
			Evidence: func(string) []bench.Blob { return nil },
		},
	}
	_, err := benchtest.Prepare(t, New(), c).Execute(t.Context(), t.TempDir())
	if err == nil ||
		!strings.Contains(err.Error(), "task toy gave no picture of a program's behaviour") {
		t.Errorf("Execute = %v, want an error that names the task", err)
	}
}

// TestInitialisation checks searches in which only the first few programs run before the cap.
func TestInitialisation(t *testing.T) {
	for _, tt := range []struct {
		cap, good, inits int
		reason           string // of the failure, when not empty
	}{
		{0, 0, 60, "no valid program"}, {20, 0, 21, "no valid program"},
		{4, 1, 5, "initialisation failed"}, {4, 2, 5, ""},
	} {
		m := small()
		m.Population, m.InitCap = 16, tt.cap
		l := methodtest.Run(t, m, methodtest.Model(func(i int, r llm.Request) string {
			if i < tt.good || i >= tt.inits {
				return methodtest.ByCall(i, r)
			}
			return methodtest.Crash(i)
		}), 60)
		var want []note.Failure
		if tt.reason != "" {
			want = []note.Failure{{Reason: tt.reason, Members: tt.good}}
		}
		golden.Same(t, "failure", want, methodtest.Notes[note.Failure](t, l, "failure"))
		got := methodtest.Proposed(t, l)
		if n := methodtest.Count(got)["I1"]; n != tt.inits || (len(got) > n) != (want == nil) {
			t.Errorf("cap %d, %d good: %d by I1, %d in all, want %d by I1", tt.cap, tt.good, n,
				len(got), tt.inits)
		}
	}
}
