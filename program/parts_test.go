package program_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

const divided = `import numpy as np

def bonus(x):
    return x * 2.0

def unused(x):
    return x + x

def f(x, n):
    """A docstring is no part."""
    if n > 1:
        x = x - n
    else:
        x = -x
    y = np.sum(x)
    for i in range(n):
        x += min(i, n)
    while False:
        x = n
    return x + bonus(n) / n
    x = 1
`

func partsOf(t *testing.T, source string, most int) program.Parts {
	t.Helper()
	p, err := programtest.Analyzer(t).(program.Parter).Parts(t.Context(), source, "f", most)
	must.Do(t, err)
	return p
}

// TestParts lists the parts of a program, each with the line that its knock-out changes.
func TestParts(t *testing.T) {
	p := partsOf(t, divided, 60)
	var got []string
	for _, part := range p.Parts {
		after := strings.Split(program.Edited(divided, part.Ways[0]), "\n")
		for i, line := range strings.Split(divided, "\n") {
			if after[i] != line {
				got = append(got, fmt.Sprintf("%d %s %s: %s",
					part.Line, part.Kind, part.Name, strings.TrimSpace(after[i])))
				break
			}
		}
	}
	want := []string{
		"4 factor : return (2.0)",
		"11 branch : if (False):",
		"11 branch : if (True):",
		"12 assignment : pass",
		"12 term : x = (-(n))",
		"12 term : x = (x)",
		"14 assignment : pass",
		"15 statement : pass",
		"16 loop : for i in (()):",
		"17 assignment : pass",
		"17 argument : x += (n)",
		"17 argument : x += (i)",
		"20 term : return (bonus(n) / n)",
		"20 term bonus: return (x)",
		"20 factor bonus: return x + (1 / (n))",
		"20 factor : return x + (bonus(n))",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p.Statements != 12 || len(p.Unreachable) != 3 || p.Left != 0 {
		t.Errorf("%d statements, unreachable %v, %d left", p.Statements, p.Unreachable, p.Left)
	}
	if few := partsOf(t, divided, 3); len(few.Parts) != 3 || few.Left != len(p.Parts)-3 {
		t.Errorf("%d parts, %d left", len(few.Parts), few.Left)
	}
}

// TestPartsOfOddSources checks that every source has an answer.
func TestPartsOfOddSources(t *testing.T) {
	for _, source := range []string{
		"", "def f(:", "x = 1", "def g(): pass",
		"def f(*a, **k):\n    return [b for b in a if b + 1], f'{a + a}', {**k}, lambda x: x + a",
		"def f(é):\n    try:\n        ü = é + é\n    except (A, B) as e:\n        raise\n" +
			"    finally:\n        del ü\n    with é as z, z + z: yield (yield)\n" +
			"    é.x = é[1:2] = 3",
		"def f(x):\n    return " + strings.Repeat("x + ", 100) + "x",
	} {
		for _, part := range partsOf(t, source, 60).Parts {
			for _, way := range part.Ways {
				if !way.Fits(source) {
					t.Errorf("%q: %+v", source, way)
				}
			}
		}
	}
	deep := "def f(x):\n    return " + strings.Repeat("(", 190) + "x" + strings.Repeat("+1)", 190)
	if n := len(partsOf(t, deep, 60).Parts); n > 60 {
		t.Errorf("%d parts", n)
	}
}

func TestEdited(t *testing.T) {
	got := program.Edited("a + b * c", program.Edit{Start: 0, End: 1, Text: "x"},
		program.Edit{Start: 8, End: 9, Text: "1"}, program.Edit{Start: 4, End: 9, Text: "long"})
	if got != "x + long" {
		t.Errorf("%q", got)
	}
}
