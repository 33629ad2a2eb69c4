package offline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLex(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"names, numbers and operators", "a1 = 1.5e-3*b", []string{"a1", "=", "1.5e-3", "*", "b"}},
		{"long operators first", "a **= b // c", []string{"a", "**=", "b", "//", "c"}},
		{"strings with prefixes", `f"{x}" + rb'a\'b'`, []string{`f"{x}"`, "+", `rb'a\'b'`}},
		{"triple quotes span lines", "\"\"\"a\n'b\"\"\"\nc", []string{"\"\"\"a\n'b\"\"\"", "\n", "c"}},
		{"comments end with the line", "a # b = c\nd", []string{"a", "# b = c", "\n", "d"}},
		{"no newline inside brackets", "f(a,\n  b)\n", []string{"f", "(", "a", ",", "b", ")", "\n"}},
		{"an unterminated string ends with its line", "'abc\nd", []string{"'abc", "\n", "d"}},
		{"numbers begin with a dot", "x[.5:]", []string{"x", "[", ".5", ":", "]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, token := range lex(tt.src) {
				got = append(got, token.text(tt.src))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("lex(%q) mismatch (-want +got):\n%s", tt.src, diff)
			}
		})
	}
}

func FuzzLex(f *testing.F) {
	for _, s := range []string{parentProgram, "f'{a!r:>{w}}'", "\"\"\"", "x = (1,\n", "\\\n", "1_0.e+5j", "\x00\xff", "a\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		at := 0
		for _, token := range lex(src) {
			if token.start < at || token.end <= token.start || token.end > len(src) || token.depth < 0 {
				t.Fatalf("token %+v behind %d of %q", token, at, src)
			}
			at = token.end
		}
		// Renaming nothing changes nothing; statements hold all that is no blank line.
		if got := rename(src, map[string]string{"\x00": "b"}); got != src {
			t.Errorf("rename(%q) = %q", src, got)
		}
		var all strings.Builder
		for _, s := range readStatements(src) {
			all.WriteString(s.text + "\n")
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
	for _, s := range readStatements(body) {
		got = append(got, line{strings.Join(s.binds, " "), strings.Join(s.reads, " ")})
	}
	want := []line{
		{"a b", ""}, {"c e f g i", "c d e enumerate f i k"}, {"h int", "x"}, {"p", "o"}, {"q", "r s"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements mismatch (-want +got):\n%s", diff)
	}
}

func TestSplitAndJoin(t *testing.T) {
	tests := []struct {
		name, expr string
		product    bool
		want       []part
	}{
		{"a sum", "a - 0.5 * b + c[-1]", false, []part{{"+", "a"}, {"-", "0.5 * b"}, {"+", "c[-1]"}}},
		{"brackets around all of it", "(\n    a\n    - b\n)", false, []part{{"+", "a"}, {"-", "b"}}},
		{"a sign in front", "-a ** -b + c", false, []part{{"-", "a ** -b"}, {"+", "c"}}},
		{"a condition is one part", "a if b else c + d", false, []part{{"+", "(a if b else c + d)"}}},
		{"a comparison is one part", "a + b < c", false, []part{{"+", "(a + b < c)"}}},
		{"a product", "a ** 2 * (b + c) / d", true, []part{{"*", "a ** 2"}, {"*", "(b + c)"}, {"/", "d"}}},
		{"a sum is one factor", "a + b * c", true, []part{{"*", "(a + b * c)"}}},
		{"exponents keep their sign", "1e-5 + a", false, []part{{"+", "1e-5"}, {"+", "a"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := split(tt.expr, tt.product)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(part{})); diff != "" {
				t.Fatalf("split(%q) mismatch (-want +got):\n%s", tt.expr, diff)
			}
			if again := split(join(got, tt.product), tt.product); !cmp.Equal(got, again, cmp.AllowUnexported(part{})) {
				t.Errorf("split(join(%v)) = %v", got, again)
			}
		})
	}
}

func TestConstants(t *testing.T) {
	src := "a = b[:, 1:5].mean(axis=1) * 0.35 + 1e-9 + 9.0 * np.round(c, 2) ** 2 - 1.0 * d[:8]"
	var got []string
	for _, c := range constants(src) {
		text := c.token.text(src)
		if c.integer {
			text += " int"
		}
		got = append(got, text)
	}
	want := []string{"5 int", "0.35", "2 int", "2", "8 int"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("constants(%q) mismatch (-want +got):\n%s", src, diff)
	}
}
