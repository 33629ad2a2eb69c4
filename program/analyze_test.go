package program_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// analyze returns the analysis of a source, which must be valid Python.
func analyze(t *testing.T, an program.Analyzer, source string) program.Analysis {
	t.Helper()
	a, err := an.Analyze(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
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

// The EAPs e, d and the helpers h, C that a target f reaches as calls, with the sources one line
// per case.
func TestCallsReached(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct{ name, source, want, why string }{
		{"by name", "def f(x):\n return e(x)", "e", ""},
		{"in an argument of another call", "def f(x):\n return d(e(x))", "d e", ""},
		{"in a nested expression", "def f(x):\n return x[e(x) + 1:, {2: -d(x)}[0]]", "d e", ""},
		{"in an f-string", "def f(x):\n return f'{e(x):{d(x)}}'", "d e", "it is code, not text"},
		{"in a with statement and a raise", "def f(x):\n with e(x) as y:\n  raise d(x)", "d e", ""},
		{"in the condition of a while", "def f(x):\n while e(x):\n  x += 1", "e", ""},
		{"awaited", "async def f(x):\n return await e(x)", "e", ""},

		{"alias", "def f():\n g = e\n return g(2)", "e", "D8 of docs/fidelity.md"},
		{"chain of aliases", "def f():\n g = e\n k = g\n return k(2)", "e", ""},
		{"chain in reverse order of lines", "def f(x):\n for i in x:\n  k = g if i else None\n" +
			"  g = e\n return k(2)", "e", "flow is not followed"},
		{"unpacked aliases", "def f():\n g, k = e, d\n return k(2)", "d", "only k is called"},
		{"starred unpacking", "def f():\n g, *k = [e, d]\n return k[0](2)",
			"d e", "any element may be in k"},
		{"walrus alias", "def f(x):\n return (g := e)(x)", "e", ""},
		{"walrus alias called later", "def f(x):\n if (g := e):\n  return g(x)", "e", ""},
		{"annotated alias", "def f(x):\n g: object = e\n return g(x)", "e", ""},
		{"loop over functions", "def f(x):\n for g in (e, d):\n  x = g(x)\n return x", "d e", ""},
		{"dispatch table", "def f(x):\n t = {'a': e, 'b': d}\n return t['a'](x)",
			"d e", "which key is not followed"},
		{"dispatch by get", "def f(x):\n t = {'a': e}\n return t.get('a')(x)", "e", ""},
		{"loop over items of a table",
			"def f(x):\n for k, g in {'a': e}.items():\n  x = g(x)\n return x", "e", ""},
		{"stored in a list", "def f(x):\n t = [None]\n t[0] = e\n return t[0](x)", "e", ""},
		{"stored in an attribute", "def f(x):\n f.g = e\n return f.g(x)", "e", ""},
		{"comprehension over functions", "def f(x):\n return [g(x) for g in (e, d)]", "d e", ""},
		{"alias at module level", "g = e\ndef f(x):\n return g(x)", "e g", ""},
		{"lambda at module level", "g = lambda x: e(x)\ndef f(x):\n return g(x)", "e g", ""},
		{"bound method call", "def f(x):\n return e.__call__(x)", "e", ""},

		{"handed to map", "def f(xs):\n return list(map(e, xs))", "e", "D8 of docs/fidelity.md"},
		{"partial", "import functools\ndef f(xs):\n return functools.partial(e, 1)", "e", ""},
		{"keyword argument", "def f(xs):\n return sorted(xs, key=e)", "e", ""},
		{"in a list handed on", "def f(x):\n return g([e, d], x)", "d e g", ""},
		{"in a table handed on", "def f(x):\n return g(t={'a': e})", "e g", ""},
		{"starred argument", "def f(x):\n return g(*[e], **{'k': d})", "d e g", ""},
		{"handed to a method",
			"import numpy as np\ndef f(x):\n return np.apply_along_axis(e, 0, x)", "e", ""},
		{"conditional expression", "def f(x):\n return (e if x else d)(x)", "d e", ""},
		{"or", "def f(x):\n return (None or e)(x)", "e", ""},
		{"decorator", "@e\ndef f(x):\n return x", "e", ""},
		{"decorator of a nested function", "def f(x):\n @e\n def g(y):\n  return d(y)\n return x",
			"d e", "the decorator gets g"},
		{"default value", "def f(x, g=e):\n return g(x)", "e", ""},
		{"default value computed", "def f(x, y=e(1)):\n return x", "e", ""},
		{"default value never called", "def f(x, g=e):\n return x", "", ""},
		{"default of a nested function", "def f(x):\n def k(y, g=e):\n  return g(y)\n return k(x)",
			"e", ""},

		{"comprehension", "def f(xs):\n return [e(x) for x in xs if d(x)]", "d e", ""},
		{"set and dict comprehensions",
			"def f(xs):\n return {e(x) for x in xs}, {x: d(x) for x in xs}", "d e", ""},
		{"generator", "def f(xs):\n return sum(e(x) for x in xs)", "e", ""},
		{"lambda called", "def f(x):\n return (lambda y: e(y))(x)", "e", ""},
		{"lambda handed on", "def f(xs):\n return sorted(xs, key=lambda y: e(y))", "e", ""},
		{"lambda named and called", "def f(x):\n g = lambda y: e(y)\n return g(x)", "e", ""},
		{"lambda never called", "def f(x):\n g = lambda y: e(y)\n return x", "", ""},
		{"nested function called", "def f(x):\n def g(y):\n  return e(y)\n return g(x)", "e", ""},
		{"nested function never called", "def f(x):\n def g(y):\n  return e(y)\n return x", "", ""},
		{"nested functions in a chain", "def f(x):\n def g(y):\n  return e(y)\n def k(y):\n" +
			"  return g(y)\n return k(x)", "e", ""},
		{"nested function that only itself calls",
			"def f(x):\n def g(y):\n  e(y)\n  return g(y - 1)\n return x", "", ""},
		{"nested function handed on",
			"def f(xs):\n def g(y):\n  return e(y)\n return list(map(g, xs))", "e", ""},
		{"nested function that returns a function",
			"def f(x):\n def g():\n  return e\n return g()(x)", "e", ""},
		{"closure", "def f(x):\n def g():\n  def k(y):\n   return e(y)\n  return k\n return g()(x)",
			"e", ""},
		{"method of a nested class",
			"def f(x):\n class A:\n  def go(self, y):\n   return e(y)\n return A().go(x)", "e", ""},
		{"static method of a nested class", "def f(x):\n class A:\n  @staticmethod\n" +
			"  def go(y):\n   return e(y)\n return A.go(x)", "e", ""},
		{"nested class never used",
			"def f(x):\n class A:\n  def go(self, y):\n   return e(y)\n return x", "", ""},

		{"after return", "def f():\n return 1\n e(2)", "", "dead code calls nothing"},
		{"after raise", "def f():\n raise ValueError\n e(2)", "", ""},
		{"after continue and break", "def f(xs):\n for x in xs:\n  continue\n  e(x)\n" +
			" for x in xs:\n  break\n  d(x)", "", ""},
		{"after an if that returns either way",
			"def f(x):\n if x:\n  return 1\n else:\n  return 2\n e(x)", "", ""},
		{"after an if that may continue", "def f(x):\n if x:\n  return 1\n e(x)", "e", ""},
		{"after while True", "def f(x):\n while True:\n  x += 1\n e(x)", "", ""},
		{"after while True with a break", "def f(x):\n while True:\n  if x:\n   break\n e(x)",
			"e", ""},
		{"after while True with an inner loop's break",
			"def f(x):\n while 1:\n  for y in x:\n   break\n e(x)", "", ""},
		{"after try that returns every way",
			"def f(x):\n try:\n  return 1\n except ValueError:\n  return 2\n e(x)", "", ""},
		{"after try that may go on",
			"def f(x):\n try:\n  return 1\n except ValueError:\n  pass\n e(x)", "e", ""},
		{"in except, else and finally",
			"def f(x):\n try:\n  x()\n except ValueError:\n  e(x)\n finally:\n  d(x)", "d e", ""},
		{"if False", "def f(x):\n if False:\n  e(x)\n if 0:\n  e(x)\n if None:\n  e(x)\n if '':\n" +
			"  e(x)\n if ():\n  e(x)\n if not 1:\n  e(x)", "", ""},
		{"else of if True", "def f(x):\n if True:\n  d(x)\n else:\n  e(x)", "d", ""},
		{"elif after if True", "def f(x):\n if 1:\n  d(x)\n elif x:\n  e(x)", "d", ""},
		{"if True and if x", "def f(x):\n if True:\n  e(x)\n if x and False:\n  d(x)", "e", ""},
		{"while False", "def f(x):\n while False:\n  e(x)", "", ""},
		{"a false comparison", "def f(x):\n if 1 > 2:\n  e(x)\n if 0 == 0:\n  d(x)", "d", ""},
		{"after a false operand", "def f(x):\n return False and e(x) or d(x)", "d", ""},
		{"after a true operand", "def f(x):\n return True or e(x)", "", ""},
		{"in a dead branch of an expression", "def f(x):\n return d(x) if True else e(x)", "d", ""},
		{"loop over nothing",
			"def f(x):\n for y in ():\n  e(y)\n return [d(y) for y in []]", "", ""},
		{"alias made in dead code", "def f(x):\n g = d\n if False:\n  g = e\n return g(x)",
			"d", ""},
		{"nested function defined in dead code",
			"def f(x):\n if 0:\n  def g(y):\n   return e(y)\n  g(x)\n return x", "", ""},

		{"bare mention", "def f(x):\n e\n return x", "", "a mention is no call"},
		{"bare alias", "def f(x):\n g = e\n return x", "", ""},
		{"bare list", "def f(x):\n g = [e, d]\n return x", "", ""},
		{"compared", "def f(x):\n return x == e", "", ""},
		{"given back", "def f(x):\n return e", "", "callers of f may call it; f does not"},
		{"attribute of the same name", "import numpy as np\ndef f(x):\n return np.e(x)", "", ""},
		{"string", "def f(x):\n return 'e(x)'", "", ""},
		{"comment", "def f(x):\n # e(x)\n return x", "", ""},
		{"docstring", "def f(x):\n 'e(x)'\n return x", "", ""},
		{"annotation", "def f(x: e(1)):\n return x", "", ""},
		{"deleted", "def f(x):\n e = 1\n del e\n return e(x)", "", "e is a local name"},

		{"parameter of the same name", "def f(x, e):\n return e(x)",
			"", "the name is bound in the scope"},
		{"local of the same name", "def f(x):\n e = len\n return e(x)", "len", ""},
		{"nested function of the same name", "def f(x):\n def e(y):\n  return d(y)\n return e(x)",
			"d", ""},
		{"loop variable of the same name", "def f(x):\n for e in x:\n  e(x)", "", ""},
		{"import of the same name", "def f(x):\n from math import e\n return e(x)", "", ""},
		{"comprehension variable of the same name", "def f(x):\n return [e(1) for e in x], e(2)",
			"e", "outside of the comprehension it is the global"},
		{"walrus in a comprehension binds outside",
			"def f(x):\n [e := y for y in x]\n return e(1)", "", ""},
		{"lambda parameter of the same name", "def f(x):\n return map(lambda e: e(1), x)", "", ""},
		{"class attribute is not seen from methods", "def f(x):\n class A:\n  e = 1\n" +
			"  def go(self):\n   return e(x)\n return A().go()", "e", "Python skips class scopes"},
		{"global declaration", "def f(x):\n global e\n e = d\n return e(x)", "d e", ""},
		{"nonlocal", "def f(x):\n g = None\n def k():\n  nonlocal g\n  g = e\n k()\n return g(x)",
			"e", ""},
		{"except handler of the same name",
			"def f(x):\n try:\n  x()\n except ValueError as e:\n  e(1)", "", ""},
		{"pattern of the same name",
			"def f(x):\n match x:\n  case [e, *rest] if d(rest):\n   return e(1)", "d", ""},
		{"self-reference does not loop",
			"def f(x):\n x = x.next\n y = x\n x = y\n return x(1)", "", ""},
		{"mutually defined aliases", "def f(x):\n a = b\n b = a\n b = e\n return a(1)", "e", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, name := range function(t, an, c.source, "f").Calls {
				switch name {
				case "map", "list", "sorted", "sum", "functools", "np", "f", "ValueError", "None",
					"staticmethod":
				default:
					got = append(got, name)
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("Calls(%q) mismatch (-want +got) %s\n%s", c.source, c.why, diff)
			}
		})
	}
}

// The values of assigned literals, for JSON.
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

// The positions of defaults, for parameters of all kinds.
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Defaults mismatch (-want +got):\n%s", diff)
	}
	if f := function(t, an, "def f(a, *, b): pass\n", "f"); f.Defaults != nil {
		t.Errorf("Defaults = %v without any", f.Defaults)
	}
}
