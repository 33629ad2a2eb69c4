package offline

import (
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
)

// With these bounds, programs are about as long as programs that language models write.
const (
	mostTerms  = 8
	mostShifts = 3
)

// more is the probability of another term in a new program. It is small, and new programs use the
// first, small weight of an output, because a search should find a strong program, which has many
// terms with the right weights, only step by step.
const more = 0.35

// compose writes a new program. If the task has no vocabulary, the program is a variation of a
// known program, or returns a constant.
func (w *writer) compose() *draft {
	d := w.newDraft()
	if len(w.v.known) > 0 {
		d.take(pick(w.r, w.v.known))
		d.restructure(1, nil)
		d.jitter(0.4*w.heat, 0.5)
		return d
	}
	if len(w.v.Outputs) == 0 {
		d.insert(0, "return "+w.constant())
		return d
	}
	hints := w.hints()
	for i, o := range d.v.Outputs {
		d.outputs = append(d.outputs, o.Name)
		d.insert(len(d.body), o.Name+" = 0.0") // a placeholder until the terms are known
		d.setParts(i, pytext.Split(d.bring(pick(d.r, o.Main).Code), o.Product))
		alone := len(d.v.Outputs) == 1
		for n := 0; n < 4 && (n == 0 && alone || chance(d.r, more)); n++ {
			d.addPart(i, d.term(o, hints), o.Weights[:1])
		}
	}
	if chance(d.r, 0.15) {
		d.addShift()
	}
	closing := d.v.Closings[0]
	if chance(d.r, 0.3) {
		closing = pick(d.r, d.v.Closings)
	}
	d.close(closing.Code)
	d.prune()
	return d
}

func (w *writer) constant() string {
	switch returns := w.prompt.target.Returns; {
	case strings.Contains(returns, "ndarray"):
		return "np.full(4, " + decimal(w.r.Float64()) + ")"
	case returns == "int":
		return "0"
	case returns == "bool":
		return "False"
	}
	return decimal(w.r.Float64())
}

func (d *draft) addTerm(i int, hints []bench.Phrase) {
	o := d.v.Outputs[i]
	d.addPart(i, d.term(o, hints), o.Weights)
}

// term returns a term of an output in one of the output's forms. It prefers terms that the prompt's
// hints mention.
func (d *draft) term(o bench.Output, hints []bench.Phrase) string {
	t := pick(d.r, o.Terms)
	others := func(h bench.Phrase) bool { return !slices.Contains(o.Terms, h) }
	hints = slices.DeleteFunc(slices.Clone(hints), others)
	if len(hints) > 0 && chance(d.r, 0.5) {
		t = pick(d.r, hints)
	}
	return d.shaped(o, t)
}

func (d *draft) shaped(o bench.Output, t bench.Phrase) string {
	code, signed := strings.CutPrefix(t.Code, "±")
	form := pick(d.r, o.Forms)
	for signed && strings.HasPrefix(form, "+") {
		form = pick(d.r, o.Forms)
	}
	return pytext.Substitute(strings.TrimPrefix(fill(d.r, form), "+"), fill(d.r, code))
}

// addPart gives an expression one of the weights and adds it to an output. If the output already
// has mostTerms terms, the expression replaces one of them.
func (d *draft) addPart(i int, expr string, weights []string) {
	o := d.v.Outputs[i]
	p := pytext.Part{Op: "*"}
	if !o.Product {
		p.Op = pick(d.r, []string{"+", "-"})
	}
	p.Text = d.bring(pytext.Substitute(fill(d.r, pick(d.r, weights)), expr))
	if len(d.parts(i)) >= mostTerms {
		d.dropTerm(i)
	}
	d.setParts(i, append(d.parts(i), p))
}

// dropTerm removes a term. The first term, which is usually the main term, is removed less often.
func (d *draft) dropTerm(i int) {
	parts := d.parts(i)
	if len(parts) < 2 {
		return
	}
	at := d.r.IntN(len(parts))
	if at == 0 && chance(d.r, 0.75) {
		at = 1 + d.r.IntN(len(parts)-1)
	}
	d.setParts(i, slices.Delete(parts, at, at+1))
}

// addShift adds an adjustment after the outputs. If the adjustment exists already, it gets the new
// constants.
func (d *draft) addShift() {
	if len(d.v.Shifts) == 0 {
		return
	}
	s := pytext.NewStatement(d.bring(pick(d.r, d.v.Shifts).Code))
	for _, i := range d.shifts() {
		if pytext.Masked(d.body[i].Text) == pytext.Masked(s.Text) {
			d.body[i] = s
			return
		}
	}
	if len(d.shifts()) >= mostShifts {
		d.dropShift()
	}
	d.insert(d.tail(), s.Text)
}

func (d *draft) dropShift() {
	if shifts := d.shifts(); len(shifts) > 0 {
		at := pick(d.r, shifts)
		d.body = slices.Delete(d.body, at, at+1)
	}
}
