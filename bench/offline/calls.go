package offline

import (
	"slices"
	"strings"
)

// shapeOf tells the shape of a helper's result from its annotation and docstring; empty when
// neither says it in words that the vocabulary knows.
func (v *Vocabulary) shapeOf(f function) Shape {
	doc := strings.ToLower(f.doc)
	if v.Each != "" && f.has(v.Each) && (f.returns == "float" || f.returns == "int") {
		return Vector // called for one element after the other
	}
	for _, s := range []Shape{Index, Scalar} {
		if u, ok := v.Shapes[s]; ok && f.returns == u.Returns {
			return s
		}
	}
	for _, s := range []Shape{Vector, Matrix} {
		if slices.ContainsFunc(v.Shapes[s].Phrases, func(w string) bool { return strings.Contains(doc, w) }) {
			return s
		}
	}
	return ""
}

// call writes a call of a helper, with the target's parameters as arguments.
func (v *Vocabulary) call(f function, target function) string {
	var args []string
	each := false
	for _, q := range f.params {
		switch spare, ok := v.Spare[q.name]; {
		case target.has(q.name):
			args = append(args, q.name)
		case v.Each != "" && q.name == v.Each:
			each = true
			args = append(args, q.name)
		case q.preset != "":
		case ok:
			args = append(args, spare)
		default:
			args = append(args, guessArgument(q, target))
		}
	}
	text := f.name + "(" + strings.Join(args, ", ") + ")"
	if each {
		text = "np.array([" + text + " for " + v.Each + " in " + v.Over + "])"
	}
	return text
}

// guessArgument finds a value for a parameter that nobody knows, by its annotation.
func guessArgument(q param, target function) string {
	switch {
	case strings.Contains(q.annotation, "ndarray"):
		for _, t := range slices.Backward(target.params) {
			if strings.Contains(t.annotation, "ndarray") {
				return t.name
			}
		}
	case q.annotation == "int":
		return "1"
	case q.annotation == "bool":
		return "False"
	}
	return "0.5"
}

// stem is a variable name for a helper's result.
func (d *draft) stem(fn string) string {
	stem := fn
	for _, prefix := range helperVerbs {
		if rest, ok := strings.CutPrefix(fn, prefix+"_"); ok && rest != "" {
			stem = rest
		}
	}
	if stem == fn {
		stem = fn + "_value"
	}
	return d.fresh(stem)
}

// use inserts a call of a helper and lets its result enter an output.
func (d *draft) use(h helper, target function) {
	o := d.r.IntN(len(d.outputs))
	value := d.stem(h.name)
	d.insert(d.front(), value+" = "+d.v.call(h.function, target))
	shape := h.shape
	if shape == "" {
		shape = d.unknown()
		d.insert(d.front(), rename(d.v.Shapes[shape].Wrap, map[string]string{"X": value}))
	}
	form := d.bring(fill(d.r, pick(d.r, d.v.Shapes[shape].Terms)))
	output := &d.v.Outputs[o]
	p := part{"*", rename(form, map[string]string{"X": value})}
	if !output.Product {
		p.op = pick(d.r, []string{"+", "-"})
		p.text = substitute(fill(d.r, pick(d.r, output.Weights)), p.text)
	}
	if len(d.parts(o)) >= mostTerms {
		d.dropTerm(o)
	}
	d.setParts(o, append(d.parts(o), p))
}

// unknown is the shape that results of unknown shape are brought into.
func (d *draft) unknown() Shape {
	for _, s := range []Shape{Vector, Matrix, Scalar} {
		if d.v.Shapes[s].Wrap != "" && (s != Vector || !d.v.Outputs[0].Product) {
			return s
		}
	}
	return Scalar
}

