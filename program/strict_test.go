package program_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// TestStrictMode checks that strict mode reads replies as LLM4AD's parser does (docs/fidelity.md,
// Replies). Every reply is also read in shared mode.
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
		{"another name", "{T}\ndef g(a, b):\n    return a\n",
			body, nil, "def f(a, b):\n    return a\n"},
		{"two spaces", "{T}\ndef f(a, b):\n  return a\n",
			"", program.ErrSyntax, "def f(a, b):\n  return a\n"},
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
		golden.Same(t, fmt.Sprintf("Extract(%q, Strict)", c.reply), want, got.Program.Source)
		shared, err := program.Extract(t.Context(), an, c.reply, target, program.Extraction{})
		_, refused := program.Refused(err)
		if refused != (c.shared == "") || err != nil && !refused {
			t.Errorf("Extract(%q, Shared) = %v", c.reply, err)
		}
		golden.Same(t, fmt.Sprintf("Extract(%q, Shared)", c.reply), c.shared, shared.Code)
	}
}

// TestThoughts checks which text becomes the idea, also after an analysis that the prompt
// requested.
func TestThoughts(t *testing.T) {
	an := programtest.Analyzer(t)
	const code, dict = "```python\ndef f(a, b):\n    return a\n```\n",
		"def f(a, b):\n    d = {1: 2}\n    return d[a]\n"
	const analysed, before = "'x'\n[y]\n", "'It is slow.'\n[It counts [twice] in {steps}.]\n"
	for _, c := range []struct {
		name, reply    string
		analysed       bool
		strict, shared string // no strict thought: the sample is lost
	}{
		{"one line", "{Idea.}\n" + dict, false, "{Idea.}", "{Idea.}"},
		{"boxed", "\\boxed{Idea.}\n" + dict, false, "{Idea.}", "{Idea.}"},
		{"two lines, and a dict later", "{An\nidea.}\n" + dict, false, "{1: 2}", "{An idea.}"},
		{"two groups", "{Idea.} {Twice.}\n" + dict, false, "{Idea.}", "{Idea.}"},
		{"analysed", before + "{Idea.}\n" + code, true, "{steps}", "{Idea.}"},
		{"analysed, two lines", analysed + "{An\nidea.}\n" + code, true, "", "{An idea.}"},
		{"analysed, doubled braces", analysed + "{{Idea.}}\n" + code, true, "{{Idea.}", "{Idea.}"},
		{"analysed, no braces but a dict", analysed + "Halve it at once.\n```python\n" + dict +
			"```\n", true, "{1: 2}", "{Halve it at once.}"},
		{"analysed, prose after the fence", before + "{Idea.}\n" + code + "\nThis is {fast}.\n",
			true, "{steps}", "{Idea.}"},
		{"analysed, brackets in the idea", analysed + "{Take a[0], not a[1].}\n" + code, true,
			"{Take a[0], not a[1].}", "{Take a[0], not a[1].}"},
	} {
		for mode, want := range map[program.Mode]string{
			program.Strict: c.strict, program.Shared: c.shared,
		} {
			x, err := program.Extract(t.Context(), an, c.reply, target,
				program.Extraction{Mode: mode, Analysed: c.analysed})
			if _, refused := program.Refused(err); refused != (want == "") || x.Thought != want {
				t.Errorf("%s, %s: %v, the thought is %q, want %q", c.name, mode, err, x.Thought,
					want)
			}
		}
	}
}
