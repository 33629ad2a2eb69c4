package program_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// analyze returns the analysis of a source, which must be valid Python.
func analyze(t *testing.T, an program.Analyzer, source string) program.Analysis {
	t.Helper()
	a, err := an.Analyze(t.Context(), source)
	must.Do(t, err)
	if a.Syntax != nil {
		t.Fatalf("%q: line %d: %s", source, a.Syntax.Line, a.Syntax.Message)
	}
	return a
}

// function returns one function of a source, which must define it.
func function(t *testing.T, an program.Analyzer, source, name string) program.Func {
	t.Helper()
	f, ok := analyze(t, an, source).Func(name)
	if !ok {
		t.Fatalf("%q defines no %s", source, name)
	}
	return f
}

// cases runs a test on each case of a file. A case has a name, a wanted result, perhaps a remark,
// and a source.
func cases(t *testing.T, path string, test func(t *testing.T, name, want, source string)) {
	t.Helper()
	file, err := txtar.ParseFile(path)
	must.Do(t, err)
	for _, f := range file.Files {
		name, want, _ := strings.Cut(f.Name, "; ")
		want, _, _ = strings.Cut(want, "; ") // a remark follows
		t.Run(name, func(t *testing.T) { test(t, name, want, string(f.Data)) })
	}
}

// TestCallsReached checks which of the EAPs e and d and the helpers h and C the target f may call.
func TestCallsReached(t *testing.T) {
	an := programtest.Analyzer(t)
	known := strings.Fields("map list sorted sum functools np f ValueError None staticmethod")
	cases(t, "testdata/calls.txtar", func(t *testing.T, _, want, source string) {
		got := slices.DeleteFunc(function(t, an, source, "f").Calls,
			func(name string) bool { return slices.Contains(known, name) })
		golden.Same(t, source, want, strings.Join(got, " "))
	})
}

// TestLiterals checks the JSON values of assigned literals.
func TestLiterals(t *testing.T) {
	an := programtest.Analyzer(t)
	nested := strings.Repeat("[", 90) + strings.Repeat("]", 90)
	for value, want := range map[string]string{
		"1": "1", "0.0": "0", "-1_0.5": "-10.5", "+2e-1": "0.2", "True": "true",
		"''": `""`, "'a' 'b'": `"ab"`, "0x10": "16",
		"(1, [2, 'x'], (), None)": `[1,[2,"x"],[],null]`, "{}": "[]",
		"{'b': (0, 1), 'a': {1: 2}, 'b': 3}": "[[\"b\",3],[\"a\",[[1,2]]]]",
		"{'a': 1, 'b': f(), c: 1, **d, 2: 3, 'e': 1e999, 'f': {3}, 'g': [1j], 'h': b'x', " +
			"'i': (0, 1)[0]}": `[["a",1]]`,
		"None": "", "...": "", "1e999": "", "f()": "", "[f()]": "", "1 + 2j": "", "{1}": "",
		"{[]: 1}": "[]", "(1, float('inf'))": "", "lambda: 1": "",
		"1" + strings.Repeat("0", 400): "", "0x1" + strings.Repeat("0", 4000): "",
		"'" + strings.Repeat("x", 16<<10) + "'": "",
		nested:                                  nested,
	} {
		for _, source := range []string{"x = " + value, "x: object = " + value} {
			a := analyze(t, an, source+"\n")
			got := string(a.Statements[0].Literal)
			if got == "0.0" {
				got = "0"
			}
			if got != want && strings.ReplaceAll(got, " ", "") != want {
				t.Errorf("Literal(%.80q) = %.200s, want %.200s", source, got, want)
			}
		}
	}
	a := analyze(t, an, "x: int\nx += 1\n{'a': 1}\n")
	hasLiteral := func(s program.Statement) bool { return s.Literal != nil }
	if slices.ContainsFunc(a.Statements, hasLiteral) {
		t.Errorf("%+v", a.Statements)
	}
}

// TestDefaults checks the positions of defaults, for parameters of all kinds.
func TestDefaults(t *testing.T) {
	an := programtest.Analyzer(t)
	const source = "def f(a, b: 'x = 3' = max(1, 2), /, " +
		"*c, d, é='é', g=(lambda x, y: 1), **h): pass\n"
	f := function(t, an, source, "f")
	var got []string
	for i, span := range f.Defaults {
		got = append(got, f.Params[i]+"="+source[span[0]:span[1]])
	}
	want := []string{"a=", "b=max(1, 2)", "c=", "d=", "é='é'", "g=lambda x, y: 1", "h="}
	golden.Same(t, "Defaults", want, got)
	if f := function(t, an, "def f(a, *, b): pass\n", "f"); f.Defaults != nil {
		t.Errorf("Defaults = %v, want nil", f.Defaults)
	}
}