// drop removes every call of a helper: terms that use its result go, what remains of it is
// replaced by something neutral.
func (d *draft) drop(h helper) {
	var results []string
	for _, s := range d.body[:d.front()] {
		if calls(s.text, h.name) {
			results = append(results, s.binds...)
		}
	}
	for i, o := range d.outputs {
		var kept []part
		parts := d.parts(i)
		for _, p := range parts {
			s := newStatement(p.text)
			if !slices.ContainsFunc(results, s.readsName) && !calls(p.text, h.name) {
				kept = append(kept, p)
			}
		}
		if len(kept) < len(parts) {
			if len(kept) == 0 {
				main := d.bring(d.v.phrase(d.r, d.v.Outputs[i].Main).Code)
				kept = split(main, d.v.Outputs[i].Product)
			}
			d.setParts(i, kept)
		}
		// Adjustments of the output that use the result go too.
		d.body = slices.DeleteFunc(d.body, func(s statement) bool {
			return !s.exits && s.bindsName(o) && slices.ContainsFunc(results, s.readsName) && slices.Index(s.binds, o) >= 0 && !isAssignment(s)
		})
	}
	d.prune()
	shape := h.shape
	if shape == "" {
		shape = d.unknown()
	}
	for i, s := range d.body {
		if calls(s.text, h.name) {
			d.body[i] = newStatement(replaceCalls(s.text, h.name, d.v.Shapes[shape].Neutral))
		}
	}
}

func isAssignment(s statement) bool {
	_, _, ok := s.assignment()
	return ok
}

// swap calls one helper in the place of another of the same shape.
func (d *draft) swap(old, now helper, target function) {
	text := d.v.call(now.function, target)
	to := map[string]string{}
	for i, s := range d.body {
		if !calls(s.text, old.name) {
			continue
		}
		// A result named after the old helper gets a name after the new one.
		if value, expr, ok := s.assignment(); ok && strings.Contains(old.name, strings.TrimSuffix(value, "_value")) && strings.Contains(expr, old.name) {
			to[value] = d.stem(now.name)
		}
		if d.v.Each != "" && old.has(d.v.Each) != now.has(d.v.Each) {
			// The one runs over the elements by itself, the other does not.
			if value, _, ok := s.assignment(); ok {
				d.body[i] = newStatement(value + " = " + text)
				continue
			}
		}
		inner := text
		if now.has(d.v.Each) && d.v.Each != "" {
			inner = strings.TrimSuffix(strings.TrimPrefix(text, "np.array(["), " for "+d.v.Each+" in "+d.v.Over+"])")
		}
		d.body[i] = newStatement(replaceCalls(s.text, old.name, inner))
	}
	if len(to) > 0 {
		for i, s := range d.body {
			d.body[i] = newStatement(rename(s.text, to))
		}
	}
}

// replaceCalls puts an expression in the place of every call of a function.
func replaceCalls(src, fn, expr string) string {
	var b strings.Builder
	tokens := lex(src)
	at := 0
	for i := 0; i+1 < len(tokens); i++ {
		if !tokens[i].is(src, fn) || !tokens[i+1].is(src, "(") || tokens[i].start < at {
			continue
		}
		end := i + 2
		for end < len(tokens) && !(tokens[end].depth == tokens[i+1].depth && tokens[end].is(src, ")")) {
			end++
		}
		if end == len(tokens) {
			break
		}
		b.WriteString(src[at:tokens[i].start])
		b.WriteString(expr)
		at = tokens[end].end
	}
	b.WriteString(src[at:])
	return b.String()
}

// enforce makes the draft keep a contract over the helpers shown.
func (d *draft) enforce(c contract, eaps []helper, target function) {
	var shown []string
	byName := map[string]helper{}
	for _, h := range eaps {
		shown = append(shown, h.name)
		byName[h.name] = h
	}
	// Names that the contract mentions without showing the function can be called all the same.
	for _, n := range slices.Concat(c.must, c.mustNot) {
		if _, ok := byName[n]; !ok {
			shown = append(shown, n)
			byName[n] = helper{function: function{name: n, params: target.params}}
		}
	}
	for _, n := range d.calls(shown) {
		if c.stated() && !c.allows(n) {
			d.drop(byName[n])
		}
	}
	extra := 0
	for _, n := range d.calls(shown) {
		if c.stated() && !slices.Contains(c.must, n) {
			if extra++; extra > c.room() {
				d.drop(byName[n])
			}
		}
	}
	for _, n := range c.must {
		if !slices.Contains(d.calls(shown), n) {
			d.use(byName[n], target)
		}
	}
	d.prune()
	for _, n := range c.must { // a result that only a dropped term used
		if !slices.Contains(d.calls(shown), n) {
			d.use(byName[n], target)
		}
	}
}

var helperVerbs = []string{"compute", "calculate", "estimate", "measure", "score", "rate", "get", "evaluate"}
