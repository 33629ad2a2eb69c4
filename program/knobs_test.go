package program_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// TestKnobs checks which literals are knobs. A knob is identified by its spelling.
func TestKnobs(t *testing.T) {
	an := programtest.Analyzer(t)
	for source, want := range map[string]string{
		"x = 0.5 + a * 2.25":                         "0.5 2.25",
		"x = f(g(h(0.5)), [0.25, {0.75: 3.5}])":      "0.5 0.25 0.75 3.5",
		"x = -0.5 - -2.5":                            "0.5 2.5",
		"x = 1.5e3 + 1E-3 + 1_0.5 + .5 + 5.":         "1.5e3 1E-3 1_0.5 .5 5.",
		"x = a ** 0.5 + a ** 2":                      "0.5", // exponents count
		"x = 3 + 0x10 + True + 2.5j":                 "",
		"x = 0.0 + 1.0 + -1.0 + 1e0":                 "",
		"x = 1e-6 + 1e-9 + 2e-6 + 1e999":             "2e-6",
		"x = a[0.5] + a[1, 0.5] + f(0.25)[2.5:]":     "0.25",
		"def f(x=0.5, *, y=0.25): return x * 2.5":    "2.5",
		"f = lambda x=0.5: x * 2.5":                  "2.5",
		"@g(0.5)\ndef f():\n    return 2.5":          "2.5",
		"class C(g(0.5)):\n    x: h(0.5) = 2.5":      "2.5",
		"def f() -> g(0.5): return 2.5":              "2.5",
		"x = f(axis=0.5, k=0.5, n=0.5, weight=2.5)":  "2.5",
		"x = f(ndim=0.5, dtype=0.5, **{'k': 2.5})":   "2.5",
		"x = '0.5' 'y'\n'''0.5 in a docstring'''":    "",
		"x = f'{0.5 * y:0.5}' + str(2.5)":            "2.5",
		"x = '∞' if a else.5\ny = 0.25":              ".5 0.25",
		"def f():\n    '''0.5'''\n    return 0.25\r": "0.25",
		"if a > 0.5:\n    pass\nelif a > 0.25: b()":  "0.5 0.25",
		"x = [a * 0.5 for a in b if a < 2.5]":        "0.5 2.5",
		"x = " + strings.Repeat("0.5 + ", 41) + "y":  strings.TrimSpace(strings.Repeat("0.5 ", 40)),
	} {
		a := analyze(t, an, source+"\n")
		var got []string
		values := make([]float64, len(a.Knobs))
		for i, k := range a.Knobs {
			got = append(got, source[k.Start:k.End])
			values[i] = k.Value
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q has the knobs %q, want %q", source, s, want)
		}
		if same := program.Turn(source, a.Knobs, values); same != source {
			t.Errorf("%q becomes %q with its own values", source, same)
		}
		for i := range values {
			values[i] *= 1.1
		}
		other := analyze(t, an, program.Turn(source+"\n", a.Knobs, values))
		if !slices.EqualFunc(other.Knobs, values, func(k program.Knob, v float64) bool {
			return k.Value == v
		}) {
			t.Errorf("%q does not have the values that Turn wrote", source)
		}
	}
}

func TestTurn(t *testing.T) {
	source := "x = 0.5 + 3.0 # 0.5\ny = '∞' if x else.5\n"
	at := func(text string, from int) (k program.Knob) {
		k.Start = from + strings.Index(source[from:], text)
		k.End = k.Start + len(text)
		return k
	}
	knobs := []program.Knob{at("0.5", 0), at("3.0", 0), at(".5", strings.Index(source, "else"))}
	got := program.Turn(source, knobs, []float64{20, 1e-9, 1e22})
	if want := "x = 20.0 + 1e-09 # 0.5\ny = '∞' if x else 1e+22\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
