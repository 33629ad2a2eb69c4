package program_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
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

// A reply is accepted with one thought and one code, or refused with one kind.
func TestExtract(t *testing.T) {
	an := programtest.Analyzer(t)
	const code = "def f(a, b):\n    return a\n"
	for _, c := range []struct {
		name, reply   string
		thought, code string
		refusal       error
	}{
		{"fenced", "{Idea.}\n```python\n" + code + "```\n", "{Idea.}", code, nil},
		{"fenced with tildes", "{Idea.}\n~~~py\n" + code + "~~~", "{Idea.}", code, nil},
		{"fenced without language", "{Idea.}\n```\n" + code + "```", "{Idea.}", code, nil},
		{"fence of four", "{Idea.}\n````python\n" + code + "````", "{Idea.}", code, nil},
		{"fence never closed", "{Idea.}\n```python\n" + code, "{Idea.}", code, nil},
		{"fence never closed, prose after",
			"{Idea.}\n```python\n" + code + "\nThis is the function.\n", "{Idea.}", code, nil},
		{"indented fence", "1. {Idea.}\n\n   ```python\n   def f(a, b):\n       return a\n   ```\n",
			"{Idea.}", code, nil},
		{"indented code in a fence", "{Idea.}\n```\n    def f(a, b):\n        return a\n```\n",
			"{Idea.}", code, nil},
		{"unfenced", "{Idea.}\n\n" + code, "{Idea.}", code, nil},
		{"unfenced, prose after", "{Idea.}\n" + code + "\nIt's simple: a wins.\nDone.\n",
			"{Idea.}", code, nil},
		{"unfenced, one word after", "{Idea.}\n" + code + "\nDone\n", "{Idea.}", code, nil},
		{"unfenced, words that look like code before", "{Idea.}\nfrom the parents we take a\n" +
			"define it so\nimport what matters\n" + code, "{Idea.}", code, nil},
		{"unfenced, an import that is prose", "{Idea.}\nimport numpy\nis needed here:\n" + code,
			"{Idea.}", code, nil},
		{"CRLF", strings.ReplaceAll("{Idea.}\n```python\n"+code+"```\n", "\n", "\r\n"),
			"{Idea.}", code, nil},
		{"CR", strings.ReplaceAll("{Idea.}\n```python\n"+code+"```\n", "\n", "\r"),
			"{Idea.}", code, nil},
		{"byte order mark", "\uFEFF" + code, "", code, nil},
		{"byte order mark before the thought", "\uFEFF{Idea.}\n" + code, "{Idea.}", code, nil},
		{"two-space indentation", "{Idea.}\ndef f(a, b):\n  return a\n",
			"{Idea.}", "def f(a, b):\n  return a\n", nil},
		{"tabs", "{Idea.}\ndef f(a, b):\n\treturn a\n",
			"{Idea.}", "def f(a, b):\n\treturn a\n", nil},
		{"one line", "{Idea.}\ndef f(a, b): return a\n", "{Idea.}", "def f(a, b): return a\n", nil},
		{"signature over several lines", "{Idea.}\ndef f(\n    a,\n    b,\n):\n    return a\n",
			"{Idea.}", "def f(\n    a,\n    b,\n):\n    return a\n", nil},
		{"not Latin",
			"{Идея — {x}.}\n```python\ndef f(a, b):\n    \"\"\"Ü.\"\"\"\n    return 'é' and a\n```",
			"{Идея — {x}.}", "def f(a, b):\n    return 'é' and a\n", nil},

		{"import kept", "{Idea.}\n```python\nimport math\n" + code + "```", "{Idea.}",
			"import math\n" + code, nil},
		{"preface not repeated", "{Idea.}\n```python\nimport  numpy as np  # arrays\n" +
			"import math\n\n" + code + "```", "{Idea.}", "import math\n\n" + code, nil},
		{"preface in a line with another", "{Idea.}\n```python\nimport numpy as np; import math\n" +
			code + "```", "{Idea.}", "import math\n" + code, nil},
		{"import from the future", "{Idea.}\n```python\nfrom __future__ import annotations\n" +
			code + "```", "{Idea.}", "from __future__ import annotations\n" + code, nil},
		{"helper first",
			"{Idea.}\n```python\ndef h(x):\n    return x\n\ndef f(a, b):\n    return h(a)\n```",
			"{Idea.}", "def h(x):\n    return x\n\ndef f(a, b):\n    return h(a)\n", nil},
		{"helper second",
			"{Idea.}\n```python\ndef f(a, b):\n    return h(a)\n\ndef h(x):\n    return x\n```",
			"{Idea.}", "def f(a, b):\n    return h(a)\n\ndef h(x):\n    return x\n", nil},
		{"a class kept", "{Idea.}\n```python\nclass A:\n    pass\n\n" + code + "```", "{Idea.}",
			"class A:\n    pass\n\n" + code, nil},
		{"decorated", "{Idea.}\n@deco\n" + code, "{Idea.}", "@deco\n" + code, nil},
		{"async", "{Idea.}\nasync def f(a, b):\n    return a\n",
			"{Idea.}", "async def f(a, b):\n    return a\n", nil},
		{"a constant after the function, unfenced", "{Idea.}\ndef f(a, b):\n    return K\nK = 3\n",
			"{Idea.}", "def f(a, b):\n    return K\nK = 3\n", nil},

		{"docstring not shown", "{Idea.}\ndef f(a, b):\n    \"\"\"Mine.\n\n    More.\n" +
			"    \"\"\"\n\n    # why\n    return a\n",
			"{Idea.}", "def f(a, b):\n\n    # why\n    return a\n", nil},
		{"docstring and statement in a line", "{Idea.}\ndef f(a, b): 'Mine.'; return a\n",
			"{Idea.}", "def f(a, b): return a\n", nil},
		{"only a docstring", "{Idea.}\ndef f(a, b):\n    'Mine.'\n",
			"{Idea.}", "def f(a, b):\n    pass\n", nil},
		{"docstring of a helper stays", "{Idea.}\ndef h(x):\n    'Help.'\n    return x\n" +
			"def f(a, b):\n    'Mine.'\n    return h(a)\n", "{Idea.}",
			"def h(x):\n    'Help.'\n    return x\ndef f(a, b):\n    return h(a)\n", nil},
		{"fences in a docstring", "{Idea.}\n```python\ndef f(a, b):\n    \"\"\"Mine.\n\n    ```\n" +
			"    f(1, 2)\n    ```\n    \"\"\"\n    return a\n```\n", "{Idea.}", code, nil},

		{"another name", "{Idea.}\ndef g(a, b):\n    return a\n", "{Idea.}", code, nil},
		{"another name, recursive", "{Idea.}\ndef g(a, b):\n    return g(a - 1, b) if a else 'g'\n",
			"{Idea.}", "def f(a, b):\n    return f(a - 1, b) if a else 'g'\n", nil},
		{"another name, a local of that name", "{Idea.}\ndef g(a, b):\n    def k(g):\n" +
			"        return g.g\n    return k(a), g\n", "{Idea.}",
			"def f(a, b):\n    def k(g):\n        return g.g\n    return k(a), f\n", nil},
		{"version suffix",
			"{Idea.}\ndef h(x):\n    return x\ndef f_v2(a, b):\n    return h(f_v2)\n",
			"{Idea.}", "def h(x):\n    return x\ndef f(a, b):\n    return h(f)\n", nil},
		{"two other names", "{Idea.}\ndef g(a, b):\n    return a\ndef h(a, b):\n    return b\n",
			"", "", program.ErrNoTarget},
		{"the name is a variable", "{Idea.}\ndef g(a, b):\n    return a\nf = g\n",
			"", "", program.ErrNoTarget},

		{"second block has the target", "{Idea.}\n```python\ndef h(x):\n    return x\n```\nand\n" +
			"```python\n" + code + "```", "{Idea.}", code, nil},
		{"last of two blocks with the target",
			"{Idea.}\n```python\n" + code + "```\nor\n```python\ndef f(a, b):\n    return b\n```",
			"{Idea.}", "def f(a, b):\n    return b\n", nil},
		{"first block is broken", "{Idea.}\n```python\ndef f(a, b):\n    return (\n```\n" +
			"corrected:\n```python\n" + code + "```", "{Idea.}", code, nil},
		{"blocks of other languages", "{Idea.}\n```json\n{\"a\": 1}\n```\n```text\nf(1, 2)\n```\n" +
			"```python\n" + code + "```", "{Idea.}", code, nil},
		{"usage in a fence, code outside",
			"{Idea.}\n" + code + "\nUse it:\n```python\nf(1, 2)\n```", "{Idea.}", code, nil},
		{"block opened before the other is closed",
			"{Idea.}\n```\nsketch\n```python\n" + code + "```", "{Idea.}", code, nil},

		{"thought over two lines", "{An\n  idea.}\n" + code, "{An idea.}", code, nil},
		{"thought after the code", code + "\n{Idea.}\n", "{Idea.}", code, nil},
		{"thought in the docstring", "def f(a, b):\n    \"\"\"{Idea.}\"\"\"\n    return a\n",
			"{Idea.}", code, nil},
		{"thought in LaTeX", "\\boxed{a b}\n" + code, "{a b}", code, nil},
		{"thought in doubled braces", "{{Idea.}}\n" + code, "{Idea.}", code, nil},
		{"empty thought, then another", "{}\n{Idea.}\n" + code, "{Idea.}", code, nil},
		{"only an empty thought", "{ }\n" + code, "", code, nil},
		{"a dict is the only group", "def f(a, b):\n    return {a: b}\n",
			"", "def f(a, b):\n    return {a: b}\n", nil},
		{"no thought", "```python\n" + code + "```", "", code, nil},

		{"empty reply", "", "", "", program.ErrNoCode},
		{"prose alone", "{Idea.} I cannot help with that.", "", "", program.ErrNoCode},
		{"body alone", "{Idea.}\n```python\n    return a\n```", "", "", program.ErrNoCode},
		{"a class with the method", "{Idea.}\n```python\nclass A:\n    def f(self, a, b):\n" +
			"        return a\n```", "", "", program.ErrNoTarget},
		{"syntax error in the fence", "{Idea.}\n```python\ndef f(a, b):\n    return (\n```",
			"", "", program.ErrSyntax},
		{"return outside a function", "{Idea.}\n```python\n" + code + "return 1\n```",
			"", "", program.ErrSyntax},
		{"NUL", "{Idea.}\n```python\ndef f(a, b):\n    return '\x00'\n```",
			"", "", program.ErrSyntax},
		{"invalid UTF-8", "{Idea.}\n```python\ndef f(a, b):\n    return \xff\n```",
			"", "", program.ErrSyntax},
		{"huge", strings.Repeat("x", 300<<10), "", "", program.ErrNoCode},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := program.Extract(t.Context(), an, c.reply, target,
				program.Extraction{Imports: []string{"import numpy as np"}})
			if !errors.Is(err, c.refusal) {
				t.Fatalf("Extract(%q) = %v, want refusal %v", c.reply, err, c.refusal)
			}
			want := []string{c.thought, c.code}
			golden.Same(t, fmt.Sprintf("Extract(%q)", c.reply),
				want, []string{got.Thought, got.Code})
		})
	}
}

