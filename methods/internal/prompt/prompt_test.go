package prompt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/program"
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
			Name: "f", Params: []program.Param{{Name: "a", Annotation: "int"}, {Name: "b"}},
			Returns: "np.ndarray", Doc: "Does it."},
			"def f(a: int, b) -> np.ndarray:\n    \"\"\"Does it.\"\"\""},
		{"several lines keep their blank ones",
			program.Function{Name: "f", Doc: "Does it.\n\nArgs:\n    a: the first\n"},
			"def f():\n    \"\"\"Does it.\n\n    Args:\n        a: the first\n    \"\"\""},
		{"the default body is not shown",
			program.Function{Name: "f", Doc: "Does it.", Body: "return 1"},
			"def f():\n    \"\"\"Does it.\"\"\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden.Same(t, fmt.Sprintf("Template(%+v)", tt.f), tt.want, Template(tt.f))
		})
	}
}

func TestContract(t *testing.T) {
	tests := []struct {
		name  string
		c     program.Calls
		shown string
		want  string
	}{
		{"refinement of a parent that calls none", program.Calls{}, "",
			"Call no EAP: no ready-made helper function stands above your function."},
		{"insertion, refinement", program.Calls{Must: []string{"a", "b"}}, "a b",
			"Call exactly: `a`, `b` and no other EAP."},
		{"replacement", program.Calls{Must: []string{"a", "b"}}, "a b c",
			"Must call: `a`, `b`\nMust not call: `c`"},
		{"crossover of two EAPs", program.Calls{Must: []string{"a", "b"}, AtMost: 3}, "a b",
			"Call exactly: `a`, `b` and no other EAP."},
		{"crossover of three, which is the bound",
			program.Calls{Must: []string{"a"}, May: []string{"b", "c"}, AtMost: 3}, "a b c",
			"Must call: `a`\nMay also call: `b`, `c`"},
		{"crossover of four",
			program.Calls{Must: []string{"a", "b"}, May: []string{"c", "d"}, AtMost: 3}, "a b c d",
			"Must call: `a`, `b`\nMay also call: `c`, `d`\nCall at most 3 of them in all."},
		{"crossover with k = 1", program.Calls{Must: []string{"a"}, May: []string{"b"}, AtMost: 1},
			"a b", "Must call: `a`\nMust not call: `b`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden.Same(t, "Contract", tt.want, Contract(tt.c, strings.Fields(tt.shown)))
		})
	}
}

func TestEnvironment(t *testing.T) {
	tests := []struct {
		name string
		p    bench.Problem
		want string
	}{
		{"nothing is known", bench.Problem{}, "The code runs under Python."},
		{"all is known", bench.Problem{
			Runtime: "Python 3.11 with NumPy 1.26", Imports: []string{"import numpy as np"},
			Modules: []string{"numpy", "math"},
		}, "The code runs under Python 3.11 with NumPy 1.26.\n" +
			"Imported already: import numpy as np.\nModules that may be imported: numpy, math."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden.Same(t, "Environment", tt.want, Environment(tt.p))
		})
	}
}

// TestAnswersHoldOneBlock checks that every form has one block, which holds only code.
func TestAnswersHoldOneBlock(t *testing.T) {
	f := program.Function{
		Name: "f", Params: []program.Param{{Name: "a", Annotation: "int"}}, Returns: "int",
	}
	for name, form := range map[string]string{
		"program": AnswerProgram(f), "code": AnswerCode(f), "helper": AnswerHelper(),
		"helpers": AnswerHelpers(),
	} {
		if !strings.HasPrefix(form, "Answer with ") ||
			strings.Count(form, "```python\ndef ") != 1 || strings.Count(form, "```") != 2 {
			t.Errorf("%s is not one block of code:\n%s", name, form)
		}
		if got, want := strings.Contains(form, "\n{"), name == "program"; got != want {
			t.Errorf("%s asks for a sentence in braces: %v, want %v:\n%s", name, got, want, form)
		}
	}
	if form := AnswerProgram(f); !strings.Contains(form,
		"}\n\n```python\ndef f(a: int) -> int:\n    ...\n```\n") {
		t.Errorf("the sentence is not before the block:\n%s", form)
	}
}

func TestBlocks(t *testing.T) {
	got := Join("one", "", "\ntwo\n", Listing("Parent:", "{an idea}", "def f():\n    return 1\n"),
		Listing("Bare:", "", "x = 1"),
		Steps("describe", "implement"), Goal("be %s", "better"))
	want := "one\n\ntwo\n\nParent:\n{an idea}\n\ndef f():\n    return 1\n\n" +
		"Bare:\n\nx = 1\n\n1. describe\n2. implement\n\nGoal: be better"
	golden.Same(t, "blocks", want, got)
}

func TestRepairRepeatsThePromptAndTheAnswer(t *testing.T) {
	got := Repair("the prompt", "\nthe answer\n", "`e` is not called", "the form")
	want := "the prompt\n\nYour previous answer:\nthe answer\n\n" +
		"It was refused: `e` is not called\n" +
		"Answer again in full, with this corrected and everything else as asked above.\n\nthe form"
	golden.Same(t, "Repair", want, got)
}
