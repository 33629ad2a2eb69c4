package program_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

func TestCallSet(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct{ name, source, want string }{
		{"called by helpers that come later",
			"def f(x):\n return h(x)\ndef h(x):\n return g(x)\ndef g(x):\n return e(x)", "e"},
		{"helper handed on", "def h(x):\n return e(x)\ndef f(x):\n return list(map(h, x))", "e"},
		{"helper reached from dead code only",
			"def h(x):\n return e(x)\ndef f(x):\n return x\n h(x)", ""},
		{"helpers that call each other",
			"def g(x):\n return h(x)\ndef h(x):\n return g(e(x))\ndef f(x):\n return h(x)", "e"},
		{"helper that gives a function back",
			"def h():\n return e\ndef f(x):\n return h()(x)", "e"},
		{"method of a class",
			"class A:\n def go(self, x):\n  return e(x)\ndef f(x):\n return A().go(x)", "e"},
		{"class never used",
			"class A:\n def go(self, x):\n  return e(x)\ndef f(x):\n return x", ""},
		{"helper behind a condition",
			"if True:\n def h(x):\n  return e(x)\ndef f(x):\n return h(x)", "e"},
		{"at module level", "K = e(1)\ndef f(x):\n return K", ""},
		{"the given functions are in the program",
			"def e(x):\n return x\ndef f(x):\n return e(x)", "e"},
		{"the last definition counts", "def f(x):\n return d(x)\ndef f(x):\n return e(x)", "e"},
	} {
		set := program.CallSet(analyze(t, an, c.source), "f", []string{"e", "d"})
		if got := strings.Join(set, " "); got != c.want {
			t.Errorf("CallSet(%q) = %q, want %q", c.source, got, c.want)
		}
	}
}

// TestRebinds checks that a binding is found anywhere in a program. TestScopesAgainstSymtable
// covers the ways to bind a name in a function.
func TestRebinds(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct {
		name, source string
		want         bool
	}{
		{"called only", "def f(x):\n return e(x)", false},
		{"mentioned", "def f(x):\n y = e\n return x.e, 'e'", false},
		{"keyword of a call", "def f(x):\n return g(e=x)", false},
		{"function", "def e(x):\n return x\ndef f(x):\n return e(x)", true},
		{"class", "class e:\n pass\ndef f(x):\n return e(x)", true},
		{"module assignment", "e = 1\ndef f(x):\n return x", true},
		{"module import", "import numpy as e\ndef f(x):\n return x", true},
		{"nested twice",
			"def f(x):\n def g(y):\n  def e(z):\n   return z\n  return e(y)\n return g(x)", true},
		{"in dead code", "def f(x):\n return x\n e = 1", true},
		{"in a method", "class A:\n def go(self, e):\n  return e\ndef f(x):\n return x", true},
		{"in a conditional import",
			"try:\n import e\nexcept ImportError:\n pass\ndef f(x):\n return x", true},
	} {
		a := analyze(t, an, c.source)
		err := program.CheckRebinds(a, []string{"e", "unused"})
		if errors.Is(err, program.ErrRebound) != c.want ||
			c.want && !strings.Contains(err.Error(), "binds `e`,") {
			t.Errorf("CheckRebinds(%q) = %v", c.source, err)
		}
	}
}

func TestCheckTarget(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct {
		name, source string
		extra        bool
		want         string
	}{
		{"annotations and a default are free", "def f(a: float, b: int = 3) -> str:\n return a",
			false, ""},
		{"missing", "def g(a, b):\n return a", false, "the code does not define `f`"},
		{"twice", "def f(a, b):\n return a\ndef f(a, b):\n return b",
			false, "the code defines `f` 2 times, not once"},
		{"async", "async def f(a, b):\n return a",
			false, "`f` is defined with async def, not with def"},
		{"exchanged", "def f(b, a):\n return a", false, "`f` takes (b, a), not (a, b) as asked"},
		{"one more", "def f(a, b, c=1):\n return a",
			false, "`f` takes (a, b, c), not (a, b) as asked"},
		{"one more, allowed", "def f(a, b, c=1):\n return a", true, ""},
		{"one more, without default", "def f(a, b, c):\n return a",
			true, "`f` cannot be called with 2 positional arguments"},
		{"keyword only", "def f(a, *, b):\n return a",
			false, "`f` cannot be called with 2 positional arguments"},
		{"star arguments", "def f(*a, **b):\n return a",
			false, "`f` takes any number of arguments, not (a, b) as asked"},
		{"positional only", "def f(a, b, /):\n return a", false, ""},
	} {
		err := program.CheckTarget(analyze(t, an, c.source), target, c.extra)
		if got := message(err); got != c.want {
			t.Errorf("CheckTarget(%q) = %q, want %q", c.source, got, c.want)
		}
	}
}

func TestCallsContract(t *testing.T) {
	for _, c := range []struct {
		name     string
		contract program.Calls
		set      []string
		want     string
	}{
		{"exactly", program.Calls{Must: []string{"a", "b"}}, []string{"a", "b"}, ""},
		{"none", program.Calls{}, nil, ""},
		{"allowed", program.Calls{Must: []string{"a"}, May: []string{"b"}}, []string{"a", "b"}, ""},
		{"over the bound", program.Calls{May: []string{"a", "b"}, AtMost: 1}, []string{"a", "b"},
			"it calls `a`, `b`, more than 1 function of those given"},
		{"two breaches", program.Calls{Must: []string{"a"}}, []string{"b"}, "it must call `a`, " +
			"but no statement that can be reached does; it calls `b`, which it must not call"},
	} {
		if got := message(c.contract.Check(c.set)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCheckWraps(t *testing.T) {
	an := programtest.Analyzer(t)
	parent := ""
	cases(t, "testdata/wraps.txtar", func(t *testing.T, name, want, child string) {
		if name == "parent" {
			parent = child
			return
		}
		err := program.CheckWraps(analyze(t, an, parent), analyze(t, an, child), "f", "e")
		if got := err != nil; got != (want == "wraps") || got && !errors.Is(err, program.ErrWraps) {
			t.Errorf("CheckWraps(%q) = %v, want: it %s", child, err, want)
		}
	})
	// The change is in a helper, and the target is as before.
	parent = "def h(x):\n    return x\ndef f(a, b):\n    return h(a)\n"
	child := "def h(x):\n    e(x)\n    return x\ndef f(a, b):\n    return h(a)\n"
	if program.CheckWraps(analyze(t, an, parent), analyze(t, an, child), "f", "e") == nil {
		t.Errorf("CheckWraps accepts %q", child)
	}
}
