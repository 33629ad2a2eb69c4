package program_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench/program/programtest"
)

func TestAnalyzerSeesCalls(t *testing.T) {
	an := programtest.Analyzer(t)
	for _, c := range []struct {
		name, source string
		want         []string
		why          string
	}{
		{"call by name", "def f(x):\n  return e(x)\n", []string{"e"}, ""},
		{"alias is a call", "def f():\n  g = e\n  return g(2)\n", []string{"e"}, "pace.md D8"},
		{"call after return is dead", "def f():\n  return 1\n  e(2)\n", nil, "unreachable code is no use of an EAP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := an.Analyze(t.Context(), c.source)
			if err != nil {
				t.Fatal(err)
			}
			f, ok := a.Func("f")
			if !ok {
				t.Fatalf("Analyze(%q) has no f: %+v", c.source, a)
			}
			if diff := cmp.Diff(c.want, f.Calls); diff != "" {
				t.Errorf("Calls(%q) mismatch (-want +got), %s:\n%s", c.source, c.why, diff)
			}
		})
	}
}
