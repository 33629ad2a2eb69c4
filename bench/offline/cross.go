package offline

import (
	"slices"

	"github.com/pacebench/pacebench/bench/offline/pytext"
)

// cross combines programs: one gives the frame, the others give terms and adjustments with
// everything that these depend on.
func (w *writer) cross(parents []parent) *draft {
	at := w.r.IntN(len(parents))
	d := w.adopt(parents[at].Function)
	for i, q := range parents {
		if i == at || len(parents) > 3 && !chance(w.r, 0.5) {
			continue
		}
		donor := w.newDraft()
		donor.take(q.Function)
		if len(donor.outputs) > 0 {
			d.graft(donor)
		}
	}
	d.prune()
	return d
}

// graft takes terms, adjustments and at times the closing from another draft. Each side keeps
// about half of its terms.
func (d *draft) graft(donor *draft) {
	names := map[string]string{}
	for _, o := range d.outputs {
		names[o] = o
	}
	for i := range d.outputs {
		theirs, ours := donor.parts(i), d.parts(i)
		d.r.Shuffle(len(theirs), func(a, b int) { theirs[a], theirs[b] = theirs[b], theirs[a] })
		for len(ours) > 1 && chance(d.r, 0.4) {
			ours = slices.Delete(ours, 1, 2)
		}
		for _, p := range theirs[:(len(theirs)+1)/2] {
			p.Text = d.transplant(donor, p.Text, names)
			known := slices.ContainsFunc(ours, func(q pytext.Part) bool {
				return pytext.Masked(q.Text) == pytext.Masked(p.Text)
			})
			if len(ours) < mostTerms && !known {
				ours = append(ours, p)
			}
		}
		d.setParts(i, ours)
	}
	for _, i := range donor.shifts() {
		if len(d.shifts()) < mostShifts && chance(d.r, 0.5) {
			text := d.transplant(donor, donor.body[i].Text, names)
			d.insert(d.tail(), text)
		}
	}
	if closing := pytext.Text(donor.body[donor.tail():]); closing != "" && chance(d.r, 0.3) {
		closing = d.transplant(donor, closing, names)
		d.body = append(d.body[:d.tail()], pytext.Statements(closing)...)
	}
}

// transplant brings the donor's definitions that a piece of its code depends on, and returns
// the code in the draft's names. Definitions that the draft has already are shared.
func (d *draft) transplant(donor *draft, code string, names map[string]string) string {
	wanted := map[string]bool{}
	want := func(s pytext.Statement) {
		for _, n := range s.Reads {
			wanted[n] = true
		}
	}
	for _, s := range pytext.Statements(code) {
		want(s)
	}
	var list []pytext.Statement
	for _, s := range slices.Backward(donor.body[:donor.front()]) {
		needed := func(n string) bool { return wanted[n] && names[n] == "" }
		if slices.ContainsFunc(s.Binds, needed) {
			list = append(list, s)
			want(s)
		}
	}
	added := map[string]bool{} // names whose statements are on their way over
	for _, s := range slices.Backward(list) {
		target, expr, ok := s.Assignment()
		if same := d.same(target, pytext.Rename(expr, names)); ok && !added[target] && same != "" {
			names[target] = same
			continue
		}
		for _, n := range s.Binds {
			if names[n] == "" {
				names[n] = d.fresh(n)
			}
			added[n] = true
		}
		d.insert(d.front(), pytext.Rename(s.Text, names))
	}
	return pytext.Rename(code, names)
}

// same is the name that the draft gives to an expression already, empty for none. Outputs that
// have to agree, as those of a controller, also share what differs in constants only, under the
// name that the expression has in the donor.
func (d *draft) same(name, expr string) string {
	equal := func(target, have string) bool {
		return have == expr || len(d.outputs) > 1 && target == name &&
			pytext.Masked(have) == pytext.Masked(expr)
	}
	for i, s := range d.body[:d.front()] {
		target, have, ok := s.Assignment()
		again := func(s pytext.Statement) bool { return s.BindsName(target) }
		if ok && equal(target, have) && !slices.ContainsFunc(d.body[:i], again) &&
			!slices.ContainsFunc(d.body[i+1:], again) {
			return target
		}
	}
	return ""
}
