package program_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

func TestCallSet(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct{ name, source, want string }{
		{"called by the target", "def f(x):\n return e(x)", "e"},
		{"called by a helper", "def h(x):\n return e(x)\ndef f(x):\n return h(x)", "e"},
		{"called by a helper's helper",
			"def g(x):\n return e(x)\ndef h(x):\n return g(x)\ndef f(x):\n return h(x)", "e"},
		{"helper handed on", "def h(x):\n return e(x)\ndef f(x):\n return list(map(h, x))", "e"},
		{"helper never reached", "def h(x):\n return e(x)\ndef f(x):\n return x", ""},
		{"helper reached from dead code only",
			"def h(x):\n return e(x)\ndef f(x):\n return x\n h(x)", ""},
		{"helpers that call each other",
			"def g(x):\n return h(x)\ndef h(x):\n return g(e(x))\ndef f(x):\n return h(x)", "e"},
		{"helper that gives a function back",
			"def h():\n return e\ndef f(x):\n return h()(x)", "e"},
		{"helper that gives a closure back",
			"def h():\n def k(x):\n  return e(x)\n return k\ndef f(x):\n return h()(x)", "e"},
		{"method of a class",
			"class A:\n def go(self, x):\n  return e(x)\ndef f(x):\n return A().go(x)", "e"},
		{"class method", "class A:\n @staticmethod\n def go(x):\n  return e(x)\ndef f(x):\n" +
			" return A.go(x)", "e"},
		{"class never used",
			"class A:\n def go(self, x):\n  return e(x)\ndef f(x):\n return x", ""},
		{"helper behind a condition",
			"if True:\n def h(x):\n  return e(x)\ndef f(x):\n return h(x)", "e"},
		{"at module level", "K = e(1)\ndef f(x):\n return K", ""},
		{"several", "def f(x):\n return e(d(x)) + other(x)", "d e"},
		{"the given functions are in the program",
			"def e(x):\n return x\ndef f(x):\n return e(x)", "e"},
		{"the last definition counts", "def f(x):\n return d(x)\ndef f(x):\n return e(x)", "e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := program.CallSet(analyze(t, an, c.source), "f", []string{"e", "d"})
			got := strings.Join(set, " ")
			if got != c.want {
				t.Errorf("CallSet(%q) = %q, want %q", c.source, got, c.want)
			}
		})
	}
}

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
		{"nested function", "def f(x):\n def e(y):\n  return y\n return e(x)", true},
		{"nested twice",
			"def f(x):\n def g(y):\n  def e(z):\n   return z\n  return e(y)\n return g(x)", true},
		{"assignment", "def f(x):\n e = 1\n return x", true},
		{"annotated assignment", "def f(x):\n e: int = 1\n return x", true},
		{"augmented assignment", "def f(x):\n global e\n e += 1\n return x", true},
		{"walrus", "def f(x):\n return (e := x)", true},
		{"unpacking", "def f(x):\n (a, [*e]) = x\n return a", true},
		{"parameter", "def f(x, e):\n return x", true},
		{"star parameter", "def f(*e, **k):\n return k", true},
		{"lambda parameter", "def f(x):\n return lambda e: e", true},
		{"import", "def f(x):\n import e.g\n return x", true},
		{"import from", "def f(x):\n from m import y as e\n return x", true},
		{"loop variable", "def f(x):\n for e in x:\n  pass\n return x", true},
		{"comprehension variable", "def f(x):\n return [e for e in x]", true},
		{"with", "def f(x):\n with x as e:\n  return x", true},
		{"except", "def f(x):\n try:\n  x()\n except ValueError as e:\n  pass", true},
		{"match", "def f(x):\n match x:\n  case {'a': 1, **e}:\n   return x", true},
		{"global", "def f(x):\n global e\n return e(x)", true},
		{"nonlocal", "def f(x):\n e = 1\n def g():\n  nonlocal e\n return g", true},
		{"del", "def f(x):\n del e", true},
		{"in dead code", "def f(x):\n return x\n e = 1", true},
		{"in a method", "class A:\n def go(self, e):\n  return e\ndef f(x):\n return x", true},
		{"in a conditional import",
			"try:\n import e\nexcept ImportError:\n pass\ndef f(x):\n return x", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := analyze(t, an, c.source)
			err := program.CheckRebinds(a, []string{"e", "unused"})
			if errors.Is(err, program.ErrRebound) != c.want ||
				c.want && !strings.Contains(err.Error(), "binds `e`,") {
				t.Errorf("CheckRebinds(%q) = %v", c.source, err)
			}
		})
	}
}

