package eoh

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// half is a target whose right result for 8 is 4.
var half = program.Function{
	Name: "half", Params: []program.Param{{Name: "a", Annotation: "int"}}, Returns: "int",
	Doc: "Halve a number.\n\nArgs:\n    a: the number\n",
}

// The reply shapes of the table in the port's description, with each parser's result: what half(8)
// returns, "lost" for a reply without a program, or the exception.
var shapes = []struct {
	name           string
	reply          string
	strict, shared string
}{
	{"thought line, fenced code with an import",
		"{Halve it.}\n```python\nimport math\ndef half(a):\n    return math.floor(a / 2)\n```\n",
		"NameError", "4"},
	{"unfenced code, then prose",
		"{Halve it.}\ndef half(a):\n    return a // 2\nThis is fast because it uses integers.\n",
		"4", "4"},
	{"helper first", "{Halve it.}\ndef two(a):\n    return 2\n\ndef half(a):\n" +
		"    return a // two(a)\n", "2", "4"},
	{"helper second", "{Halve it.}\ndef half(a):\n    return a // two()\n\ndef two():\n" +
		"    return 2\n", "NameError", "4"},
	{"signature over several lines",
		"{Halve it.}\ndef half(\n    a: int,\n) -> int:\n    return a // 2\n", "lost", "4"},
	{"parameters renamed", "{Halve it.}\ndef half(number):\n    return number // 2\n",
		"NameError", "4"},
	{"indented by two spaces", "{Halve it.}\ndef half(a):\n  return a // 2\n", "lost", "4"},
	{"indented by eight spaces", "{Halve it.}\ndef half(a):\n        return a // 2\n", "lost", "4"},
	{"indented by a tab", "{Halve it.}\ndef half(a):\n\treturn a // 2\n", "lost", "4"},
	{"syntax error in the middle", "{Halve it.}\ndef half(a):\n    b = a // 2\n    return b b\n",
		"None", "lost"},
	{"syntax error in a fenced block", "{Halve it.}\n```python\ndef half(a):\n    b = a // 2\n" +
		"    return b b\n```\n", "None", "lost"},
	{"one line", "{Halve it.}\ndef half(a): return a // 2\n", "lost", "4"},
	{"no braces", "Halve it.\ndef half(a):\n    return a // 2\n", "lost", "4"},
	{"empty", "", "lost", "lost"},
	{"a docstring of its own", "{Halve it.}\ndef half(a):\n    \"\"\"Mine.\"\"\"\n" +
		"    # a comment\n    return a // 2\n", "4", "4"},
	{"another name", "{Halve it.}\ndef halve(a):\n    return a // 2\n", "4", "4"},
}

func TestParsers(t *testing.T) {
	an := programtest.Analyzer(t)
	sources := map[string]string{} // of programs, by "mode: name of the shape"
	for _, tt := range shapes {
		for _, mode := range []program.Mode{program.Strict, program.Shared} {
			x, err := program.Extract(t.Context(), an, tt.reply, half,
				program.Extraction{Mode: mode})
			if err == nil {
				sources[string(mode)+": "+tt.name] = x.Program.Source
			} else if _, refused := program.Refused(err); !refused {
				t.Fatal(err)
			}
		}
	}
	results := call(t, sources)
	for _, tt := range shapes {
		for mode, want := range map[program.Mode]string{
			program.Strict: tt.strict, program.Shared: tt.shared,
		} {
			key := string(mode) + ": " + tt.name
			got, ok := results[key]
			if !ok {
				got = "lost"
			}
			if got != want {
				t.Errorf("%s: half(8) = %s, want %s, of the program\n%s", key, got, want,
					sources[key])
			}
		}
	}
}

// call runs half(8) of each of the programs above in a plain interpreter, and returns the result or
// the exception.
func call(t *testing.T, sources map[string]string) map[string]string {
	t.Helper()
	const each = `
import json, sys
results = {}
for key, source in json.load(sys.stdin).items():
    program = {}
    try:
        exec(source, program)
        results[key] = str(program["half"](8))
    except Exception as e:
        results[key] = type(e).__name__
json.dump(results, sys.stdout)
`
	in, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", each)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var results map[string]string
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	return results
}

func TestThoughts(t *testing.T) {
	an := programtest.Analyzer(t)
	const code = "\ndef half(a):\n    d = {}\n    return a // 2\n"
	tests := []struct {
		name, before   string
		strict, shared string // "lost" without a program
	}{
		{"one line", "{Halve it.}", "{Halve it.}", "{Halve it.}"},
		{"boxed", `\boxed{Halve it.}`, "{Halve it.}", "{Halve it.}"},
		{"two lines, and a dict later", "{Halve\nit.}", "{}", "{Halve it.}"},
		{"two groups", "{Halve it.} {Twice.}", "{Halve it.}", "{Halve it.}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for parser, want := range map[program.Mode]string{
				program.Strict: tt.strict, program.Shared: tt.shared,
			} {
				x, err := program.Extract(t.Context(), an, tt.before+code, half,
					program.Extraction{Mode: parser})
				if err != nil || x.Thought != want {
					t.Errorf("%s: the thought of %q is %q, %v; want %q", parser, tt.before,
						x.Thought, err, want)
				}
			}
		})
	}
	lost := "{Halve\nit.}\ndef half(a):\n    return a // 2\n"
	if _, err := program.Extract(t.Context(), an, lost, half,
		program.Extraction{Mode: program.Strict}); err == nil {
		t.Error("strict: a thought over two lines is taken")
	}
}
