package mctsahd

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/tasks"
)

func TestCheck(t *testing.T) {
	methodtest.Refuses(t, New, map[string]func(*MCTSAHD){
		"initial: 0 programs, want at least 1":              func(m *MCTSAHD) { m.Initial = 0 },
		"elite: 3 programs, want at least the 4 of initial": func(m *MCTSAHD) { m.Elite = 3 },
		"parents: 5 programs, want 1 to the 4 of initial":   func(m *MCTSAHD) { m.Parents = 5 },
		"alpha: NaN, want 0 to 1": func(m *MCTSAHD) {
			m.Alpha = math.NaN()
		},
		"lambda: -1, want 0 to 1000":                      func(m *MCTSAHD) { m.Lambda = -1 },
		"depth: 0, want at least 1":                       func(m *MCTSAHD) { m.Depth = 0 },
		"attempts: 0, want at least 1":                    func(m *MCTSAHD) { m.Attempts = 0 },
		"window: 0 expansions in flight, want at least 1": func(m *MCTSAHD) { m.Window = 0 },
		`e1-refs: "some", want all or sampled`:            func(m *MCTSAHD) { m.E1Refs = "some" },
		`compat: "official", want none or llm4ad`: func(m *MCTSAHD) {
			m.Compat = "official"
		},
		`parser: "", want shared or strict`: func(m *MCTSAHD) { m.Parser = "" },
	})
}

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
		t.Error("s1 is applied to a leaf below the root")
	}
	references := [][]string{
		nil, {"0"}, {"1", "0"}, {"2", "1", "0"}, nil, {"3"}, {"3"}, {"3"}, {"3"},
	}
	for i, want := range references {
		if got := shown(asked[i]); i != 4 && !cmp.Equal(want, got) {
			t.Errorf("request %d shows %q, want %q", i, got, want)
		}
	}
	all := model.Requests()
	for i := 0; i < len(all); i += 2 {
		if all[i].Purpose == forThought || all[i+1].Purpose != forThought {
			t.Fatalf("requests %d and %d are %s, %s", i, i+1, all[i].Purpose, all[i+1].Purpose)
		}
		if r := all[i]; r.System != "" || len(r.User) != 1 || r.Temperature != 1 ||
			r.MaxTokens != 8192 {
			t.Errorf("%s: system %q, %d parts, temperature %g, %d tokens", r.Purpose, r.System,
				len(r.User), r.Temperature, r.MaxTokens)
		}
	}
	// The second program: the request shows its idea and its code under the target's docstring, and
	// the next prompt shows the description.
	body := "    \"\"\"Choose the next node of the tour.\"\"\"\n" +
		"    return unvisited_nodes[1]  # score 1"
	if text := requests(model, "thought")[1].User[0].Text; !strings.Contains(text, "{idea 1}") ||
		!strings.Contains(text, body) {
		t.Errorf("the alignment lacks idea or code:\n%s", text)
	}
	if text := asked[2].User[0].Text; !strings.Contains(text, "{aligned 1}\n\n"+code(1, 1)) ||
		strings.Contains(text, "idea 1") {
		t.Errorf("the next prompt does not show the description:\n%s", text)
	}
}

func TestInitialisationKeepsDifferentScores(t *testing.T) {
	model := script(func(i int, _ string) string { return methodtest.Scored(i, i%2) })
	l := methodtest.Run(t, one(), model, 50)
	tr := follow(t, l)
	if diff := cmp.Diff([]int{2, 1}, tr.children(0)); diff != "" { // best first
		t.Errorf("children of the root mismatch (-want +got):\n%s", diff)
	}
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

// TestRequestsPerEvaluation measures the number on the method's page, with the embedded model and
// its mistakes.
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
	total := 0
	for _, u := range r.Usage {
		total += u.Usage.Total()
	}
	e1s := 0
	for _, n := range methodtest.Notes[Grown](t, l, "node") {
		if n.Parent == 0 {
			e1s++
		}
	}
	t.Logf("%.3f requests and %d tokens per evaluation, %d children of the root; %v", ratio,
		total/r.Evaluations, e1s, r.Usage)
	if e1s > 31 {
		t.Errorf("the root has %d children, more than N(root) ≤ 1000 allows", e1s)
	}
}
