package offline

import (
	"slices"
	"strings"
)

// helpers answers a request for helper functions (EAPs).
func (w *writer) helpers() string {
	p := w.prompt
	if w.v == nil {
		return w.wrap("", "def shared_offset(value: float) -> float:\n    \"\"\"Scale a value; returns one number.\"\"\"\n    return "+decimal(w.r.Float64())+" * value\n")
	}
	n := 1
	if p.answer == answerFunctions {
		n = 2 + w.r.IntN(3)
	}
	var sources []string
	taken := map[string]bool{base(p.target.name): true}
	for _, h := range p.eaps {
		taken[h.name] = true
	}
	for i := range n {
		f := w.helper(taken)
		if i == 0 {
			f = w.spoilHelper(f)
		}
		taken[f.name] = true
		sources = append(sources, f.write())
	}
	return w.wrap("", strings.Join(sources, "\n\n"))
}

// helper writes one helper function: taken out of the program shown, or new.
func (w *writer) helper(taken map[string]bool) function {
	if p := w.prompt; p.answer == answerFunction && len(p.parents) > 0 {
		if f, ok := w.extract(p.parents[len(p.parents)-1].target, taken); ok {
			return f
		}
	}
	var f function
	for range 8 {
		f = w.invent(taken)
		if !w.similar(f) {
			break
		}
	}
	return f
}

// similar reports whether a helper repeats one that the prompt shows, constants and names of
// the function apart.
func (w *writer) similar(f function) bool {
	text := maskedBody(f.body)
	return slices.ContainsFunc(w.prompt.eaps, func(h helper) bool { return maskedBody(h.body) == text })
}

func maskedBody(body []statement) string {
	var b strings.Builder
	for _, s := range body {
		b.WriteString(masked(s.code()))
	}
	return b.String()
}

// invent composes a helper from the vocabulary.
func (w *writer) invent(taken map[string]bool) function {
	v := w.v
	switch x := w.r.Float64(); {
	case x < 0.2 && len(v.Helpers) > 0:
		f, _ := readFunction(fill(w.r, v.phrase(w.r, v.Helpers).Code))
		f.name = free(f.name, taken)
		return f
	case x < 0.3 && len(v.Scalars) > 0:
		return w.single(v.phrase(w.r, v.Scalars), Scalar, taken)
	case x < 0.34 && len(v.Indices) > 0:
		return w.single(v.phrase(w.r, v.Indices), Index, taken)
	}
	o := &v.Outputs[w.r.IntN(len(v.Outputs))]
	first := o.term(w.r)
	d := w.newDraft()
	form := "X"
	if chance(w.r, 0.4) && !first.Signed {
		form = strings.TrimPrefix(fill(w.r, pick(w.r, o.Forms)), "+")
	}
	expr := d.bring(substitute(form, fill(w.r, first.Code)))
	label, says := first.Name, first.Says
	if second := o.term(w.r); second.Name != first.Name && chance(w.r, 0.45) {
		link := []string{" + @{0.1~1.0} * ", " - @{0.1~1.0} * ", " * "}
		if o.Product {
			link = []string{" * ", " + "}
		}
		expr = operand(expr) + fill(w.r, pick(w.r, link)) + operand(d.bring(second.Code))
		label += "_and_" + second.Name
		says += " combined with " + second.Says
	}
	d.body = append(d.body, newStatement("return "+expr))
	return w.finish(d, pick(w.r, helperVerbs)+"_"+label, sentenceCase(verbOf(w.r.IntN(3)))+" "+says, v.Native, taken)
}

func verbOf(i int) string { return []string{"compute", "measure", "rate candidates by"}[i] }

// single wraps an expression for one number or one element.
func (w *writer) single(p Phrase, s Shape, taken map[string]bool) function {
	d := w.newDraft()
	expr := d.bring(p.Code)
	d.body = append(d.body, newStatement("return "+expr))
	return w.finish(d, pick(w.r, []string{"compute", "estimate", "find", "get"})+"_"+identifier(p.Says), "Compute "+p.Says, s, taken)
}

// finish makes a function of a draft that ends with its return.
func (w *writer) finish(d *draft, name, says string, s Shape, taken map[string]bool) function {
	d.prune()
	use := w.v.Shapes[s]
	f := function{name: free(name, taken), returns: use.Returns, doc: says + "; " + use.Doc + ".", body: d.body}
	for _, q := range w.prompt.target.params {
		if slices.ContainsFunc(d.body, func(s statement) bool { return s.readsName(q.name) }) {
			f.params = append(f.params, q)
		}
	}
	return f
}

