package pace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// weight is an EAP with a constant and an exponent.
const weight = "def weight(distance_matrix, current_node):\n    \"\"\"Weigh the way.\"\"\"\n" +
	"    row = distance_matrix[current_node]\n    return row ** 2 * 0.5\n"

// inspected inspects a reply against a library that holds weight.
func inspected(
	t *testing.T, an program.Analyzer, operator, reply string, source *Algorithm,
) (findings, bool) {
	t.Helper()
	known, err := program.ExtractFunctions(t.Context(), an, weight)
	must.Do(t, err)
	p := &proposal{operator: operator, source: source,
		known: []*EAP{{Name: "weight", Source: weight, Fingerprint: known[0].Func.Fingerprint}}}
	f, correctable, err := inspect(t.Context(), an, benchtest.Problem(), p, reply)
	must.Do(t, err)
	return f, correctable
}

func TestAdmission(t *testing.T) {
	an := programtest.Analyzer(t)
	fn := func(name, params string, lines ...string) string {
		return "def " + name + "(" + params + "):\n    " + strings.Join(lines, "\n    ") + "\n"
	}
	const doc = `"""Say something."""`
	two := fn("a", "x", doc, "return x") + fn("b", "x", doc, "return -x")
	tests := []struct {
		name        string
		operator    string
		reply       string
		names       []string // admitted
		refused     string   // part of the reasons for the refused functions
		correctable bool
	}{
		{"one function", E3, fn("near", "x", doc, "return x[0]"), []string{"near"}, "", false},
		{"two where one is asked for", E3, two, nil, "2 functions", true},
		{"several at the start", E1, two, []string{"a", "b"}, "", false},
		{"two that equal each other", E1, fn("a", "x", doc, "return x + 1") +
			fn("b", "y", doc, "return y + 2"), []string{"a"}, "equals the known `a`", false},
		{"each by itself", E1, fn("a", "x", doc, "return x") + fn("b", "x", "return -x"),
			[]string{"a"}, "no docstring", true},
		{"no code", E3, "I cannot.", nil, "no function", true},
		{"the target's name", E3, fn("select_next_node", "x", doc, "return x"), nil,
			"the name of the function to design", true},
		{"calls the target", E3, fn("near", "x", doc, "return select_next_node(x, 0, [], [])"), nil,
			"uses `select_next_node`", true},
		{"calls an EAP", E3, fn("near", "x", doc, "return weight(x, 0) + 1"), nil,
			"calls `weight`", true},
		{"calls its neighbour", E1, fn("a", "x", doc, "return x") +
			fn("b", "x", doc, "return a(x) + 1"), []string{"a"}, "calls `a`", true},
		{"a free name", E3, fn("near", "x", doc, "return x * SCALE"), nil, "`SCALE`", true},
		{"NumPy is there", E3, fn("near", "x", doc, "return np.sum(x)"),
			[]string{"near"}, "", false},
		{"an allowed import above", E3, "import math\n" +
			fn("near", "x", doc, "return math.sqrt(x)"), []string{"near"}, "", false},
		{"a forbidden import", E3, fn("near", "x", doc, "import os", "return os.getpid()"), nil,
			"`os`", true},
		{"renamed variables", E3, fn("burden", "m, c", doc, "r = m[c]", "return r ** 2 * 0.5"), nil,
			"equals the known `weight`", false},
		{"a taken name with a new body", E3,
			fn("weight", "x", doc, "return x if x < 1 else weight(x - 1)"),
			[]string{"weight_2"}, "", false},
		{"a builtin's name", E3, fn("sum", "x", doc, "return x[0]"), []string{"sum_2"}, "", false},
		{"a parameter's name", E3, fn("current_node", "x", doc, "return x[0]"),
			[]string{"current_node_2"}, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, correctable := inspected(t, an, tt.operator, tt.reply, nil)
			if got := names(f.admitted); strings.Join(got, " ") != strings.Join(tt.names, " ") {
				t.Errorf("admitted %v, want %v (refused: %s)", got, tt.names, reasons(f.refused))
			}
			if got := reasons(f.refused); (got == "") != (tt.refused == "") ||
				!strings.Contains(got, tt.refused) {
				t.Errorf("refused %q, want %q", got, tt.refused)
			}
			if correctable != tt.correctable {
				t.Errorf("correctable = %v, want %v", correctable, tt.correctable)
			}
			for _, e := range f.admitted {
				if !strings.Contains(e.Source, "def "+e.Name+"(") {
					t.Errorf("the source of %s does not define it:\n%s", e.Name, e.Source)
				}
			}
		})
	}
}

func TestExtractionIsSmallerThanItsSource(t *testing.T) {
	an := programtest.Analyzer(t)
	source := parent(t, an, nil, "a = 1", "b = 2", "return a + b")
	source.ID = 9
	long := "def f(x):\n    \"\"\"Long.\"\"\"\n    a = x\n    b = a\n    return b\n"
	if f, _ := inspected(t, an, E2, long, source); len(f.admitted) > 0 ||
		!strings.Contains(reasons(f.refused), "statements") {
		t.Errorf("admitted %v, refused %q", names(f.admitted), reasons(f.refused))
	}
	short := "def f(x):\n    \"\"\"Short.\"\"\"\n    a = x + 1\n    return a\n"
	f, _ := inspected(t, an, E2, short, source)
	if len(f.admitted) != 1 || f.admitted[0].From != 9 || f.admitted[0].Origin != E2 {
		t.Errorf("admitted %+v, refused %q", f.admitted, reasons(f.refused))
	}
}

