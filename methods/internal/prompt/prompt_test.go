package prompt

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/program"
)

// The golden files of package methods hold the words of all blocks. The tests here hold what the
// problem and the plans of those files lack.

func TestTemplateKeepsBlankLines(t *testing.T) {
	f := program.Function{Name: "f", Doc: "Does it.\n\nArgs:\n    a: the first\n"}
	want := "def f():\n    \"\"\"Does it.\n\n    Args:\n        a: the first\n    \"\"\""
	golden.Same(t, "Template", want, Template(f))
}

func TestContractOfACrossover(t *testing.T) {
	for _, tt := range []struct {
		name, shown, want string
		c                 program.Calls
	}{
		{"more EAPs than the bound", "a b c d",
			"Must call: `a`, `b`\nMay also call: `c`, `d`\nCall at most 3 of them in all.",
			program.Calls{Must: []string{"a", "b"}, May: []string{"c", "d"}, AtMost: 3}},
		{"k = 1", "a b", "Must call: `a`\nMust not call: `b`",
			program.Calls{Must: []string{"a"}, May: []string{"b"}, AtMost: 1}},
	} {
		golden.Same(t, tt.name, tt.want, Contract(tt.c, strings.Fields(tt.shown)))
	}
}

func TestEnvironmentOfAnEmptyProblem(t *testing.T) {
	golden.Same(t, "Environment", "The code runs under Python.", Environment(bench.Problem{}))
}
