package prompt

import (
	"fmt"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

var reach = program.Function{
	Name: "reach", Params: []program.Param{{Name: "a"}},
	Doc: "How far.\n\nArgs:\n    a: where", Body: "if a:\n    return 1\nreturn 2",
}

func TestVersionsRenameEverywhere(t *testing.T) {
	an := programtest.Analyzer(t)
	one := reach
	one.Name, one.Doc = "reach_v1", "Improved version of reach_v0."
	for code, want := range map[string]string{
		"def far(a):\n    return reach(a)\n\ndef reach(a):\n    return reach(a - 1)\n": "def " +
			"far(a):\n    return reach_v1(a)\n\ndef reach_v1(a):\n" +
			"    \"\"\"Improved version of reach_v0.\"\"\"\n    return reach_v1(a - 1)\n",
		"def reach(a): return reach(a)\n": "def reach_v1(a): return reach_v1(a)\n",
		Bare(reach): "def reach_v1(a):\n    \"\"\"Improved version of reach_v0.\"\"\"\n" +
			"    if a:\n        return 1\n    return 2\n",
	} {
		a, err := an.Analyze(t.Context(), code)
		if err != nil || a.Syntax != nil {
			t.Fatal(err, a.Syntax)
		}
		golden.Same(t, "As", want, VersionsOf(code, a, "reach").As(one))
	}
}

func TestNumberedRenamesTheDefinitionOnly(t *testing.T) {
	an := programtest.Analyzer(t)
	tests := []struct {
		name, code, want string
		documented       bool
	}{
		{"a call keeps the plain name",
			"def reach(a):\n    return reach(a - 1)\n",
			"def reach_v1(a):\n    return reach(a - 1)\n", false},
		{"helpers and decorators stay",
			"def far(a):\n    return a\n\n@f(reach=1)\ndef reach (a):\n    return far(a)\n",
			"def far(a):\n    return a\n\n@f(reach=1)\ndef reach_v1 (a):\n    return far(a)\n",
			false},
		{"of two definitions the last, which Python calls",
			"def reach(a):\n    return 1\ndef reach(a):\n    return 2\n",
			"def reach(a):\n    return 1\ndef reach_v1(a):\n    return 2\n", false},
		{"a docstring under the header",
			"def reach(a):\n    return 1\n",
			"def reach_v1(a):\n    \"\"\"How far.\n\n    Args:\n        a: where\n    \"\"\"\n" +
				"    return 1\n", true},
		{"a docstring with the margin of the body, above its comments",
			"def reach(\n    a,  # where\n):\n  # first\n\n  return 1\n",
			"def reach_v1(\n    a,  # where\n):\n  \"\"\"How far.\n\n  Args:\n      a: where\n" +
				"  \"\"\"\n  # first\n\n  return 1\n", true},
		{"a body in the header's line has no room for a docstring",
			"def reach(a): return 1\n", "def reach_v1(a): return 1\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := an.Analyze(t.Context(), tt.code)
			if err != nil || a.Syntax != nil {
				t.Fatal(err, a.Syntax)
			}
			c := Numbered(tt.code, a, "reach")
			if tt.documented {
				c = Documented(tt.code, a, reach)
			}
			golden.Same(t, fmt.Sprintf("version 1 of %q", tt.code),
				tt.want, c.As(Version("reach", 1)))
		})
	}
}

func TestASourceWithoutTheFunctionIsShownAsItIs(t *testing.T) {
	for _, c := range []Code{
		Numbered("x = 1\n", program.Analysis{}, "reach"),
		Documented("x = 1\n", program.Analysis{}, reach),
	} {
		if got := c.As("reach_v1"); got != "x = 1\n" {
			t.Errorf("As(reach_v1) = %q, want the source", got)
		}
	}
}