func TestCheckTarget(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct {
		name, source string
		extra        bool
		want         string
	}{
		{"as asked", "def f(a, b):\n return a", false, ""},
		{"annotations and a default are free", "def f(a: float, b: int = 3) -> str:\n return a",
			false, ""},
		{"missing", "def g(a, b):\n return a", false, "the code does not define `f`"},
		{"twice", "def f(a, b):\n return a\ndef f(a, b):\n return b",
			false, "the code defines `f` 2 times, not once"},
		{"async", "async def f(a, b):\n return a",
			false, "`f` is defined with async def, not with def"},
		{"renamed", "def f(a, c):\n return a", false, "`f` takes (a, c), not (a, b) as asked"},
		{"exchanged", "def f(b, a):\n return a", false, "`f` takes (b, a), not (a, b) as asked"},
		{"one less", "def f(a):\n return a", false, "`f` takes (a), not (a, b) as asked"},
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
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if err := program.CheckTarget(analyze(t, an, c.source), target, c.extra); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("CheckTarget(%q) = %q, want %q", c.source, got, c.want)
			}
		})
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
		{"lacks one", program.Calls{Must: []string{"a", "b"}}, []string{"b"},
			"it must call `a`, but no statement that can be reached does"},
		{"one too many", program.Calls{Must: []string{"a"}}, []string{"a", "b"},
			"it calls `b`, which it must not call"},
		{"allowed", program.Calls{Must: []string{"a"}, May: []string{"b"}}, []string{"a", "b"}, ""},
		{"over the bound", program.Calls{May: []string{"a", "b"}, AtMost: 1}, []string{"a", "b"},
			"it calls `a`, `b`, more than 1 function of those given"},
		{"two breaches", program.Calls{Must: []string{"a"}}, []string{"b"}, "it must call `a`, " +
			"but no statement that can be reached does; it calls `b`, which it must not call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if err := c.contract.Check(c.set); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%+v.Check(%q) = %q, want %q", c.contract, c.set, got, c.want)
			}
		})
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
	t.Run("in an unchanged helper", func(t *testing.T) {
		parent := "def h(x):\n    return x\ndef f(a, b):\n    return h(a)\n"
		child := "def h(x):\n    e(x)\n    return x\ndef f(a, b):\n    return h(a)\n"
		if program.CheckWraps(analyze(t, an, parent), analyze(t, an, child), "f", "e") == nil {
			t.Errorf("CheckWraps(%q) accepts", child)
		}
	})
}

// Neither the order of functions in a module nor a helper in between changes a call set.
func TestCallSetIsOrderFree(t *testing.T) {
	an := programtest.Analyzer(t)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(rt, "helpers")
		calls := make([][]int, n+1) // i calls only what comes later, n is the EAP
		for i := range n {
			later := rapid.IntRange(i+1, n)
			calls[i] = rapid.SliceOfDistinct(later, func(v int) int { return v }).Draw(rt, "calls")
		}
		name := func(i int) string {
			switch i {
			case 0:
				return "f"
			case n:
				return "e"
			}
			return "h" + string(rune('0'+i))
		}
		reach := make([]bool, n+1)
		reach[0] = true
		defs := make([]string, n)
		for i := range n {
			defs[i] = "def " + name(i) + "(x):\n    y = 0\n"
			for _, to := range calls[i] {
				defs[i] += "    y += " + name(to) + "(x)\n"
				reach[to] = reach[to] || reach[i]
			}
			defs[i] += "    return y\n"
		}
		source := strings.Join(rapid.Permutation(defs).Draw(rt, "order"), "\n")
		a, err := an.Analyze(t.Context(), source)
		if err != nil || a.Syntax != nil {
			rt.Fatalf("%v %v\n%s", err, a.Syntax, source)
		}
		var want []string
		if reach[n] {
			want = []string{"e"}
		}
		if diff := cmp.Diff(want, program.CallSet(a, "f", []string{"e"})); diff != "" {
			rt.Fatalf("CallSet mismatch (-want +got):\n%s\n%s", diff, source)
		}
	})
}
