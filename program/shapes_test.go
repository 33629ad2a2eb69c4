package program_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// A shape is a reply with its expected program. testdata/shapes.txt describes the fields.
type shape struct {
	name, reply               string
	thought, without, refused string
}

func readShapes(tb testing.TB) []shape {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "shapes.txt"))
	must.Do(tb, err)
	var shapes []shape
	for _, section := range strings.Split("\n"+string(text), "\n==== ")[1:] {
		head, reply, ok := strings.Cut(section, "\n----\n")
		if !ok {
			tb.Fatalf("shapes.txt: %.40q has no reply", section)
		}
		lines := strings.Split(head, "\n")
		s := shape{name: lines[0], reply: reply}
		for _, line := range lines[1:] {
			switch key, value, _ := strings.Cut(line, ": "); key {
			case "thought":
				s.thought = value
			case "without":
				s.without = value
			case "refused":
				s.refused = value
			case "escaped":
				if s.reply, err = strconv.Unquote(`"` + reply + `"`); err != nil {
					tb.Fatal(s.name, err)
				}
			default:
				tb.Fatalf("shapes.txt: %s: %q", s.name, line)
			}
		}
		shapes = append(shapes, s)
	}
	return shapes
}

var shapeOptions = program.Extraction{
	Imports: []string{"import math"},
	Modules: []string{"functools", "itertools", "math", "operator", "random", "typing"},
}

