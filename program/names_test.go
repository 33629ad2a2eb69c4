package program_test

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// TestMissing checks which names a program would not find. Names that may come from elsewhere are
// not reported.
func TestMissing(t *testing.T) {
	an := programtest.Analyzer(t)
	const calls = "def f(a, b):\n    return h(a)\n"
	for _, c := range []struct{ name, source, missing string }{
		{"a call", calls, "h"},
		{"given", "def f(a, b):\n    return eap(a)\n", ""},
		{"builtins", "def f(a, b):\n    return max(a, len(str(b)), __name__)\n", ""},
		{"what site adds", "def f(a, b):\n    exit()\n", ""},
		{"bound later in the module", calls + "h = len\n", ""},
		{"imported", "from x import y as h\nimport u.v\n" + calls + "w = u\n", ""},
		{"imported in another function", "def g():\n    import h\n" + calls, "h"},
		{"in a helper that is reached", "def h(x):\n    return y\n" + calls, "y"},
		{"in a helper that is not reached",
			"def g(x):\n    return y\ndef f(a, b):\n    return a\n", ""},
		{"in a helper handed on",
			"def g(x):\n    return y\ndef f(a, b):\n    return sorted(a, key=g)\n", "y"},
		{"comprehension in a class",
			"class C:\n    xs = [1]\n    ys = [x for x in xs]\ndef f(a, b):\n    return C()\n", ""},
		{"class body", "class C:\n    x = y\ndef f(a, b):\n    return C()\n", "y"},
		{"class variable from a method", "class C:\n    x = 1\n    def m(self):\n" +
			"        return x\ndef f(a, b):\n    return C().m()\n", "x"},
		{"__class__", "class C:\n    def m(self):\n" +
			"        return __class__, super(), __qualname__\ndef f(a, b):\n    return C()\n", ""},
		{"global bound in a function", "def g():\n    global h\n    h = len\n" + calls, ""},
		{"global only declared", "def f(a, b):\n    global h\n    return h\n", "h"},
		{"deleted", "h = len\ndel h\n" + calls, ""},
		{"NameError caught", "def f(a, b):\n    try:\n        return h(a)\n" +
			"    except NameError:\n        return a\n", ""},
		{"all caught",
			"def f(a, b):\n    try:\n        return h(a)\n    except:\n        return a\n", ""},
		{"one of several caught", "def f(a, b):\n    try:\n        return h(a)\n" +
			"    except (ValueError, Exception):\n        return a\n", ""},
		{"another error caught", "def f(a, b):\n    try:\n        return h(a)\n" +
			"    except ValueError:\n        return a\n", "h"},
		{"in the handler", "def f(a, b):\n    try:\n        return a\n    except NameError:\n" +
			"        return h\n", "h"},
		{"caught once, read twice", "def f(a, b):\n    try:\n        h(a)\n" +
			"    except NameError:\n        pass\n    return h(a)\n", "h"},
		{"unreachable", "def f(a, b):\n    return a\n    h(b)\n", ""},
		{"a star import", "from math import *\n" + calls, ""},
		{"a star import in a try",
			"try:\n    from math import *\nexcept ImportError:\n    pass\n" + calls, ""},
		{"exec", "exec('h = len')\n" + calls, ""},
		{"globals", "globals()['h'] = len\n" + calls, ""},
		{"annotation",
			"def f(a: List[int], b) -> 'Missing':\n    x: Unread = a\n    return x\n", "List"},
		{"annotations not evaluated",
			"from __future__ import annotations\ndef f(a: List[int], b):\n    return a\n", ""},
		{"default", "def f(a, b=K):\n    return a\n", "K"},
		{"decorator", "@njit\ndef f(a, b):\n    return a\n", "njit"},
		{"statement", "K = L + 1\ndef f(a, b):\n    return a\n", "L"},
		{"f-string", "def f(a, b):\n    return f'{x!r:>{y}}'\n", "x y"},
		{"mangled", "class C:\n    def m(self):\n        return __x\ndef f(a, b):\n" +
			"    return C().m()\n", ""},
	} {
		a := analyze(t, an, c.source)
		got := strings.Join(program.Missing(a, "f", []string{"eap"}), " ")
		if got != c.missing {
			t.Errorf("Missing(%q) = %q, want %q", c.source, got, c.missing)
		}
	}
}