// A reply made to keep the analyser busy costs a bounded number of calls.
func TestExtractIsBounded(t *testing.T) {
	counted := &counting{programtest.Analyzer(t), 0}
	reply := strings.Repeat("def f(a, b):\n    return a\n\n) nonsense (\n", 500)
	for _, reply := range []string{
		reply,
		strings.Repeat("```\ndef g(\n```\n", 500),
		"```python\n" + strings.Repeat("def f(a, b):\n  ) (\n", 500),
	} {
		counted.calls = 0
		_, err := program.Extract(t.Context(), counted, reply, target, program.Extraction{})
		if _, ok := program.Refused(err); err != nil && !ok {
			t.Error(err)
		}
		if counted.calls > 35 {
			t.Errorf("Extract(%.40q...) asked the analyser %d times", reply, counted.calls)
		}
	}
}

type counting struct {
	program.Analyzer
	calls int
}

func (c *counting) Analyze(ctx context.Context, source string) (program.Analysis, error) {
	c.calls++
	return c.Analyzer.Analyze(ctx, source)
}

// The analysis that comes with a program covers its complete source.
func TestExtractedAnalysis(t *testing.T) {
	an := programtest.Analyzer(t)
	const reply = "{Idea.}\n```python\nimport math\n\ndef f(a, b):\n    return np.sum(e(a))\n```"
	got, err := program.Extract(t.Context(), an, reply, target,
		program.Extraction{Imports: []string{"import numpy as np"}})
	must.Do(t, err)
	if diff := cmp.Diff(analyze(t, an, got.Program.Source), got.Analysis); diff != "" {
		t.Errorf("Analysis mismatch (-of the program +got):\n%s", diff)
	}
	want := "import numpy as np\n\n\nimport math\n\ndef f(a, b):\n    return np.sum(e(a))\n"
	golden.Same(t, "Program", want, got.Program.Source)
}

// Literal reads the literal at the beginning of a text, with any text after it.
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
