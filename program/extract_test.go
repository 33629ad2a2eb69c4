package program_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// target is the function that these tests' replies should define.
var target = program.Function{
	Name:    "f",
	Params:  []program.Param{{Name: "a", Annotation: "int"}, {Name: "b"}},
	Returns: "int",
	Doc:     "Does it.\n\nReturns:\n    a number",
}

// TestExtract checks the thought and the code of each reply, or the kind of its refusal.
func TestExtract(t *testing.T) {
	an := programtest.Analyzer(t)
	const code = "def f(a, b):\n    return a\n"
	for _, c := range []struct {
		name, reply   string
		thought, code string
		refusal       error
	}{
		{"unfenced, one word after", "{Idea.}\n" + code + "\nDone\n", "{Idea.}", code, nil},
		{"unfenced, words that look like code before", "{Idea.}\nfrom the parents we take a\n" +
			"define it so\nimport what matters\n" + code, "{Idea.}", code, nil},
		{"unfenced, an import that is prose", "{Idea.}\nimport numpy\nis needed here:\n" + code,
			"{Idea.}", code, nil},
		{"CR", strings.ReplaceAll("{Idea.}\n```python\n"+code+"```\n", "\n", "\r"),
			"{Idea.}", code, nil},
		{"not Latin",
			"{Идея — {x}.}\n```python\ndef f(a, b):\n    \"\"\"Ü.\"\"\"\n    return 'é' and a\n```",
			"{Идея — {x}.}", "def f(a, b):\n    return 'é' and a\n", nil},

		{"preface not repeated", "{Idea.}\n```python\nimport  numpy as np  # arrays\n" +
			"import math\n\n" + code + "```", "{Idea.}", "import math\n\n" + code, nil},
		{"preface in a line with another", "{Idea.}\n```python\nimport numpy as np; import math\n" +
			code + "```", "{Idea.}", "import math\n" + code, nil},
		{"decorated", "{Idea.}\n@deco\n" + code, "{Idea.}", "@deco\n" + code, nil},
		{"async", "{Idea.}\nasync def f(a, b):\n    return a\n",
			"{Idea.}", "async def f(a, b):\n    return a\n", nil},
		{"a constant after the function, unfenced", "{Idea.}\ndef f(a, b):\n    return K\nK = 3\n",
			"{Idea.}", "def f(a, b):\n    return K\nK = 3\n", nil},

		{"docstring and statement in a line", "{Idea.}\ndef f(a, b): 'Mine.'; return a\n",
			"{Idea.}", "def f(a, b): return a\n", nil},
		{"only a docstring", "{Idea.}\ndef f(a, b):\n    'Mine.'\n",
			"{Idea.}", "def f(a, b):\n    pass\n", nil},
		{"docstring of a helper stays", "{Idea.}\ndef h(x):\n    'Help.'\n    return x\n" +
			"def f(a, b):\n    'Mine.'\n    return h(a)\n", "{Idea.}",
			"def h(x):\n    'Help.'\n    return x\ndef f(a, b):\n    return h(a)\n", nil},

		{"another name, recursive", "{Idea.}\ndef g(a, b):\n    return g(a - 1, b) if a else 'g'\n",
			"{Idea.}", "def f(a, b):\n    return f(a - 1, b) if a else 'g'\n", nil},
		{"another name, a local of that name", "{Idea.}\ndef g(a, b):\n    def k(g):\n" +
			"        return g.g\n    return k(a), g\n", "{Idea.}",
			"def f(a, b):\n    def k(g):\n        return g.g\n    return k(a), f\n", nil},
		{"the name is a variable", "{Idea.}\ndef g(a, b):\n    return a\nf = g\n",
			"", "", program.ErrNoTarget},

		{"usage in a fence, code outside",
			"{Idea.}\n" + code + "\nUse it:\n```python\nf(1, 2)\n```", "{Idea.}", code, nil},
		{"block opened before the other is closed",
			"{Idea.}\n```\nsketch\n```python\n" + code + "```", "{Idea.}", code, nil},

		{"empty thought, then another", "{}\n{Idea.}\n" + code, "{Idea.}", code, nil},
		{"only an empty thought", "{ }\n" + code, "", code, nil},

		{"empty reply", "", "", "", program.ErrNoCode},
		{"body alone", "{Idea.}\n```python\n    return a\n```", "", "", program.ErrNoCode},
		{"NUL", "{Idea.}\n```python\ndef f(a, b):\n    return '\x00'\n```",
			"", "", program.ErrSyntax},
		{"invalid UTF-8", "{Idea.}\n```python\ndef f(a, b):\n    return \xff\n```",
			"", "", program.ErrSyntax},
		{"huge", strings.Repeat("x", 300<<10), "", "", program.ErrNoCode},
	} {
		got, err := program.Extract(t.Context(), an, c.reply, target,
			program.Extraction{Imports: []string{"import numpy as np"}})
		if !errors.Is(err, c.refusal) {
			t.Fatalf("Extract(%q) = %v, want refusal %v", c.reply, err, c.refusal)
		}
		want := []string{c.thought, c.code}
		golden.Same(t, fmt.Sprintf("Extract(%q)", c.reply),
			want, []string{got.Thought, got.Code})
	}
}

// counting counts the analyses.
type counting struct {
	program.Analyzer
	calls int
}

func (c *counting) Analyze(ctx context.Context, source string) (program.Analysis, error) {
	c.calls++
	return c.Analyzer.Analyze(ctx, source)
}

// TestLiteral reads the literal at the beginning of a text, with any text after it.
func TestLiteral(t *testing.T) {
	an := programtest.Analyzer(t)
	for text, want := range map[string]string{
		"x = {'a': (0, 1)}":                             `[["a",[0,1]]]`,
		"x = 1\nThat's (all. \"Done\n\n  y = 2":         "1",
		"x = 1; y = 2\n    z = 3\nreturn x\n":           "1",
		"x = [1,\n  2]  # two\n```\nIt's {prose}.\n":    "[1,2]",
		"x: list[int] = [\n\t1\n]\r\nprose and prose\r": "[1]",
		"x = {'a': 1":      "",
		"x = f()\ny = 1\n": "",
		"import y\nx = 1":  "",
		"x = 1 and prose":  "",
		"":                 "",
		"\x00":             "",
		"x = \xff":         "",
		"x = '" + strings.Repeat("é", 9000) + "'": "",
	} {
		counted := &counting{an, 0}
		got, err := program.Literal(t.Context(), counted, text)
		if err != nil || strings.ReplaceAll(string(got), " ", "") != want || counted.calls > 6 {
			t.Errorf("Literal(%.40q) = %s, %v after %d analyses, want %s",
				text, got, err, counted.calls, want)
		}
	}
}
