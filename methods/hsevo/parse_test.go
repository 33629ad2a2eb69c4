package hsevo

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

func TestParseFlash(t *testing.T) {
	both := flash{"The best ones\nlook ahead.", "Look ahead."}
	tests := []struct {
		name, text string
		want       flash
	}{
		{"bold, colon inside",
			"**Analysis:**\nThe best ones\nlook ahead.\n\n**Experience:**\nLook ahead.\n", both},
		{"bold, colon outside",
			"**Analysis**: The best ones\nlook ahead.\n**Experience**: Look ahead.", both},
		{"plain", "Analysis: The best ones\nlook ahead.\nExperience: Look ahead.", both},
		{"headings in capitals",
			"## ANALYSIS\nThe best ones\nlook ahead.\n\n## EXPERIENCE\nLook ahead.", both},
		{"numbered headings in bold",
			"### 1. **Analysis**\nThe best ones\nlook ahead.\n### 2. **Experience**\nLook ahead.",
			both},
		{"bold in the middle of a line",
			"**Analysis:** The best ones\nlook ahead. **Experience:** Look ahead.", both},
		{"the word in a sentence is not a heading",
			"Analysis: The best ones\nshow experience: they look ahead.\nExperience: Look ahead.",
			flash{"The best ones\nshow experience: they look ahead.", "Look ahead."}},
		{"experience alone", "**Experience:** Look ahead.", flash{"", "Look ahead."}},
		{"experience first", "Experience: Look ahead.\nAnalysis: none",
			flash{"", "Experience: Look ahead.\nAnalysis: none"}},
		{"no headings", " Look ahead. ", flash{"", "Look ahead."}},
		{"analysis alone", "Analysis: they look ahead.", flash{"", "Analysis: they look ahead."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden.Same(t, fmt.Sprintf("parseFlash(%q)", tt.text),
				tt.want, parseFlash(tt.text), cmp.AllowUnexported(flash{}))
		})
	}
}

const arguments = "current_node, destination_node, unvisited_nodes, distance_matrix"