// TestShapes checks that the intended program of every shape is found in few analyses and returns
// 35, both as it runs and as prompts show it.
func TestShapes(t *testing.T) {
	counted := &counting{programtest.Analyzer(t), 0}
	shapes := readShapes(t)
	if len(shapes) < 60 {
		t.Errorf("%d shapes, want at least 60", len(shapes))
	}
	var sources, names []string
	for i, s := range shapes {
		counted.calls = 0
		x, err := program.Extract(t.Context(), counted, s.reply, target, shapeOptions)
		if i == 0 && counted.calls != 2 || counted.calls > 12 { // the first has the requested shape
			t.Errorf("%s: %d analyses", s.name, counted.calls)
		}
		if got := message(err); got != s.refused {
			t.Errorf("%s: refused with %q, want %q", s.name, got, s.refused)
		}
		if err != nil {
			continue
		}
		if diff := cmp.Diff(analyze(t, counted, x.Program.Source), x.Analysis); diff != "" {
			t.Errorf("%s: the analysis is not of the whole program (-want +got):\n%s", s.name, diff)
		}
		if x.Thought != s.thought {
			t.Errorf("%s: the thought is %q, want %q", s.name, x.Thought, s.thought)
		}
		if s.without != "" && strings.Contains(x.Code, s.without) {
			t.Errorf("%s: the code still contains %q:\n%s", s.name, s.without, x.Code)
		}
		names = append(names, s.name)
		again := program.Assemble(shapeOptions.Imports, nil, x.Code)
		sources = append(sources, x.Program.Source, again.Source)
	}
	for i, got := range results(t, sources) {
		if got != "35" {
			t.Errorf("%s: f(3, 5) = %s, want 35:\n%s", names[i/2], got, sources[i])
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// results runs f(3, 5) of each source in a plain interpreter, because testdata contains the code.
func results(t *testing.T, sources []string) []string {
	t.Helper()
	const run = `
import json, sys
def result(source):
    space = {"__name__": "candidate"}
    try:
        exec(compile(source, "candidate", "exec"), space)
        return repr(space["f"](3, 5))
    except BaseException as error:
        return repr(error)
json.dump([result(s) for s in json.load(sys.stdin)], sys.stdout)
`
	in, err := json.Marshal(sources)
	must.Do(t, err)
	cmd := exec.CommandContext(t.Context(), "python3", "-c", run)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := cmd.Output()
	must.Do(t, err)
	var got []string
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(sources) {
		t.Fatalf("%s: %v", out, err)
	}
	return got
}

// TestExtractIsBounded checks that a reply that is made to keep the analyser busy costs a bounded
// number of analyses.
func TestExtractIsBounded(t *testing.T) {
	counted := &counting{programtest.Analyzer(t), 0}
	for _, reply := range []string{
		strings.Repeat("def f(a, b):\n    return a\n\n) nonsense (\n", 500),
		strings.Repeat("```\ndef g(\n```\n", 500),
		"```python\n" + strings.Repeat("def f(a, b):\n  ) (\n", 500),
	} {
		counted.calls = 0
		_, err := program.Extract(t.Context(), counted, reply, target, program.Extraction{})
		if _, ok := program.Refused(err); err != nil && !ok {
			t.Error(err)
		}
		if counted.calls > 35 {
			t.Errorf("Extract(%.40q...) called the analyser %d times", reply, counted.calls)
		}
	}
}

// TestModulesAreEnforced checks that Extract refuses a forbidden import at any depth with a kind of
// its own, and always allows the imports of the preface.
func TestModulesAreEnforced(t *testing.T) {
	an := programtest.Analyzer(t)
	opts := program.Extraction{Imports: []string{"import numpy as np"}, Modules: []string{"math"}}
	const body = "def f(a, b):\n    return a\n"
	for source, want := range map[string]error{
		"import math, cmath\n" + body:                                    program.ErrModule,
		"import math\nimport numpy.linalg\n" + body:                      nil,
		"from __future__ import annotations\n" + body:                    nil,
		"from os import path\n" + body:                                   program.ErrModule,
		"from .os import path\n" + body:                                  program.ErrModule,
		"class C:\n    import sys\n" + body:                              program.ErrModule,
		"def f(a, b):\n    def g():\n        import sys\n    return a\n": program.ErrModule,
		"try:\n    import sys as k\nexcept ImportError:\n    k = 1\n" +
			"def f(a, b):\n    return k\n": program.ErrModule,
		"def f(a, b):\n    return __import__('sys')\n": nil, // the sandbox prevents it
		body + "import sys\nsys.exit()\n":              nil, // an example of use
		body + "import sys\nf.__defaults__ = sys\n":    program.ErrModule,
	} {
		reply := "{I}\n```python\n" + source + "```"
		_, err := program.Extract(t.Context(), an, reply, target, opts)
		if !errors.Is(err, want) {
			t.Errorf("Extract(%q) = %v, want %v", source, err, want)
		}
	}
	opts.Mode = program.Strict // reads only the body of the function
	reply := "{I}\ndef f(a, b):\n    def g():\n        import sys\n    return a\n"
	if _, err := program.Extract(t.Context(), an, reply, target, opts); !errors.Is(
		err, program.ErrModule) {
		t.Errorf("Extract(%q, Strict) = %v", reply, err)
	}
}

// TestCopiesOfGivenFunctions checks that a copy of a given function is removed, and that another
// function of that name stays, which the method refuses.
func TestCopiesOfGivenFunctions(t *testing.T) {
	an := programtest.Analyzer(t)
	const gap = "def gap(x, k=2):\n    y = x * k\n    return y - 1\n\n"
	given := strings.Replace(gap, ":\n", ":\n    \"\"\"Return the gap.\"\"\"\n", 1)
	opts := program.Extraction{Given: []program.Given{{Name: "gap", Source: given}}}
	const body = "def f(a, b):\n    return gap(a)\n"
	for _, c := range []struct {
		name, copy string
		taken      bool
	}{
		{"verbatim", given, true},
		{"reformatted", "def gap(x: float, k: int = 2) -> float:\n    # as given\n" +
			"    y = (x*k)\n\n    return y-1\n\n", true},
		{"another local name", strings.ReplaceAll(gap, "y", "z"), true},
		{"another default", strings.Replace(gap, "k=2", "k=3", 1), false},
		{"another constant", strings.Replace(gap, "- 1", "- 2", 1), false},
		{"another parameter", strings.ReplaceAll(gap, "x", "z"), false},
		{"a decorator", "@cached\n" + gap, false},
	} {
		for _, reply := range []string{
			"```python\n" + c.copy + body + "```",
			"```python\n" + c.copy + "```\nand\n```python\n" + body + "```",
		} {
			x, err := program.Extract(t.Context(), an, reply, target, opts)
			must.Do(t, err)
			apart := strings.Count(reply, "```") > 2 // then the copy is ignored: gap is given
			if got := !strings.Contains(x.Program.Source, "def gap"); got != (c.taken || apart) {
				t.Errorf("%s: removed: %v, want %v:\n%s", c.name, got, c.taken, x.Program.Source)
			}
		}
	}
}
