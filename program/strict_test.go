package program_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// The table of eoh.md, section 6.2: how LLM4AD's parser reads replies. Every case is read in shared
// mode too; all but the last hold a program.
func TestStrictMode(t *testing.T) {
	an := programtest.Analyzer(t)
	const body = "    return a\n"
	for _, c := range []struct {
		name, reply string
		strict      string // the body under the template's header; empty: the sample is lost
		refusal     error
		shared      string // Code in shared mode; empty: refused
	}{
		{"fenced with an import",
			"{T}\n```python\nimport math\ndef f(a, b):\n    return math.pi\n```\n",
			"    return math.pi\n", nil, "import math\ndef f(a, b):\n    return math.pi\n"},
		{"unfenced code, then prose", "{T}\ndef f(a, b):\n    return a\nIt returns a, of course.\n",
			body, nil, "def f(a, b):\n    return a\n"},
		{"helper first, target second",
			"{T}\n```\ndef h(x):\n    return x\n\ndef f(a, b):\n    return h(a)\n```",
			"    return x\n", nil, "def h(x):\n    return x\n\ndef f(a, b):\n    return h(a)\n"},
		{"target first, helper second",
			"{T}\n```\ndef f(a, b):\n    return h(a)\n\ndef h(x):\n    return x\n```",
			"    return h(a)\n", nil, "def f(a, b):\n    return h(a)\n\ndef h(x):\n    return x\n"},
		{"signature over several lines",
			"{T}\ndef f(\n        a: int,\n        b\n) -> int:\n    return a\n",
			"", program.ErrNoCode, "def f(\n        a: int,\n        b\n) -> int:\n    return a\n"},
		{"parameters renamed", "{T}\ndef f(x, y):\n    return x\n",
			"    return x\n", nil, "def f(x, y):\n    return x\n"},
		{"two spaces", "{T}\ndef f(a, b):\n  return a\n",
			"", program.ErrSyntax, "def f(a, b):\n  return a\n"},
		{"eight spaces", "{T}\ndef f(a, b):\n        return a\n",
			"", program.ErrSyntax, "def f(a, b):\n        return a\n"},
		{"tabs", "{T}\ndef f(a, b):\n\treturn a\n",
			"", program.ErrSyntax, "def f(a, b):\n\treturn a\n"},
		{"syntax error in the body", "{T}\n```\ndef f(a, b):\n    c = a\n    return (c\n```",
			"    c = a\n", nil, ""},
		{"one line", "{T}\ndef f(a, b): return a\n",
			"", program.ErrNoCode, "def f(a, b): return a\n"},
		{"own docstring and the comments after it",
			"{T}\ndef f(a, b):\n    '''Mine.'''\n    # gone\n    return a  # kept\n",
			"    return a\n", nil, "def f(a, b):\n    # gone\n    return a  # kept\n"},
		{"prose that begins with define", "{T}\ndefine it so:\ndef f(a, b):\n    return a\n",
			"", program.ErrNoCode, "def f(a, b):\n    return a\n"},
		{"thought over two lines, a literal later", "{T\nU}\ndef f(a, b):\n    return {a}\n",
			"    return {a}\n", nil, "def f(a, b):\n    return {a}\n"},
		{"no braces", "def f(a, b):\n    return a\n",
			"", program.ErrNoThought, "def f(a, b):\n    return a\n"},
		{"empty", "", "", program.ErrNoThought, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := ""
			if c.strict != "" {
				want = "def f(a: int, b) -> int:\n    \"\"\"Does it.\n    \n" +
					"    Returns:\n        a number\n    \"\"\"\n" + c.strict
			}
			got, err := program.Extract(
				t.Context(), an, c.reply, target, program.Extraction{Mode: program.Strict})
			if !errors.Is(err, c.refusal) {
				t.Errorf("Extract(%q, Strict) = %v, want refusal %v", c.reply, err, c.refusal)
			}
			if diff := cmp.Diff(want, got.Program.Source); diff != "" {
				t.Errorf("Extract(%q, Strict) mismatch (-want +got):\n%s", c.reply, diff)
			}
			shared, err := program.Extract(t.Context(), an, c.reply, target, program.Extraction{})
			_, refused := program.Refused(err)
			if refused != (c.shared == "") || err != nil && !refused {
				t.Errorf("Extract(%q, Shared) = %v", c.reply, err)
			}
			if diff := cmp.Diff(c.shared, shared.Code); diff != "" {
				t.Errorf("Extract(%q, Shared) mismatch (-want +got):\n%s", c.reply, diff)
			}
		})
	}
}
