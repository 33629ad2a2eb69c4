package mctsahd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/tasks"
)

func TestOpening(t *testing.T) {
	model := script(rising)
	methodtest.Run(t, one(), model, 10)
	want := []string{"i1", "e1", "e1", "e1", "e2", "m1", "m1", "m2", "m2"}
	asked := requests(model, "algorithm")
	for i, op := range want {
		if got := asked[i].Purpose.Operator(); got != op {
			t.Errorf("request %d is %s, want %s", i, got, op)
		}
	}
	if op := asked[9].Purpose.Operator(); op == "s1" {
		t.Error("s1 is applied to a leaf directly below the root")
	}
	references := [][]string{
		nil, {"0"}, {"1", "0"}, {"2", "1", "0"}, nil, {"3"}, {"3"}, {"3"}, {"3"},
	}
	for i, want := range references {
		if i != 4 {
			golden.Same(t, fmt.Sprint("programs in request ", i), want, shown(asked[i]))
		}
	}
	all := model.Requests()
	for i := 0; i < len(all); i += 2 {
		if all[i].Purpose == forThought || all[i+1].Purpose != forThought {
			t.Fatalf("requests %d and %d are %s, %s", i, i+1, all[i].Purpose, all[i+1].Purpose)
		}
	}
}

func TestInitialisationKeepsDifferentScores(t *testing.T) {
	model := script(func(i int, _ string) string { return methodtest.Scored(i, i%2) })
	tr := follow(t, methodtest.Run(t, one(), model, 50))
	golden.Same(t, "children of the root, best first", []int{2, 1}, tr.children(0))
	ops := operatorsOf(tr.attempts(0))
	if ops[39] != "e1" || ops[40] != "e2" {
		t.Errorf("evaluations 40 and 41 are by %s and %s, want e1 and e2: the cap is 40",
			ops[39], ops[40])
	}
}

func TestInitialisationGoesOnWithOneScore(t *testing.T) {
	model := script(func(i int, _ string) string { return methodtest.Scored(i, 1) })
	l := methodtest.Run(t, one(), model, 60)
	for i, op := range operatorsOf(follow(t, l).attempts(1)) {
		if op != "e1" {
			t.Errorf("attempt %d is %s, want e1", i+1, op)
		}
	}
	if n := l.Summarize().Evaluations; n != 60 {
		t.Errorf("%d evaluations, want 60", n)
	}
}

func TestDescriptions(t *testing.T) {
	long := strings.Repeat("ä", 2500)
	for _, tt := range []struct{ name, aligned, shown string }{
		{"as it is", " {a} \n```b``` ", "{ {a} \n```b``` }\n"},
		{"blank", " \n", "{idea 0}\n"},
		{"too long", long, "{" + long[:4000] + "}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			model := methodtest.Model(func(_ int, r llm.Request) string {
				if r.Purpose == forThought {
					return tt.aligned
				}
				n++
				return methodtest.Scored(n-1, n-1)
			})
			l := methodtest.Run(t, one(), model, 2)
			text := requests(model, "algorithm")[1].User[0].Text
			if !strings.Contains(text, tt.shown) {
				t.Errorf("the prompt lacks %.40q:\n%.1000s", tt.shown, text)
			}
			notes := methodtest.Notes[Description](t, l, "description")
			switch {
			case tt.name == "as it is" && len(notes) != 0,
				tt.name == "blank" && (len(notes) != 2 || !notes[0].Blank),
				tt.name == "too long" && (len(notes) != 2 || notes[0].Length != 2500):
				t.Errorf("notes = %+v", notes)
			}
		})
	}
}

// TestRequestsPerEvaluation measures the requests per evaluation that the method's page states,
// with the embedded model and its mistakes.
func TestRequestsPerEvaluation(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	l := benchtest.Run(t, New(), benchtest.Config{
		Model: offline.New(tasks.All(), offline.StatedRates()), Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{FailShare: 0.07}, Budget: 1000,
	})
	r := l.Summarize()
	ratio := float64(r.Asked) / float64(r.Evaluations)
	if r.Evaluations != 1000 || ratio < 2 || ratio > 2.15 {
		t.Errorf("%d evaluations with %.3f requests each; want 1000 with 2.00 to 2.15",
			r.Evaluations, ratio)
	}
}
