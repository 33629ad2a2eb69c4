package offline

import (
	"slices"
	"strings"
)

// program answers a request for a target function.
func (w *writer) program() string {
	p := w.prompt
	if w.v == nil {
		return w.wrap("", w.unknown())
	}
	d := w.draft()
	d.enforce(w.contract(), p.eaps, p.target)
	w.distinct(d)
	d.enforce(w.contract(), p.eaps, p.target)
	says := w.sentence(d) // before slips: they are no part of the idea
	w.spoil(d)
	helpers := w.carried(d)
	code := w.code(d, says)
	if len(helpers) > 0 {
		code = strings.Join(helpers, "\n\n") + "\n\n" + code
	}
	return w.wrap(says, w.imports()+code)
}

// reserved lists the names that a program must not bind: parameters, EAPs, the target.
func (w *writer) reserved() []string {
	names := []string{w.prompt.target.name, base(w.prompt.target.name)}
	for _, q := range w.prompt.target.params {
		names = append(names, q.name)
	}
	for _, h := range w.prompt.eaps {
		names = append(names, h.name)
	}
	for _, q := range w.prompt.parents {
		for _, h := range q.helpers {
			names = append(names, h.name)
		}
	}
	return append(names, slices.Concat(w.prompt.contract.must, w.prompt.contract.mustNot, w.prompt.contract.may)...)
}

func (w *writer) newDraft() *draft {
	d := newDraft(w.v, w.r, w.reserved()...)
	d.notes = d.notes || strings.Contains(w.prompt.prose, "put comments")
	return d
}

// compose writes a fresh program.
func (w *writer) compose() *draft {
	d := w.newDraft()
	d.compose(w.hints())
	return d
}

// adopt makes a draft of a program shown; when its build is not understood, of a fresh one.
func (w *writer) adopt(f function) *draft {
	d := w.newDraft()
	d.adopt(f)
	if d.outputs == nil || len(d.body) == 0 {
		return w.compose()
	}
	if !slices.ContainsFunc(d.body, func(s statement) bool { return s.exits }) {
		d.close(w.v.Closings[0].Code)
	}
	d.notes = strings.Contains(f.source, "# ") || strings.Contains(w.prompt.prose, "put comments")
	return d
}

// draft makes the program that the prompt's goal asks for.
func (w *writer) draft() *draft {
	p := w.prompt
	seed := len(p.parents) == 1 && w.trivial(p.parents[0].target)
	if len(p.parents) == 0 || seed {
		return w.compose()
	}
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(s string) bool { return strings.Contains(p.goal, s) })
	}
	hints := w.hints()
	if w.loaded() { // the operators over EAPs: the contract says most of it
		return w.withHelpers(says)
	}
	different := says("entirely different", "totally different", "completely different", "unlike", "entirely new", "totally new")
	switch {
	case different && !says("inspired", "motivat", "shared", "backbone"):
		if chance(w.r, 0.5) {
			return w.compose()
		}
		d := w.adopt(pick(w.r, p.parents).target)
		d.restructure(3+w.r.IntN(3), hints)
		d.jitter(0.5*w.heat, 0.5)
		return d
	case len(p.parents) > 1:
		d := w.cross(p.parents)
		if chance(w.r, 0.5) {
			d.restructure(1, hints)
		}
		d.jitter(0.25*w.heat, 0.3)
		return d
	case says("parameter", "setting", "constant", "tune") && !says("mechanism"):
		d := w.adopt(p.parents[0].target)
		d.jitter(0.4*w.heat, 0.5)
		return d
	}
	d := w.adopt(p.parents[0].target)
	d.restructure(1+w.r.IntN(2), hints)
	if chance(w.r, 0.5) {
		d.jitter(0.25*w.heat, 0.3)
	}
	return d
}

// loaded reports whether the prompt is about calls of EAPs.
func (w *writer) loaded() bool { return len(w.prompt.eaps) > 0 && w.prompt.contract.stated() }

// withHelpers makes the child of an operator over EAPs. What the contract demands beyond
// it is added by enforce.
func (w *writer) withHelpers(says func(...string) bool) *draft {
	p := w.prompt
	if len(p.parents) > 1 {
		d := w.cross(p.parents)
		d.jitter(0.25*w.heat, 0.3)
		return d
	}
	d := w.adopt(p.parents[0].target)
	d.enforceSwap(p)
	switch {
	case says("refine"), p.contract.exact && len(p.contract.must) == len(d.calls(p.contract.must)):
		if chance(w.r, 0.6) {
			d.restructure(1, w.hints())
		}
		d.jitter(0.35*w.heat, 0.4)
	default:
		if chance(w.r, 0.3) {
			d.restructure(1, w.hints())
		}
		if chance(w.r, 0.6) {
			d.jitter(0.25*w.heat, 0.3)
		}
	}
	return d
}

