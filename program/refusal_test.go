package program_test

import (
	"testing"

	"github.com/pacebench/pacebench/program"
)

// TestKindOf checks the kinds of reasons in journals, including reasons that methods write.
func TestKindOf(t *testing.T) {
	for want, reasons := range map[program.Kind][]string{
		program.ErrNoCode: {
			"the reply holds no function definition",
			"the reply has 9 bytes, more than the 8 that are read",
		},
		program.ErrCut: {"the reply ends before its code is complete: `it must call(`"},
		program.ErrSyntax: {
			"the code is not valid Python: line 3: expected ':': `def f(a)`",
			"text before the code in the block: `Here: it equals the known`",
		},
		program.ErrNoTarget: {
			"the code defines `a`, `b`, but not `f`",
			"`f` is defined inside the class `A`, not at top level",
		},
		program.ErrTarget: {
			"`f` takes (a, step), not (a) as asked",
			"`f` cannot be called with 2 arguments",
		},
		program.ErrCalls: {
			"it must call `a`, `b`, but no statement that can be reached does",
			"it calls `a`, which it must not call",
			"it calls `a`, `b`, more than 1 function of those given",
		},
		program.ErrOpen: {
			"`a` uses `k`, which is neither one of its parameters nor defined inside it",
		},
		program.ErrForm: {
			"it has no docstring that says what it computes",
			"it has the name of the function to design",
			"it is defined with async def, and def is asked for",
			"it uses `f`, the function to design",
			"it calls `a`, another helper function",
			"it has 9 statements, and the algorithm that it is taken from only 5",
			"the reply defines 2 functions, and exactly one is asked for",
			"the reply holds no ranges of numbers",
			"no range belongs to a parameter with a default after the first 4",
		},
		program.ErrKnown: {
			"it equals the known `a` up to names and constants",
			"`a`: it equals the known `b` up to names and constants; " +
				"`c`: it has no docstring that says what it computes",
		},
		"": {"another program wrote this"},
	} {
		for _, reason := range reasons {
			if got := program.KindOf(reason); got != want {
				t.Errorf("%s: %q, want %q", reason, got, want)
			}
		}
	}
}
