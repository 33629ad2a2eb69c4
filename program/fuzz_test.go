package program_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// replies are seeds for the fuzzers: shapes of answers, and pieces of them.
var replies = []string{
	"",
	"{Idea.}\n```python\nimport math\ndef f(a, b):\n    \"\"\"Doc.\"\"\"\n    return a\n```\nprose",
	"{Idea\nover lines}\r\n~~~\r\ndef g(a, b):\r\n\treturn g(a, b)\r\n~~~",
	"{a}def f(a, b): 'doc'; return {a: b}\nDone\n",
	"```\nx = 1\n```\nfrom x import y\nclass A: pass\n@d\nasync def f_v2(a, b):\n    pass",
	"```python\n    def f(a, b):\n        '''```\n        ```'''\n```\n",
	"{{\\boxed{x}}}\ndef h(x): return x\n" +
		"def f(a, b):\n    \"é\"\n\n    # c\n    return '''\n``` '''\n",
	"{i}\nfrom __future__ import annotations\nimport numpy as np; import numpy as np\n" +
		"def f(a, b): return '\\x00'\n",
	"\uFEFF{i}\n1. x\n   ```py\n   def f(a, b):\n     return a\n",
	"{i}\n@d(\n1)\ndef f(a,\n b): \\\n  return a #}",
}

// FuzzExtract checks that no reply causes a panic, and that an accepted program parses, defines the
// target and is extracted unchanged from a fenced block with its source.
func FuzzExtract(f *testing.F) {
	an := programtest.Analyzer(f)
	for _, r := range replies {
		f.Add(r, false)
		f.Add(r, true)
	}
	for _, s := range readShapes(f) {
		f.Add(s.reply, false)
	}
	opts := program.Extraction{
		Imports: []string{"import numpy as np"},
		Modules: []string{"functools", "itertools", "math", "operator", "random", "typing", "x"},
		Given:   []program.Given{{Name: "h", Source: "def h(x):\n    return x\n"}},
	}
	f.Fuzz(func(t *testing.T, reply string, strict bool) {
		opts := opts
		if strict {
			opts.Mode = program.Strict
		}
		got, err := program.Extract(t.Context(), an, reply, target, opts)
		if err != nil {
			r, ok := program.Refused(err)
			if !ok || r.Kind == "" || strings.Contains(r.Reason, "\n") {
				t.Fatalf("Extract(%q) = %v", reply, err)
			}
			return
		}
		never := "\n\t"
		if strict {
			never = "\n" // strict mode keeps the text of one line unchanged
		}
		th := got.Thought
		if th != "" && (th[0] != '{' || th[len(th)-1] != '}' || strings.ContainsAny(th, never)) {
			t.Fatalf("Extract(%q) gives the thought %q", reply, th)
		}
		for _, source := range []string{got.Program.Source, got.Code} {
			if fn, ok := analyze(t, an, source).Func(target.Name); !ok || fn.Name != target.Name {
				t.Fatalf("Extract(%q) accepted a program without %s:\n%s",
					reply, target.Name, source)
			}
		}
		opts.Mode = program.Shared
		again, err := program.Extract(t.Context(), an, render(got.Program.Source), target, opts)
		if err != nil {
			t.Fatalf("Extract(%q), rendered and extracted again: %v\n%s",
				reply, err, got.Program.Source)
		}
		if diff := cmp.Diff(got.Program, again.Program); diff != "" {
			t.Fatalf("Extract(%q), rendered and extracted again, mismatch (-first +again):\n%s",
				reply, diff)
		}
	})
}

// render fences a program with a fence longer than any in it.
func render(source string) string {
	fence := "```"
	for strings.Contains(source, fence) {
		fence += "`"
	}
	return fence + "python\n" + source + fence + "\n"
}

func FuzzExtractFunctions(f *testing.F) {
	an := programtest.Analyzer(f)
	for _, r := range replies {
		f.Add(r)
	}
	for _, s := range readShapes(f) {
		f.Add(s.reply)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		defs, err := program.ExtractFunctions(t.Context(), an, reply)
		if err != nil {
			if _, ok := program.Refused(err); !ok {
				t.Fatalf("ExtractFunctions(%q) = %v", reply, err)
			}
			return
		}
		for _, d := range defs {
			a := analyze(t, an, d.Source)
			if len(a.Functions) != 1 || a.Functions[0].Name != d.Name ||
				a.Functions[0].Fingerprint != d.Func.Fingerprint {
				t.Fatalf("ExtractFunctions(%q): %q is not one function %s", reply, d.Source, d.Name)
			}
		}
	})
}

// FuzzAnalyze checks that the analyser answers for any source, and that its offsets are in the
// source, between characters.
func FuzzAnalyze(f *testing.F) {
	an := programtest.Analyzer(f)
	for _, r := range replies {
		f.Add(r)
	}
	module := must.Read(f, filepath.Join("testdata", "module.txt"))
	f.Add(string(module))
	f.Fuzz(func(t *testing.T, source string) {
		source = strings.ToValidUTF8(source, "?")
		a, err := an.Analyze(t.Context(), source)
		if err != nil {
			t.Fatalf("Analyze(%q) = %v", source, err)
		}
		for _, fn := range a.Functions {
			at := []int{0, fn.Start, fn.BodyStart, fn.End, len(source)}
			if fn.DocEnd > 0 {
				at = []int{0, fn.Start, fn.DocStart, fn.DocEnd, fn.BodyStart, fn.End, len(source)}
			}
			for i, offset := range at {
				if i > 0 && offset < at[i-1] ||
					offset < len(source) && !utf8.RuneStart(source[offset]) {
					t.Fatalf("Analyze(%q): offsets %v of %s", source, at, fn.Name)
				}
			}
			for _, r := range fn.Refs {
				if !strings.HasPrefix(source[r:], fn.Name) {
					t.Fatalf("Analyze(%q): %s is not at %d", source, fn.Name, r)
				}
			}
		}
	})
}
