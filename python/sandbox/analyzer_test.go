//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/sandboxtest"
	"github.com/pacebench/pacebench/program"
)

func newAnalyzer(tb testing.TB, source string) *Analyzer {
	tb.Helper()
	a, err := openAnalyzer(context.Background(), Config{Python: testPython(tb)}, source)
	must.Do(tb, err)
	tb.Cleanup(func() {
		if err := a.Close(); err != nil {
			tb.Error(err)
		}
	})
	return a
}

// TestPathologicalSources: any text soon gets an analysis, and the analyser survives.
func TestPathologicalSources(t *testing.T) {
	a := newAnalyzer(t, program.AnalyzerSource())
	many := 1 // the long tier goes to the limit of a source's size
	if os.Getenv("PACEBENCH_LONG") != "" {
		many = 4
	}
	for _, c := range []struct {
		name, source string
		refused      bool
	}{
		{"nothing", "", false},
		{"null byte", "x = 1\x00", true},
		{"lone surrogate in UTF-8", "x = '\xed\xa0\x80'", true},
		{"lone surrogate in a literal",
			"x = '\\ud800'\ndef f():\n    \"\"\"\\udfff\"\"\"\n", false},
		{"a million parentheses", strings.Repeat("(", 500000) + strings.Repeat(")", 500000), true},
		{"minus signs", "x = " + strings.Repeat("-", 200000) + "1", true},
		{"lambdas", "x = " + strings.Repeat("lambda:", 30000) + "1", true},
		{"attributes", "x = a" + strings.Repeat(".b", 120000), true},
		{"f-strings", strings.Repeat("f'{", 50000), true},
		{"blocks", "if 1:\n" + sandboxtest.NestedBlocks(120), true},
		{"elifs", "if 1: pass\n" + strings.Repeat("elif 1: pass\n", 15000), true},
		{"many functions", manyFunctions(1000 * many), false},
		{"long line", "x = [" + strings.Repeat("1,", 30000*many) + "]", false},
		{"beyond the limit", strings.Repeat("#", analyzerSource+1), true},
		{"other characters", "ªµºÀ = 1\n℘ = 2\n", false},
		{"form feeds and carriage returns", "x = 1\f\r\ny = 2\r", false},
	} {
		got, err := a.Analyze(t.Context(), c.source)
		must.Do(t, err)
		if refused := got.Syntax != nil; refused != c.refused {
			t.Errorf("%s: refused: %v, want %v", c.name, refused, c.refused)
		}
		next, err := a.Analyze(t.Context(), "x = '"+c.name+"'")
		if err != nil || next.Syntax != nil {
			t.Errorf("%s: the next source: %+v, %v", c.name, next, err)
		}
	}
}

func manyFunctions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "def f%d(x):\n    return f%d(x)\n", i, (i+1)%n)
	}
	return b.String()
}

// worst is an analyser with the faults that the real one must not have.
const worst = `
import os, time
def analyze(source):
    if source == "crash":
        os._exit(1)
    if source == "loop":
        while True:
            pass
    if source == "memory":
        return ["x" * (1 << 34)]
    if source == "raise":
        raise ValueError("no")
    if source == "fork":
        return os.fork()
    return {"binds": [source]}
`

// answers reports whether an analysis is what the program worst answers for the source.
func answers(a program.Analysis, source string) bool {
	return slices.Equal(a.Binds, []string{source})
}

func TestBrokenAnalyser(t *testing.T) {
	a := newAnalyzer(t, worst)
	a.limits.CPU = time.Second
	for source, want := range map[string]string{
		"crash": "exited with status 1", "loop": "time limit", "memory": "MemoryError",
		"raise": "ValueError: no", "fork": "PermissionError",
	} {
		got, err := a.Analyze(t.Context(), source)
		if err != nil || got.Syntax == nil || !strings.Contains(got.Syntax.Message, want) {
			t.Errorf("%s: %+v, %v", source, got, err)
		}
		next, err := a.Analyze(t.Context(), source+" no more")
		if err != nil || !answers(next, source+" no more") {
			t.Errorf("after %s: %+v, %v", source, next, err)
		}
	}
	if got, err := newAnalyzer(t, "analyze = 3").Analyze(t.Context(), "x"); err == nil {
		t.Errorf("an invalid analyser: %+v", got)
	}
}

func TestAnalyzerOutlivesItsZygote(t *testing.T) {
	a := newAnalyzer(t, worst)
	a.limits.Wall, a.limits.CPU = time.Hour, time.Hour // "loop" ends when it is cancelled
	if _, err := a.Analyze(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	must.Do(t, unix.Kill(a.server.zygote.process.Pid, unix.SIGKILL))
	a.process.child.wait() // it dies with its zygote, a moment later
	if got, err := a.Analyze(t.Context(), "four"); err != nil || !answers(got, "four") {
		t.Fatalf("%+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	whenAsked(&Target{process: a.process}, cancel)
	if _, err := a.Analyze(ctx, "loop"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got, err := a.Analyze(t.Context(), "three"); err != nil || !answers(got, "three") {
		t.Errorf("after the cancelled one: %+v, %v", got, err)
	}
}