// TestReadParameterised reads programs and binds all their parameters to 0.25.
func TestReadParameterised(t *testing.T) {
	fenced := func(blocks ...string) string {
		return "```python\n" + strings.Join(blocks, "```\n\n```python\n") + "```\n"
	}
	fn := func(parameters string) string {
		return "def select_next_node(" + arguments + ", " + parameters + "):\n    return a\n"
	}
	influence := func(value string) string {
		return strings.Replace(fn("influence="+value), "return a", "return f'{influence}'", 1)
	}
	given := func(entries string) string { return "parameter_ranges = {" + entries + "}\n" }
	const none = "the reply holds no ranges of numbers"
	tests := []struct {
		name, reply string
		parameters  []Parameter
		bound       string
		refused     string
	}{
		{"a parameter named influence, and braces in the body",
			fenced(influence("0.5"), given("'influence': (0, 1)")),
			[]Parameter{{"influence", 0, 1}}, influence("0.25"), ""},
		{"a helper before the target",
			fenced("def far(x, a=1):\n    return a\n\ndef select_next_node_v2("+arguments+
				", a=1):\n    return far(a)\n", given("\"a\": [2, 3]")),
			[]Parameter{{"a", 2, 3}},
			"def far(x, a=1):\n    return a\n\ndef select_next_node(" + arguments +
				", a=0.25):\n    return far(a)\n", ""},
		{"both in one block", fenced(fn("a=1.0") + "\n" + given("'a': (0.5, 2.0)")),
			[]Parameter{{"a", 0.5, 2}}, fn("a=0.25"), ""},
		{"a header over several lines, annotations and defaults of all kinds",
			fenced("def select_next_node(\n    current_node: int, destination_node: int,\n"+
				"    unvisited_nodes: 'a = b', distance_matrix: dict[str, int],  # (d\n"+
				"    *,\n    a: float = max(1, 2),  # the first, a = 3\n    b=')', c=0.1\n):\n"+
				"    return a\n", given("'c': (0, 1), 'a': (1, 3)")),
			[]Parameter{{"c", 0, 1}, {"a", 1, 3}},
			"def select_next_node(\n    current_node: int, destination_node: int,\n" +
				"    unvisited_nodes: 'a = b', distance_matrix: dict[str, int],  # (d\n" +
				"    *,\n    a: float = 0.25,  # the first, a = 3\n    b=')', c=0.25\n):\n" +
				"    return a\n", ""},
		{"another language tag, prose around, comments and odd entries in the dictionary",
			"Here:\n```py\n" + fn("a=1, b=2") +
				"```\nThe ranges:\n```\n# all of them\nparameter_ranges: dict = {\n" +
				"    'a': (3, 1),  # swapped, it seems\n    'b': (True, 2), 'x y': (0, 1), b: " +
				"(0, 1),\n    **more,\n    'a2': (0, 1, 2), 'a3': 5, 'a4': (0, " +
				"1)[::-1],\n}\n```\n",
			[]Parameter{{"a", 1, 3}}, fn("a=0.25, b=2"), ""},
		{"an indented dictionary between prose, with more code after it", fenced(fn("a=1")) +
			"The ranges (it's a start:\n\n    parameter_ranges = {\n  'a': (2, 4),  # it's\n" +
			"    }; print('x')\n    print(y)\n\nThat's (all. They are \"wide\n",
			[]Parameter{{"a", 2, 4}}, fn("a=0.25"), ""},
		{"the second dictionary is the literal one",
			fenced(fn("a=1"), given("k: (0, 1) for k in 'a'"), given("'a': (0, 3)")),
			[]Parameter{{"a", 0, 3}}, fn("a=0.25"), ""},

		{"no program", "No constants here.", nil, "", "the reply holds no function definition"},
		{"no ranges", fenced(fn("a=1")), nil, "", none},
		{"a range wider than numbers go", fenced(fn("a=1"), given("'a': (-1e308, 1e308)")), nil, "",
			none},
		{"names that are not parameters",
			fenced(fn("a=1"), given("'b': (0, 1), 'current_node': (0, 1)")), nil, "",
			"no range belongs to a parameter with a default after the first 4"},
		{"ranges that are computed", fenced(fn("a=1"), "def make():\n    print('run')\n"+
			"    return {'a': (0, 1)}\n\nparameter_ranges = make()\n"), nil, "", none},
		{"a dictionary that is not the whole value",
			fenced(fn("a=1"), "parameter_ranges = {'a': (0, 1)} | more\n"), nil, "", none},
		{"a new parameter without a default", fenced(fn("a, b=1"), given("'b': (0, 1)")), nil, "",
			"`select_next_node` cannot be called with 4 arguments"},
		{"too few parameters",
			fenced("def select_next_node(current_node, a=1):\n    return a\n",
				given("'a': (0, 1)")),
			nil, "", "`select_next_node` cannot be called with 4 arguments"},
	}
	an := programtest.Analyzer(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := readParameterised(t.Context(), an, tt.reply, benchtest.Problem())
			must.Do(t, err)
			if p.refused != tt.refused {
				t.Fatalf("refused because %q, want %q", p.refused, tt.refused)
			}
			golden.Same(t, "parameters", tt.parameters, p.parameters)
			if tt.refused != "" {
				return
			}
			values := make([]float64, len(p.parameters))
			for i := range values {
				values[i] = 0.25
			}
			bound := p.bind(values)
			golden.Same(t, "bound program", tt.bound, bound)
			if a, err := an.Analyze(t.Context(), bound); err != nil || a.Syntax != nil {
				t.Errorf("the bound program does not parse: %v %v", a.Syntax, err)
			}
		})
	}
}

func TestDecimal(t *testing.T) {
	for _, tt := range []struct {
		x    float64
		want string
	}{{5, "5.0"}, {-5, "-5.0"}, {0.1, "0.1"}, {1e-7, "1e-07"}, {1e22, "1e+22"},
		{123456789, "1.23456789e+08"}, {1.0 / 3, "0.3333333333333333"}} {
		if got := program.Decimal(tt.x); got != tt.want {
			t.Errorf("decimal(%g) = %s, want %s", tt.x, got, tt.want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th",
		12: "12th", 13: "13th", 21: "21st", 22: "22nd", 111: "111th"} {
		if got := ordinal(n); got != want {
			t.Errorf("ordinal(%d) = %s, want %s", n, got, want)
		}
	}
}

func FuzzReadRanges(f *testing.F) {
	f.Add("parameter_ranges = {'a': (0, 1), \"b\": [1e-3, -.5]}")
	f.Add("parameter_ranges = {'a': (0, 1), # x\n 'b': ('''(''', 1)}\n")
	f.Add("parameter_ranges = {'a': (0, {")
	an := programtest.Analyzer(f)
	f.Fuzz(func(t *testing.T, reply string) {
		ranges, err := readRanges(t.Context(), an, reply)
		must.Do(t, err)
		for _, p := range ranges {
			if !(p.Low <= p.High) || math.IsInf(p.High-p.Low, 0) {
				t.Errorf("readRanges(%q) gives %+v", reply, p)
			}
		}
	})
}

func FuzzParseFlash(f *testing.F) {
	f.Add("**Analysis:** a **Experience:** b")
	f.Fuzz(func(t *testing.T, text string) {
		if got := parseFlash(text); strings.TrimSpace(text) != "" &&
			len(got.analysis)+len(got.experience) > len(text) {
			t.Errorf("parseFlash(%q) gives more than there is: %+v", text, got)
		}
	})
}
