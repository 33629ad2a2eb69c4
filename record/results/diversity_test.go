package results

import (
	"math"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
)

func TestTokens(t *testing.T) {
	source := "def f(x, d):  # a comment\n    \"\"\"A doc\n    of two lines\"\"\"\n    y = x**2 " +
		"+ 1.5e-3*d[0] # x\n" +
		"    return rb'it\\'s' \\\n        if y >= 0x1e+2 else 'open\nz"
	want := strings.Split(
		"def|f|(|x|,|d|)|:|\"\"\"A doc\n    of two lines\"\"\"|y|=|x|**|2|+|1.5e-3|*|d|[|0|]|"+
			"return|rb'it\\'s'|if|y|>=|0x1e|+|2|else|'open|z", "|")
	var got []string
	for rest := source; ; {
		var token string
		if token, rest = nextToken(rest); token == "" {
			break
		}
		got = append(got, token)
	}
	golden.Same(t, "tokens", want, got)
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       float64
	}{
		{"equal", "a = b + c\n", "a = b + c\n", 0},
		{"comments and layout do not count", "a = b + c\n", "a  =  b+c  # sum\n", 0},
		{"one of five tokens differs: two of six pairs", "a = b + c\n", "a = b + d\n", 2. / 6},
		{"nothing in common", "a = b\n", "f(x)\n", 1},
		{"empty", "", "# nothing\n", 0},
		{"an empty one against five tokens", "", "a = b + c\n", 1},
		{"twice as long", "a\n", "a\na\n", 1 - 2*2./5},
	} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); math.Abs(got-c.want) > 1e-12 ||
			got != back {
			t.Errorf("%s: Distance(%q, %q) = %g, back %g, want %g", c.name, c.a, c.b,
				got, back, c.want)
		}
	}
}

func TestDiversityOfAPopulation(t *testing.T) {
	sources := map[int]string{1: "a = b + c\n", 2: "a = b + c # again\n", 3: "f(x)\n"}
	d := newDiversity(func(e int) *Program {
		if sources[e] == "" {
			return &Program{}
		}
		return &Program{Source: sources[e], Score: new(float64)}
	})
	for _, c := range []struct {
		members []int
		n       int
		want    float64
		changed bool
	}{
		{[]int{1}, 1, math.NaN(), true},
		{[]int{1, 2}, 2, 0, true},
		{[]int{2, 1, 1, 9}, 2, 0, false}, // 9 has no score
		{[]int{3, 2, 1}, 3, 2. / 3, true},
		{nil, 0, math.NaN(), true},
	} {
		p, changed := d.at(7, c.members)
		if changed != c.changed {
			t.Fatalf("%v: changed is %v", c.members, changed)
		}
		same := p.Distance == c.want || math.IsNaN(p.Distance) && math.IsNaN(c.want)
		if changed && (p.At != 7 || p.Members != c.n || !same) {
			t.Errorf("%v: %+v, want %d members, distance %g", c.members, p, c.n, c.want)
		}
	}
}
