package offline

import (
	"fmt"
	"strings"
)

const mostRanges = 5 // ours: parameters that one answer lifts out of a program

// ranges answers a request for a program whose constants have become keyword parameters, with
// a range for each.
func (w *writer) ranges() string {
	p := w.prompt
	if len(p.parents) == 0 {
		if w.v == nil {
			return w.wrap("", w.unknown())
		}
		d := w.compose()
		p.parents = append(p.parents, parent{target: function{name: p.target.name, header: w.header(), params: p.target.params, body: d.body}})
	}
	last := p.parents[len(p.parents)-1]
	f := last.target
	front, lifted := w.lift(f.body)
	header := f.header
	if i := strings.LastIndexByte(header, ')'); i >= 0 {
		var extra strings.Builder
		for _, l := range lifted {
			fmt.Fprintf(&extra, ", %s: float = %s", l.name, l.text)
		}
		header = header[:i] + extra.String() + header[i:]
	}
	code := ""
	for _, h := range last.helpers {
		code += h.source + "\n\n"
	}
	code += header + "\n" + indent(strings.TrimRight(front, "\n"))
	return w.wrap("", code) + "\n\n```python\n" + w.rangeBlock(lifted) + "\n```"
}

// A lift is a constant that became a parameter.
type lift struct {
	name, text string
	value      float64
}

// lift replaces constants of a body by names.
func (w *writer) lift(body []statement) (string, []lift) {
	text := bodyText(body)
	found := constants(text)
	var floats []constant
	for _, c := range found {
		if !c.integer {
			floats = append(floats, c)
		}
	}
	w.r.Shuffle(len(floats), func(i, j int) { floats[i], floats[j] = floats[j], floats[i] })
	chosen := map[int]bool{}
	for _, c := range floats[:min(mostRanges, len(floats))] {
		chosen[c.token.start] = true
	}
	taken := map[string]bool{}
	for _, s := range body {
		for _, n := range append(s.binds, s.reads...) {
			taken[n] = true
		}
	}
	var b strings.Builder
	var lifted []lift
	at := 0
	for _, c := range found {
		if !chosen[c.token.start] {
			continue
		}
		n := fmt.Sprintf("%s_%d", pick(w.r, []string{"weight", "scale", "factor"}), len(lifted)+1)
		n = free(n, taken)
		lifted = append(lifted, lift{n, c.token.text(text), c.value})
		b.WriteString(text[at:c.token.start] + n)
		at = c.token.end
	}
	b.WriteString(text[at:])
	return b.String(), lifted
}

// rangeBlock writes the dictionary of ranges.
func (w *writer) rangeBlock(lifted []lift) string {
	if w.slip == slipRanges && chance(w.r, 0.5) {
		return "parameter_ranges = dict(weight_1=np.linspace(0.0, 1.0))"
	}
	var b strings.Builder
	b.WriteString("parameter_ranges = {\n")
	for i, l := range lifted {
		n := l.name
		if w.slip == slipRanges {
			n = fmt.Sprintf("unknown_%d", i+1)
		}
		fmt.Fprintf(&b, "    %q: (%s, %s),\n", n, decimal(l.value*(0.2+0.5*w.r.Float64())), decimal(l.value*(1.3+1.2*w.r.Float64())))
	}
	b.WriteString("}")
	return b.String()
}