// enforceSwap puts a demanded helper in the place of a forbidden one where both have the same shape.
func (d *draft) enforceSwap(p *prompt) {
	find := func(name string) (helper, bool) {
		i := slices.IndexFunc(p.eaps, func(h helper) bool { return h.name == name })
		if i < 0 {
			return helper{}, false
		}
		return p.eaps[i], true
	}
	for _, old := range d.calls(p.contract.mustNot) {
		for _, now := range p.contract.must {
			h, ok := find(now)
			if !ok || len(d.calls([]string{now})) > 0 {
				continue
			}
			was, known := find(old)
			if !known {
				was = helper{function: function{name: old}, shape: h.shape}
			}
			if was.shape == h.shape && h.shape != "" {
				d.swap(was, h, p.target)
				break
			}
		}
	}
}

// contract is the prompt's contract; without one, programs call no EAPs that are not theirs.
func (w *writer) contract() contract { return w.prompt.contract }

// trivial reports whether a program is a format example rather than a parent: its build holds
// no output, or nothing but a plain return.
func (w *writer) trivial(f function) bool {
	return len(f.body) <= 1
}

// distinct makes sure that the child is not one of the programs shown.
func (w *writer) distinct(d *draft) {
	for range 3 {
		text := masklessText(d.body)
		if !slices.ContainsFunc(w.prompt.parents, func(q parent) bool { return masklessText(q.target.body) == text }) {
			return
		}
		d.jitter(0.3*w.heat, 0.7)
		if masklessText(d.body) == text {
			d.restructure(1, nil)
		}
	}
}

// masklessText is the code of a body without layout and comments, constants kept.
func masklessText(body []statement) string {
	var b strings.Builder
	for _, s := range body {
		for _, t := range lex(s.text) {
			if t.kind != comment && t.kind != newline {
				b.WriteString(t.text(s.text))
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// carried are the helper functions of the parents that the child still calls.
func (w *writer) carried(d *draft) []string {
	var sources []string
	seen := map[string]bool{}
	for _, q := range w.prompt.parents {
		for _, h := range q.helpers {
			if !seen[h.name] && len(d.calls([]string{h.name})) > 0 && !slices.Contains(w.prompt.contract.must, h.name) {
				seen[h.name] = true
				sources = append(sources, h.source)
			}
		}
	}
	return sources
}

// header is the target's signature.
func (w *writer) header() string {
	if w.prompt.target.header != "" {
		return w.prompt.target.header
	}
	return w.v.Header
}

// imports stands above a program.
func (w *writer) imports() string { return w.foreign + "import numpy as np\n\n" }

// code is the target function as text.
func (w *writer) code(d *draft, says string) string {
	header := w.header()
	if w.slip == slipName {
		header = w.misnamed(header)
	}
	doc := ""
	if strings.Contains(w.prompt.prose, "a docstring") || chance(w.r, 0.15) {
		doc = "    \"\"\"" + says + "\"\"\"\n"
	}
	return header + "\n" + doc + d.text()
}

// unknown is a program for a target that no vocabulary describes: a parent with other
// constants, or the plainest body that fits the annotation.
func (w *writer) unknown() string {
	p := w.prompt
	d := newDraft(&Vocabulary{}, w.r)
	if len(p.parents) > 0 {
		parent := pick(w.r, p.parents)
		d.body = slices.Clone(parent.target.body)
		d.jitter(0.4*w.heat, 0.5)
		text := ""
		for _, h := range parent.helpers {
			text += h.source + "\n\n"
		}
		header := p.target.header
		if header == "" {
			header = parent.target.header
		}
		return w.imports() + text + header + "\n" + d.text()
	}
	header := p.target.header
	if header == "" {
		header = "def solve(*args):"
	}
	return w.imports() + header + "\n" + indent(w.plainest()) + "\n"
}

func (w *writer) plainest() string {
	switch r := w.prompt.target.returns; {
	case strings.Contains(r, "ndarray"):
		return "return np.full(4, " + decimal(w.r.Float64()) + ")"
	case r == "int":
		return "return 0"
	case r == "bool":
		return "return False"
	}
	return "return " + decimal(w.r.Float64())
}
