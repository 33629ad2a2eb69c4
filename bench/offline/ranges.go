package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/offline/pytext"
)

const mostRanges = 5 // parameters that one answer lifts out of a program; ours

// ranges answers a request for a program whose constants have become keyword parameters, with
// a range for each.
func (w *writer) ranges() string {
	p := w.prompt
	if len(p.parents) == 0 {
		f := p.target
		f.Body = w.compose().body
		p.parents = append(p.parents, parent{Function: f})
	}
	last := p.parents[len(p.parents)-1]
	body, lifted := w.lift(last.Body)
	code, params := "", ""
	for _, h := range last.helpers {
		code += h.Source + "\n\n"
	}
	for _, l := range lifted {
		params += fmt.Sprintf(", %s: float = %s", l.name, l.text)
	}
	code += withParams(last.Header, params) + "\n" + pytext.Indent(body)
	return w.wrap("", code) + "\n\n" + fenced(w.rangeBlock(lifted))
}

// A lift is a constant that became a parameter.
type lift struct {
	name, text string
	value      float64
}

// lift replaces some of the constants of a body by names.
func (w *writer) lift(body []pytext.Statement) (string, []lift) {
	text, count := pytext.Text(body), 0
	replaceConstants(text, func(text string, _ float64, integer bool) string {
		if !integer {
			count++
		}
		return text
	})
	chosen := w.r.Perm(count)[:min(mostRanges, count)]
	bound := pytext.Lex(text)
	var lifted []lift
	i := -1
	text = replaceConstants(text, func(number string, value float64, integer bool) string {
		if integer {
			return number
		}
		if i++; !slices.Contains(chosen, i) {
			return number
		}
		stem := pick(w.r, []string{"weight", "scale", "factor"})
		l := lift{fmt.Sprintf("%s_%d", stem, len(lifted)+1), number, value}
		for slices.ContainsFunc(bound, func(t pytext.Token) bool { return t.Is(text, l.name) }) {
			l.name += "_b"
		}
		lifted = append(lifted, l)
		return l.name
	})
	return text, lifted
}

// rangeBlock writes the dictionary of ranges.
func (w *writer) rangeBlock(lifted []lift) string {
	if w.slip == BadRanges && chance(w.r, 0.5) {
		return "parameter_ranges = dict(weight_1=np.linspace(0.0, 1.0))"
	}
	var b strings.Builder
	b.WriteString("parameter_ranges = {\n")
	for i, l := range lifted {
		if w.slip == BadRanges {
			l.name = fmt.Sprintf("unknown_%d", i+1)
		}
		low, high := l.value*(0.2+0.5*w.r.Float64()), l.value*(1.3+1.2*w.r.Float64())
		fmt.Fprintf(&b, "    %q: (%s, %s),\n", l.name, decimal(low), decimal(high))
	}
	return b.String() + "}"
}
