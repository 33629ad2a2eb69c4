package offline

import (
	"slices"
	"strings"
)

// compose fills an empty draft with a fresh program.
func (d *draft) compose(hints []string) {
	for i := range d.v.Outputs {
		o := &d.v.Outputs[i]
		d.outputs = append(d.outputs, o.Name)
		main := d.v.phrase(d.r, o.Main)
		d.insert(len(d.body), o.Name+" = 0.0") // marks the place until the terms are known
		parts := split(d.bring(main.Code), o.Product)
		for range d.terms() {
			parts = append(parts, d.term(o, hints))
		}
		d.setParts(i, parts)
	}
	if chance(d.r, 0.35) {
		d.addShift()
	}
	closing := d.v.Closings[0]
	if chance(d.r, 0.6) {
		closing = d.v.phrase(d.r, d.v.Closings)
	}
	d.close(closing.Code)
	d.prune()
}

// terms draws how many terms a fresh output has beside the main one.
func (d *draft) terms() int {
	if chance(d.r, 0.05) {
		return 0
	}
	n := 1
	for n < 5 && chance(d.r, 0.55) {
		n++
	}
	return n
}

// term draws a term, shaped and weighted, and brings what it needs. Terms that the prompt's
// hints mention are preferred.
func (d *draft) term(o *Output, hints []string) part {
	t := o.term(d.r)
	if len(hints) > 0 && chance(d.r, 0.5) {
		wanted := pick(d.r, hints)
		if i := slices.IndexFunc(o.Terms, func(t Term) bool { return t.Says == wanted }); i >= 0 {
			t = o.Terms[i]
		}
	}
	form := pick(d.r, o.Forms)
	for t.Signed && strings.HasPrefix(form, "+") {
		form = pick(d.r, o.Forms)
	}
	return d.weigh(o, substitute(strings.TrimPrefix(fill(d.r, form), "+"), fill(d.r, t.Code)))
}

// weigh makes a part of an expression in vocabulary names.
func (d *draft) weigh(o *Output, expr string) part {
	p := part{"*", ""}
	if !o.Product {
		p.op = pick(d.r, []string{"+", "-"})
	}
	p.text = d.bring(substitute(fill(d.r, pick(d.r, o.Weights)), expr))
	return p
}

// parts takes the i-th output's first assignment apart.
func (d *draft) parts(i int) []part {
	at := d.first(d.outputs[i])
	if at < 0 {
		return nil
	}
	_, expr, _ := d.body[at].assignment()
	return split(expr, d.v.Outputs[i].Product)
}

// setParts rewrites the i-th output's first assignment.
func (d *draft) setParts(i int, parts []part) {
	if at := d.first(d.outputs[i]); at >= 0 && len(parts) > 0 {
		d.body[at] = newStatement(assign(d.outputs[i], parts, d.v.Outputs[i].Product))
	}
}

// addShift puts an adjustment behind the outputs.
func (d *draft) addShift() {
	if len(d.v.Shifts) == 0 {
		return
	}
	code := d.bring(d.v.phrase(d.r, d.v.Shifts).Code)
	// A shift that is there already gets the new constants instead of a twin.
	for _, i := range d.shifts() {
		if masked(d.body[i].code()) == masked(code) {
			d.body[i] = newStatement(code)
			return
		}
	}
	if len(d.shifts()) >= mostShifts {
		d.dropShift()
	}
	d.insert(d.tail(), code)
}

const mostShifts = 3 // ours, as mostTerms

// shifts lists the indices of the statements that adjust an output.
func (d *draft) shifts() []int {
	var list []int
	for i := d.front() + 1; i < d.tail(); i++ {
		s := d.body[i]
		first := slices.ContainsFunc(d.outputs, func(o string) bool { return d.first(o) == i })
		if !s.exits && !first && slices.ContainsFunc(d.outputs, s.bindsName) {
			list = append(list, i)
		}
	}
	return list
}

// close replaces the closing.
func (d *draft) close(code string) {
	code = d.bring(code)
	d.body = d.body[:d.tail()]
	d.body = append(d.body, readStatements(code)...)
}