// extract takes a term or two of a program, with all that they depend on, out into a helper.
// Large computations are preferred; what calls other helpers is left out.
func (w *writer) extract(from function, taken map[string]bool) (function, bool) {
	source := w.newDraft()
	source.adopt(from)
	if source.outputs == nil {
		return function{}, false
	}
	type choice struct {
		body  []statement
		label string
	}
	var choices []choice
	for i := range source.outputs {
		for _, expr := range terms(source.parts(i), w.v.Outputs[i].Product) {
			d := w.newDraft()
			text := strip(d.transplant(source, expr, map[string]string{}))
			d.body = append(d.body, newStatement("return "+text))
			d.prune()
			if len(d.calls(w.shown())) > 0 || len(d.body) >= len(source.body) || len(lex(text)) == 1 {
				continue // a bare name is hardly a computation
			}
			for range len(d.body) * len(d.body) {
				choices = append(choices, choice{d.body, labelOf(expr, from)})
			}
		}
	}
	if len(choices) == 0 {
		return function{}, false
	}
	c := pick(w.r, choices)
	d := w.newDraft()
	d.body = c.body
	says := "Compute the part of the rule that rests on " + strings.ReplaceAll(c.label, "_", " ")
	if def, ok := w.v.definition(unnumbered(c.label)); ok {
		says = "Compute a term from " + def.Says
	}
	return w.finish(d, pick(w.r, helperVerbs)+"_"+c.label+pick(w.r, []string{"", "_term", "_feature"}), says, w.v.Native, taken), true
}

// terms lists the parts of an expression, alone and with the one before.
func terms(parts []part, product bool) []string {
	var exprs []string
	for i, p := range parts {
		exprs = append(exprs, p.text)
		if i > 0 {
			exprs = append(exprs, join(parts[i-1:i+1], product))
		}
	}
	return exprs
}

// shown lists the helpers that the prompt shows, EAPs and the programs' own.
func (w *writer) shown() []string {
	var names []string
	for _, h := range w.prompt.eaps {
		names = append(names, h.name)
	}
	for _, q := range w.prompt.parents {
		for _, h := range q.helpers {
			names = append(names, h.name)
		}
	}
	return names
}

// labelOf is the first variable that an expression reads and that is no parameter.
func labelOf(expr string, f function) string {
	tokens := lex(expr)
	for i, t := range tokens {
		word := t.text(expr)
		if t.kind == name && word != "np" && !keywords[word] && !f.has(word) && (i == 0 || !tokens[i-1].is(expr, ".")) && !(i+1 < len(tokens) && tokens[i+1].is(expr, "(")) {
			return strings.ToLower(strings.Trim(word, "_"))
		}
	}
	return "distance"
}

// spoilHelper makes the mistakes of helper functions.
func (w *writer) spoilHelper(f function) function {
	switch w.slip {
	case slipNoDocstring:
		f.doc = ""
	case slipDuplicate:
		if len(w.prompt.eaps) > 0 {
			h := pick(w.r, w.prompt.eaps).function
			d := &draft{v: w.v, r: w.r, body: slices.Clone(h.body)}
			d.jitter(0.4, 0.7)
			h.body, h.name = d.body, "refined_"+h.name
			return h
		}
	case slipNotAlone:
		extra := "offset = smoothing_factor * 0.1"
		if chance(w.r, 0.5) {
			var args []string
			for _, q := range w.prompt.target.params {
				args = append(args, q.name)
			}
			extra = "baseline = " + base(w.prompt.target.name) + "(" + strings.Join(args, ", ") + ")"
		}
		f.body = slices.Insert(slices.Clone(f.body), 0, newStatement(extra))
	}
	return f
}

// write is a function as source.
func (f function) write() string {
	var b strings.Builder
	b.WriteString(writeHeader(f) + "\n")
	if f.doc != "" {
		b.WriteString("    \"\"\"" + f.doc + "\"\"\"\n")
	}
	for _, s := range f.body {
		b.WriteString(indent(s.text) + "\n")
	}
	return b.String()
}

// free is a name that is not taken.
func free(name string, taken map[string]bool) string {
	for _, suffix := range []string{"", "_b", "_c", "_d", "_e", "_f"} {
		if !taken[name+suffix] {
			return name + suffix
		}
	}
	return name + "_g"
}

// identifier makes a name of a phrase: its longer words.
func identifier(says string) string {
	var words []string
	for _, word := range strings.FieldsFunc(says, func(c rune) bool { return c < 'a' || c > 'z' }) {
		if len(word) > 3 && len(words) < 3 {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return "value"
	}
	return strings.Join(words, "_")
}
