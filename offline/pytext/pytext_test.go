package pytext

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
)

func TestLex(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"names, numbers and operators", "a1 = 1.5e-3*b", []string{"a1", "=", "1.5e-3", "*", "b"}},
		{"long operators first", "a **= b // c", []string{"a", "**=", "b", "//", "c"}},
		{"strings with prefixes", `f"{x}" + rb'a\'b'`, []string{`f"{x}"`, "+", `rb'a\'b'`}},
		{"triple quotes span lines", "\"\"\"a\n'b\"\"\"\nc",
			[]string{"\"\"\"a\n'b\"\"\"", "\n", "c"}},
		{"comments end with the line", "a # b = c\nd", []string{"a", "# b = c", "\n", "d"}},
		{"no newline inside brackets", "f(a,\n  b)\n",
			[]string{"f", "(", "a", ",", "b", ")", "\n"}},
		{"an unterminated string ends with its line", "'abc\nd", []string{"'abc", "\n", "d"}},
		{"numbers begin with a dot", "x[.5:]", []string{"x", "[", ".5", ":", "]"}},
	} {
		var got []string
		for _, token := range Lex(tt.src) {
			got = append(got, token.Text(tt.src))
		}
		golden.Same(t, tt.name, tt.want, got)
	}
}

func FuzzLex(f *testing.F) {
	for _, s := range []string{
		"a = {1: 2}\n", "f'{a!r:>{w}}'", "\"\"\"", "x = (1,\n", "\\\n", "1_0.e+5j",
		"\x00\xff", "a\\",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		at := 0
		for _, token := range Lex(src) {
			if token.Start < at || token.End <= token.Start || token.End > len(src) ||
				token.Depth < 0 {
				t.Fatalf("token %+v after offset %d of %q", token, at, src)
			}
			at = token.End
		}
		// Renaming nothing changes nothing, and the statements contain every line that is not
		// blank.
		if got := Rename(src, map[string]string{"\x00": "b"}); got != src {
			t.Errorf("Rename(%q) = %q", src, got)
		}
		var all strings.Builder
		for _, s := range Statements(src) {
			all.WriteString(s.Text + "\n")
		}
		drop := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if drop(all.String()) != drop(src) {
			t.Errorf("statements of %q hold %q", src, all.String())
		}
	})
}

func TestStatements(t *testing.T) {
	body := `# the start
a, b = 1, 2
for i, c in enumerate(d):  # over all
    e[i] = c + k
    # inside
    if c: f += 1
else:
    g = 0
h: int = lambda x: x
with o() as p:
    pass
q = [r for r in s if r(t=1).u]`
	type line struct {
		Binds, Reads string
	}
	var got []line
	for _, s := range Statements(body) {
		got = append(got, line{strings.Join(s.Binds, " "), strings.Join(s.Reads, " ")})
	}
	want := []line{
		{"a b", ""}, {"c e f g i", "c d e enumerate f i k"}, {"h int", "x"}, {"p", "o"},
		{"q", "r s"},
	}
	golden.Same(t, "statements", want, got)
}

func TestSplitAndJoin(t *testing.T) {
	for _, tt := range []struct {
		name, expr string
		product    bool
		want       []Part
	}{
		{"a sum", "a - 0.5 * b + c[-1]", false,
			[]Part{{"+", "a"}, {"-", "0.5 * b"}, {"+", "c[-1]"}}},
		{"brackets around all of it", "(\n    a\n    - b\n)", false,
			[]Part{{"+", "a"}, {"-", "b"}}},
		{"a sign in front", "-a ** -b + c", false, []Part{{"-", "a ** -b"}, {"+", "c"}}},
		{"a condition is one part", "a if b else c + d", false,
			[]Part{{"+", "(a if b else c + d)"}}},
		{"a comparison is one part", "a + b < c", false, []Part{{"+", "(a + b < c)"}}},
		{"a product", "a ** 2 * (b + c) / d", true,
			[]Part{{"*", "a ** 2"}, {"*", "(b + c)"}, {"/", "d"}}},
		{"a sum is one factor", "a + b * c", true, []Part{{"*", "(a + b * c)"}}},
		{"exponents keep their sign", "1e-5 + a", false, []Part{{"+", "1e-5"}, {"+", "a"}}},
	} {
		got := Split(tt.expr, tt.product)
		golden.Same(t, tt.name, tt.want, got)
		golden.Same(t, tt.name+", joined", got, Split(Join(got, tt.product), tt.product))
	}
}

func TestReadFunction(t *testing.T) {
	src := `def f(a, b: dict[str, int] = {1: 2}, *args: int, c=(1, 2)) -> ` +
		`tuple[int, str]:  # does it
    """Do it."""
    if a:
        return b
    return c`
	got, ok := ReadFunction(src)
	want := Function{
		Name: "f", Header: src[:strings.Index(src, "  #")], Returns: "tuple[int, str]",
		Doc: "Do it.",
		Params: []Param{
			{"a", "", ""}, {"b", "dict[str, int]", "{1: 2}"}, {"args", "int", ""},
			{"c", "", "(1, 2)"},
		},
		Body: Statements("if a:\n    return b\nreturn c"), Source: src,
	}
	if golden.Same(t, "function", want, got); !ok {
		t.Errorf("ReadFunction(%q) finds none", src)
	}
	for _, bad := range []string{
		"", "def", "def f", "def f(a", "def f(a)", "def f(a)\n:", "x = 1",
	} {
		if f, ok := ReadFunction(bad); ok {
			t.Errorf("ReadFunction(%q) = %+v", bad, f)
		}
	}
}

func TestFunctionsAmongProse(t *testing.T) {
	text := "It's prose.\n\ndef f(\n    a,\n):\n    s = \"\"\"\nno end\n\"\"\"\n\n" +
		"    return (a\n```\nMore.\n" +
		"def g():\n    pass\n# behind\ndef h(): return 1\n"
	functions, gaps := Functions(text)
	var names []string
	for _, f := range functions {
		if !strings.Contains(text, f.Source) {
			t.Errorf("the source of %s differs from the text", f.Name)
		}
		names = append(names, f.Name)
	}
	golden.Same(t, "functions", []string{"f", "g", "h"}, names)
	wantGaps := []string{"It's prose.\n\n", "```\nMore.\n", "# behind\n", ""}
	golden.Same(t, "gaps", wantGaps, gaps)
}

func TestEdits(t *testing.T) {
	src := "a = f(a, a=a.a) + g.f(1) - f(f(2))  # f(3)"
	for name, test := range map[string][2]string{
		"Rename": {Rename(src, map[string]string{"a": "b", "f": "h"}),
			"b = h(b, a=b.a) + g.f(1) - h(h(2))  # f(3)"},
		"ReplaceCalls":    {ReplaceCalls(src, "f", "0"), "a = 0 + g.f(1) - 0  # f(3)"},
		"Masked":          {Masked("a = 1.5 # c\n"), "a = 0 "},
		"Substitute":      {Substitute("X ** 2 + X", "a - b"), "(a - b) ** 2 + (a - b)"},
		"Substitute atom": {Substitute("-X", "f(a)[0].b"), "-f(a)[0].b"},
	} {
		if test[0] != test[1] {
			t.Errorf("%s gives %q, want %q", name, test[0], test[1])
		}
	}
	if !Calls(src, "f") || !Calls("f(1)", "f") || Calls("g.f(1)\ndef f(): f", "f") {
		t.Error("Calls gives a wrong answer")
	}
}
