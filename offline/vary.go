package offline

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
)

// results are ways to change an array of any shape that a program returns.
var results = []string{
	"X + @{0.05~0.5} * np.abs(X)", "X + @{0.1~2.0} * np.sin(@{0.05~3} * X)", "X * @{0.3~3.0}",
	"np.sqrt(np.abs(X)) * np.sign(X)", "np.maximum(X, @{-0.5~0.5} * np.abs(X).mean())",
	"np.minimum(X, @{0.5~2.0} * np.abs(X).mean())", "-X",
}

// restructure changes a program's structure by a few random edits. If the structure is not
// understood, restructure changes the array that the last line returns.
func (d *draft) restructure(edits int, hints []bench.Phrase) {
	if len(d.outputs) == 0 {
		last := len(d.body) - 1
		if last < 0 || !strings.Contains(d.v.target.Returns, "ndarray") {
			return
		}
		if expr, ok := strings.CutPrefix(d.body[last].Code(), "return "); ok && len(expr) < 120 {
			expr = pytext.Substitute(fill(d.r, pick(d.r, results)), expr)
			d.body[last] = pytext.NewStatement("return " + expr)
		}
		return
	}
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
		case x < 0.78:
			if parts := d.parts(i); len(parts) > 0 {
				at := d.r.IntN(len(parts))
				if x < 0.70 {
					parts[at] = d.reshape(d.v.Outputs[i], parts[at])
				} else {
					parts[at] = d.reweigh(d.v.Outputs[i], parts[at])
				}
				d.setParts(i, parts)
			}
		case x < 0.84:
			d.addShift()
		case x < 0.90:
			d.dropShift()
		default:
			d.close(pick(d.r, d.v.Closings).Code)
		}
	}
	d.prune()
}

// enrich adds terms and adjustments to a program, and sometimes replaces its closing. It removes a
// term or an adjustment only if there are too many. New terms have the first weight of an output,
// as in a new program.
func (d *draft) enrich(edits int, hints []bench.Phrase) {
	if len(d.outputs) == 0 {
		d.restructure(edits, hints)
		return
	}
	for range edits {
		switch x := d.r.Float64(); {
		case x < 0.7:
			i := d.r.IntN(len(d.outputs))
			o := d.v.Outputs[i]
			d.addPart(i, d.term(o, hints), o.Weights[:1])
		case x < 0.9:
			d.addShift()
		default:
			d.close(pick(d.r, d.v.Closings).Code)
		}
	}
	d.prune()
}

func (d *draft) reshape(o bench.Output, p pytext.Part) pytext.Part {
	if form := pick(d.r, o.Forms); !strings.HasPrefix(form, "+") && len(p.Text) <= 120 {
		p.Text = pytext.Substitute(d.bring(form), p.Text)
	}
	return p
}

func (d *draft) reweigh(o bench.Output, p pytext.Part) pytext.Part {
	if !o.Product && chance(d.r, 0.25) {
		p.Op = map[string]string{"+": "-", "-": "+"}[p.Op]
	} else {
		p.Text = d.jitterText(p.Text, 0.8, 1)
	}
	return p
}

// jitter changes each constant with probability share: an integer by at most 2, another number by a
// factor whose logarithm has the standard deviation spread, or sometimes 3·spread. If no constant
// changes, jitter tries again, at most four times in all.
func (d *draft) jitter(spread, share float64) {
	changed := false
	for n := 0; n < 4 && !changed; n++ {
		for i, s := range d.body {
			if text := d.jitterText(s.Text, spread, share); text != s.Text {
				d.body[i], changed = pytext.NewStatement(text), true
			}
		}
	}
}

func (d *draft) jitterText(src string, spread, share float64) string {
	return replaceConstants(src, func(text string, v float64, integer bool) string {
		if !chance(d.r, share) {
			return text
		}
		if integer {
			step := pick(d.r, []int{-2, -1, -1, 1, 1, 2})
			return strconv.Itoa(max(2, int(v)+step))
		}
		s := spread
		if chance(d.r, 0.08) {
			s *= 3
		}
		x := v * math.Exp(s*d.r.NormFloat64())
		if v < 1 && x >= 1 {
			x = (1 + v) / 2 // a number below 1 stays below 1
		}
		return round(x, 2+d.r.IntN(2))
	})
}

// replaceConstants replaces the numbers of a piece of code that are parameters of its rule. It
// leaves out 0, 1 and 9.0, axes, the indices of entries, guards against division by zero, and large
// sentinels. An integer is a bound or a count and stays an integer, unless it follows **, * or /.
func replaceConstants(
	src string, replace func(text string, v float64, integer bool) string,
) string {
	return pytext.ReplaceNumbers(src, func(tokens []pytext.Token, i int) string {
		text := tokens[i].Text(src)
		before := func(n int, words ...string) bool {
			for _, word := range words {
				if i >= n && tokens[i-n].Is(src, word) {
					return true
				}
			}
			return false
		}
		v, err := strconv.ParseFloat(text, 64)
		integer := !strings.ContainsAny(text, ".eE")
		switch {
		case err != nil || v < 1e-5 || v > 1e3 || v == 1 || !integer && v == 9:
			return text
		case before(1, "=") && before(2, "axis", "ndmin"):
			return text
		case integer && before(1, "[", ",") && i+1 < len(tokens) && tokens[i+1].Is(src, "]"):
			return text // the index of an entry, as in observation[8]
		}
		return replace(text, v, integer && !before(1, "**", "*", "/"))
	})
}

// cross combines programs: the program at the index is the frame, and the other programs contribute
// terms and adjustments with all their dependencies. With more than three programs, only about half
// of the other programs contribute.
func (w *writer) cross(at int, parents []parent) *draft {
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

// graft takes terms, adjustments and sometimes the closing from another draft. graft takes
// about half of the donor's terms, and drops some of the draft's own terms.
func (d *draft) graft(donor *draft) {
	names := map[string]string{}
	for _, o := range d.outputs {
		names[o] = o
	}
	for i := range d.outputs {
		theirs, own := donor.parts(i), d.parts(i)
		d.r.Shuffle(len(theirs), func(a, b int) { theirs[a], theirs[b] = theirs[b], theirs[a] })
		for len(own) > 1 && chance(d.r, 0.4) {
			own = slices.Delete(own, 1, 2)
		}
		for _, p := range theirs[:(len(theirs)+1)/2] {
			p.Text = d.transplant(donor, p.Text, names)
			known := slices.ContainsFunc(own, func(q pytext.Part) bool {
				return pytext.Masked(q.Text) == pytext.Masked(p.Text)
			})
			if len(own) < mostTerms && !known {
				own = append(own, p)
			}
		}
		d.setParts(i, own)
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

// transplant copies the donor's definitions that a piece of its code needs, and returns the code
// with the draft's names. It reuses definitions that the draft already has.
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
	added := map[string]bool{} // names whose statements are being copied
	for _, s := range slices.Backward(list) {
		target, expr, ok := s.Assignment()
		if same := d.same(target, pytext.Rename(expr, names)); ok && !added[target] && same != "" {
			names[target] = same
			continue
		}
		for _, n := range s.Binds {
			if names[n] == "" {
				names[n] = d.unused(n)
			}
			added[n] = true
		}
		d.insert(d.front(), pytext.Rename(s.Text, names))
	}
	return pytext.Rename(code, names)
}

// same returns the name that the draft already gives to an expression, or "". If there are several
// outputs, such as a controller's, an expression under the donor's name that differs only in
// constants counts as the same.
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
