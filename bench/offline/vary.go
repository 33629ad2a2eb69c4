package offline

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// restructure changes a program's build by a few random edits.
func (d *draft) restructure(edits int, hints []string) {
	for range edits {
		i := d.r.IntN(len(d.outputs))
		switch x := d.r.Float64(); {
		case x < 0.30:
			d.addTerm(i, hints)
		case x < 0.45:
			d.dropTerm(i)
		case x < 0.58:
			d.dropTerm(i)
			d.addTerm(i, hints)
		case x < 0.70:
			d.reshapeTerm(i)
		case x < 0.78:
			d.reweigh(i)
		case x < 0.84:
			d.addShift()
		case x < 0.90:
			d.dropShift()
		default:
			d.close(d.v.phrase(d.r, d.v.Closings).Code)
		}
	}
	d.prune()
}

const mostTerms = 8 // ours: keeps programs as long as those that language models write

func (d *draft) addTerm(i int, hints []string) {
	o := &d.v.Outputs[i]
	if len(d.parts(i)) >= mostTerms {
		d.dropTerm(i)
	}
	p := d.term(o, hints) // before parts: it may insert statements
	d.setParts(i, append(d.parts(i), p))
}

func (d *draft) dropTerm(i int) {
	parts := d.parts(i)
	if len(parts) < 2 {
		return
	}
	// The first term is the main one as a rule; it goes more seldom.
	at := d.r.IntN(len(parts))
	if at == 0 && chance(d.r, 0.75) {
		at = 1 + d.r.IntN(len(parts)-1)
	}
	d.setParts(i, slices.Delete(parts, at, at+1))
}

// reshapeTerm puts one term into another form.
func (d *draft) reshapeTerm(i int) {
	o, parts := &d.v.Outputs[i], d.parts(i)
	if len(parts) == 0 {
		return
	}
	at := d.r.IntN(len(parts))
	form := pick(d.r, o.Forms)
	if strings.HasPrefix(form, "+") || form == "X" || len(parts[at].text) > 120 {
		return
	}
	form = d.bring(fill(d.r, form))
	parts = d.parts(i)
	parts[at].text = substitute(form, parts[at].text)
	d.setParts(i, parts)
}

// reweigh changes one term's weight, or its sign, a good deal.
func (d *draft) reweigh(i int) {
	parts := d.parts(i)
	if len(parts) == 0 {
		return
	}
	at := d.r.IntN(len(parts))
	if !d.v.Outputs[i].Product && chance(d.r, 0.25) {
		parts[at].op = map[string]string{"+": "-", "-": "+"}[parts[at].op]
	} else {
		parts[at].text, _ = d.jitterText(parts[at].text, 0.8, 1)
	}
	d.setParts(i, parts)
}

func (d *draft) dropShift() {
	if shifts := d.shifts(); len(shifts) > 0 {
		at := pick(d.r, shifts)
		d.body = slices.Delete(d.body, at, at+1)
	}
}

// jitter changes constants: each with probability share, at least one where there is any, by
// factors with the given spread of their logarithm.
func (d *draft) jitter(spread, share float64) {
	changed := false
	for range 4 {
		for i, s := range d.body {
			if text, ok := d.jitterText(s.text, spread, share); ok {
				d.body[i], changed = newStatement(text), true
			}
		}
		if changed {
			return
		}
	}
}

// jitterText changes constants in a piece of code.
func (d *draft) jitterText(src string, spread, share float64) (string, bool) {
	var b strings.Builder
	at := 0
	for _, c := range constants(src) {
		if !chance(d.r, share) {
			continue
		}
		text := d.nudge(c, spread)
		if text == c.token.text(src) {
			continue
		}
		b.WriteString(src[at:c.token.start])
		b.WriteString(text)
		at = c.token.end
	}
	b.WriteString(src[at:])
	return b.String(), at > 0
}

// nudge draws a new value near a constant's.
func (d *draft) nudge(c constant, spread float64) string {
	if c.integer {
		step := []int{-2, -1, -1, 1, 1, 2}[d.r.IntN(6)]
		return strconv.Itoa(max(2, int(c.value)+step))
	}
	if chance(d.r, 0.08) {
		spread *= 3
	}
	return round(c.value*math.Exp(spread*d.r.NormFloat64()), 2+d.r.IntN(2))
}

// A constant is a number in a program that is a parameter of its rule.
type constant struct {
	token   token
	value   float64
	integer bool // has to stay one: an index or a count
}

// constants finds the parameters among a program's numbers. Left out are 0 and 1, axes,
// guards against division by zero, and large sentinels.
func constants(src string) []constant {
	var found []constant
	tokens := lex(src)
	for i, t := range tokens {
		if t.kind != number {
			continue
		}
		text := t.text(src)
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v < 1e-5 || v > 1e3 {
			continue
		}
		integer := !strings.ContainsAny(text, ".eE")
		before := func(n int, s string) bool { return i >= n && tokens[i-n].is(src, s) }
		switch {
		case integer && v < 2, !integer && (v == 0 || v == 1 || v == 9):
			continue
		case before(1, "=") && (before(2, "axis") || before(2, "ndmin")):
			continue
		case integer && (before(1, "**") || before(1, "*") || before(1, "/") || before(1, "+") || before(1, "-") || before(1, "<") || before(1, ">")):
			// A factor or an exponent may become a fraction, except beside counts.
			integer = !before(1, "**") && !before(1, "*") && !before(1, "/")
		}
		found = append(found, constant{t, v, integer})
	}
	return found
}
