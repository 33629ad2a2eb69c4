package prompt

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench/program"
)

func TestTemplate(t *testing.T) {
	tests := []struct {
		name string
		f    program.Function
		want string
	}{
		{"one line", program.Function{Name: "f", Doc: "Does it."},
			"def f():\n    \"\"\"Does it.\"\"\""},
		{"annotations", program.Function{
			Name: "f", Params: []program.Param{{Name: "a", Annotation: "int"}, {Name: "b"}}, Returns: "np.ndarray", Doc: "Does it."},
			"def f(a: int, b) -> np.ndarray:\n    \"\"\"Does it.\"\"\""},
		{"several lines keep their blank ones", program.Function{Name: "f", Doc: "Does it.\n\nArgs:\n    a: the first\n"},
			"def f():\n    \"\"\"Does it.\n\n    Args:\n        a: the first\n    \"\"\""},
		{"the default body is not shown", program.Function{Name: "f", Doc: "Does it.", Body: "return 1"},
			"def f():\n    \"\"\"Does it.\"\"\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Template(tt.f)); diff != "" {
				t.Errorf("Template(%+v) mismatch (-want +got):\n%s", tt.f, diff)
			}
		})
	}
}

func TestContractLines(t *testing.T) {
	tests := []struct {
		name string
		c    Contract
		want string
	}{
		{"nothing", Contract{}, ""},
		{"exactly", Contract{Exactly: []string{"a", "b"}}, "Call exactly: `a`, `b` and no other EAP."},
		{"exactly none", Contract{Exactly: []string{}}, "Call exactly: none and no other EAP."},
		{"replacement", Contract{Must: []string{"a", "b"}, MustNot: []string{"c"}}, "Must call: `a`, `b`\nMust not call: `c`"},
		{"crossover", Contract{Must: []string{"a"}, May: []string{"b"}, AtMost: 3},
			"Must call: `a`\nMay also call: `b`\nCall at most 3 of them."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.c.Lines()); diff != "" {
				t.Errorf("Lines() mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBlocks(t *testing.T) {
	got := Join("one", "", "\ntwo\n", Listing("Parent:", "{an idea}", "def f():\n    return 1\n"), Listing("Bare:", "", "x = 1"),
		Steps("describe", "implement"), Goal("be %s", "better"))
	want := "one\n\ntwo\n\nParent:\n{an idea}\n\ndef f():\n    return 1\n\nBare:\n\nx = 1\n\n1. describe\n2. implement\n\nGoal: be better"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks mismatch (-want +got):\n%s", diff)
	}
}

func TestRepairRepeatsThePromptAndTheAnswer(t *testing.T) {
	got := Repair("the prompt", "\nthe answer\n", "`e` is not called")
	want := "the prompt\n\nYour previous answer:\nthe answer\n\nIt was refused: `e` is not called\n" +
		"Answer again in full, with this mended and everything else as asked above."
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Repair mismatch (-want +got):\n%s", diff)
	}
}