// TestProposalsAreRepaired checks the number of requests of a discovery.
func TestProposalsAreRepaired(t *testing.T) {
	bad, twin, good := "def f(x):\n    return x\n", eapSource("other", 0), eapSource("fresh", 9)
	tests := []struct {
		name     string
		replies  []string
		requests int
		admitted bool
	}{
		{"good at once", []string{good}, 1, true},
		{"good at the second attempt", []string{bad, good}, 2, true},
		{"never good", []string{bad, bad, bad, good}, 3, false},
		{"a duplicate ends it", []string{twin, good}, 1, false},
		{"a duplicate after a repair ends it", []string{bad, twin, good}, 2, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			s := &script{eaps: 1, answer: func(_ int, op string, _ Request) (string, bool) {
				if op != E3 {
					return "", false
				}
				n++
				return tt.replies[min(n, len(tt.replies))-1], true
			}}
			m := small()
			m.Extraction = false
			model := s.model()
			l := methodtest.Run(t, m, model, 8) // 4 by I1, one generation
			if n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
			admitted := methodtest.Notes[Admission](t, l, "admission")
			if got := len(admitted) == 2; got != tt.admitted {
				t.Errorf("admissions %+v", admitted)
			}
			for i, p := range methodtest.Prompts(model, E3) {
				if repair := strings.Contains(p, "It was refused: "); repair != (i > 0) {
					t.Errorf("request %d is a repair: %v\n%s", i+1, repair, p)
				}
			}
			refused := methodtest.Notes[Refusal](t, l, "refusal")
			if (len(refused) > 0) == tt.admitted {
				t.Errorf("refusals %+v", refused)
			}
		})
	}
}

func TestStartWithoutEAPs(t *testing.T) {
	s := &script{
		answer: func(_ int, op string, _ Request) (string, bool) {
			return "I have no idea.", op[0] == 'E'
		},
	}
	model := s.model()
	l := methodtest.Run(t, small(), model, 12)
	if n := len(methodtest.Prompts(model, E1)); n != 3 {
		t.Errorf("%d requests for the first EAPs, want k = 3", n)
	}
	golden.Same(t, "operators without an EAP", slices.Repeat([]string{P3}, 8), planned(t, l))
	if n := l.Summarize().Evaluations; n != 12 {
		t.Errorf("%d evaluations, want 12", n)
	}
}

// TestGenerations checks the schedule of discovery: E2 in generations with a strict new best, E3 in
// all other generations. The best of the initialisation belongs to no generation, so a first
// generation without a new best uses E3.
func TestGenerations(t *testing.T) {
	tests := []struct {
		name   string
		set    func(*PACE)
		better int      // number of the child that is the first new best; the second is child 11
		want   []string // per generation
		best   []int
	}{
		{"both", func(*PACE) {}, 2, []string{E2, E3, E2, E3}, []int{6, 0, 15, 0}},
		{"without extraction", func(m *PACE) { m.Extraction = false }, 2, []string{E3, E3, E3, E3},
			[]int{6, 0, 15, 0}},
		{"without generation", func(m *PACE) { m.Generation = false }, 2, []string{E2, "", E2, ""},
			[]int{6, 0, 15, 0}},
		{"without either", func(m *PACE) { m.Generation, m.Extraction = false, false }, 2,
			[]string{"", "", "", ""}, []int{6, 0, 15, 0}},
		{"no new best in the first", func(*PACE) {}, 6, []string{E3, E2, E2, E3},
			[]int{0, 10, 15, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			child := 0
			s := &script{eaps: 3, answer: func(i int, op string, r Request) (string, bool) {
				if op[0] != 'P' {
					return "", false
				}
				child++
				score := -1 - float64(child)/100
				switch child {
				case tt.better, 11:
					score = float64(child)
				case 12:
					score = 11 // ties the best
				}
				return calling(i, score, asked(r.User[0].Text)...), true
			}}
			m := small()
			tt.set(m)
			model := s.model()
			l := methodtest.Run(t, m, model, 4+16)
			var got []string
			var best []int
			for i, g := range methodtest.Notes[Generation](t, l, "generation") {
				got, best = append(got, g.Discovery), append(best, g.Best)
				if g.Number != i+1 {
					t.Errorf("generation %d has the number %d", i+1, g.Number)
				}
			}
			golden.Same(t, "discoveries", tt.want, got)
			golden.Same(t, "new bests", tt.best, best)
			for _, p := range methodtest.Prompts(model, E2) {
				if !strings.Contains(p, fmt.Sprint("# score ", tt.better)) &&
					!strings.Contains(p, fmt.Sprint("# score ", 11)) {
					t.Errorf("E2 does not show the new best:\n%s", p)
				}
			}
		})
	}
}
