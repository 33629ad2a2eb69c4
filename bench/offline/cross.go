package offline

import (
	"slices"
)

// cross combines programs: one gives the frame, the others give terms and adjustments with
// everything that these depend on.
func (w *writer) cross(parents []parent) *draft {
	at := w.r.IntN(len(parents))
	d := w.adopt(parents[at].target)
	for i, q := range parents {
		if i == at || len(parents) > 3 && !chance(w.r, 0.5) {
			continue
		}
		donor := w.newDraft()
		donor.adopt(q.target)
		if donor.outputs != nil && len(donor.body) > 0 {
			d.graft(donor)
		}
	}
	d.prune()
	return d
}

// graft takes terms and adjustments from another draft.
func (d *draft) graft(donor *draft) {
	names := map[string]string{}
	for i := range d.outputs {
		names[donor.outputs[i]] = d.outputs[i]
	}
	for i := range d.outputs {
		theirs := donor.parts(i)
		d.r.Shuffle(len(theirs), func(a, b int) { theirs[a], theirs[b] = theirs[b], theirs[a] })
		ours := d.parts(i)
		// Each side keeps about half of its terms.
		for len(ours) > 1 && chance(d.r, 0.4) {
			ours = slices.Delete(ours, 1, 2)
		}
		d.setParts(i, ours)
		for _, p := range theirs[:(len(theirs)+1)/2] {
			text := d.transplant(donor, p.text, names)
			ours = d.parts(i)
			if len(ours) < mostTerms && !slices.ContainsFunc(ours, func(q part) bool { return masked(q.text) == masked(text) }) {
				d.setParts(i, append(ours, part{p.op, text}))
			}
		}
	}
	for _, i := range donor.shifts() {
		if len(d.shifts()) < mostShifts && chance(d.r, 0.5) {
			text := d.transplant(donor, donor.body[i].text, names) // before tail: it inserts statements
			d.insert(d.tail(), text)
		}
	}
	if chance(d.r, 0.3) {
		closing := ""
		for _, s := range donor.body[donor.tail():] {
			closing += s.text + "\n"
		}
		if closing != "" {
			closing = d.transplant(donor, closing, names)
			d.body = append(d.body[:d.tail()], readStatements(closing)...)
		}
	}
}

// transplant brings the donor's definitions that a piece of its code depends on, and returns
// the code in the draft's names. Definitions that the draft has already are shared.
func (d *draft) transplant(donor *draft, code string, names map[string]string) string {
	front := donor.front()
	wanted := map[string]bool{}
	list := make([]bool, front)
	for _, s := range readStatements(code) {
		for _, n := range s.reads {
			wanted[n] = true
		}
	}
	for i := front - 1; i >= 0; i-- {
		s := donor.body[i]
		if s.exits && len(s.binds) == 0 {
			continue
		}
		if slices.ContainsFunc(s.binds, func(n string) bool { return wanted[n] && names[n] == "" }) {
			list[i] = true
			for _, n := range s.reads {
				wanted[n] = true
			}
		}
	}
	added := map[string]bool{} // names whose statements are on their way over
	for i, s := range donor.body[:front] {
		if !list[i] {
			continue
		}
		if target, expr, ok := s.assignment(); ok && !added[target] {
			if same := d.same(rename(expr, names), d.front()); same != "" {
				names[target] = same
				continue
			}
		}
		for _, n := range s.binds {
			if names[n] == "" && n != "_" {
				names[n] = d.fresh(n)
			}
			added[n] = true
		}
		d.insert(d.front(), rename(s.text, names))
	}
	return rename(code, names)
}

// same is the name that the draft gives to an expression already, empty for none.
func (d *draft) same(expr string, front int) string {
	for _, s := range d.body[:front] {
		if target, have, ok := s.assignment(); ok && have == expr && d.assignments(target) == 1 {
			return target
		}
	}
	return ""
}

// assignments counts the statements that bind a name.
func (d *draft) assignments(n string) int {
	count := 0
	for _, s := range d.body {
		if s.bindsName(n) {
			count++
		}
	}
	return count
}
