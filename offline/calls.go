package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
)

// A contract holds a prompt's requirements on the helper calls of a program.
type contract struct {
	must, mustNot, may []string
	atMost             int  // the most calls in all; 0: no bound
	exact              bool // helpers outside must are forbidden
}

func readContract(prose string) contract {
	var c contract
	for line := range strings.Lines(prose) {
		head, names, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch head {
		case "Call exactly":
			c.must, c.exact = append(c.must, quoted(names)...), true
		case "Must call":
			c.must = append(c.must, quoted(names)...)
		case "Must not call":
			c.mustNot = append(c.mustNot, quoted(names)...)
		case "May also call":
			c.may = append(c.may, quoted(names)...)
		default:
			fmt.Sscanf(head, "Call at most %d ", &c.atMost)
		}
	}
	return c
}

func quoted(text string) (names []string) {
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		if pytext.IsName(parts[i]) {
			names = append(names, parts[i])
		}
	}
	return names
}

func (c contract) stated() bool {
	return c.exact || len(c.must)+len(c.mustNot)+len(c.may) > 0 || c.atMost > 0
}

func (c contract) allows(fn string) bool {
	switch {
	case !c.stated() || slices.Contains(c.must, fn):
		return true
	case slices.Contains(c.mustNot, fn) || c.exact:
		return false
	}
	return len(c.may)+len(c.must) == 0 || slices.Contains(c.may, fn)
}

// room returns how many helpers a program may call in addition to the required ones.
func (c contract) room() int {
	switch {
	case c.exact:
		return 0
	case c.atMost > 0:
		return max(0, c.atMost-len(c.must))
	}
	return len(c.may)
}

func (w *writer) enforce(d *draft) {
	c := w.prompt.contract
	for _, old := range c.mustNot {
		for _, now := range c.must {
			if d.calls(old) && !d.calls(now) {
				d.swap(w.eap(old), w.eap(now), w.prompt.target)
			}
		}
	}
	extra := 0
	for _, n := range slices.Concat(names(w.prompt.eaps), c.mustNot) {
		if !d.calls(n) || slices.Contains(c.must, n) || !c.stated() {
			continue
		}
		if extra++; !c.allows(n) || extra > c.room() {
			d.drop(w.eap(n))
		}
	}
	d.prune()
	for _, n := range c.must {
		if !d.calls(n) {
			d.use(w.eap(n), w.prompt.target)
		}
	}
}

// eap returns a helper that the prompt shows. A helper that only the contract names gets the
// target's parameters.
func (w *writer) eap(name string) pytext.Function {
	named := func(f pytext.Function) bool { return f.Name == name }
	if i := slices.IndexFunc(w.prompt.eaps, named); i >= 0 {
		return w.prompt.eaps[i]
	}
	return pytext.Function{Name: name, Params: w.prompt.target.Params}
}

// shapeOf infers the shape of a helper's result from its parameters, annotation and docstring. If
// they do not show the shape, shapeOf returns the first shape of the vocabulary, and the result
// must be wrapped.
func (v knowledge) shapeOf(f pytext.Function) (shape bench.Shape, known bool) {
	doc := strings.ToLower(f.Doc)
	for _, s := range v.Shapes {
		if s.Each != "" && f.Has(s.Each) && (f.Returns == "float" || f.Returns == "int") {
			return s, true
		}
	}
	for _, s := range v.Shapes {
		byType := len(s.Words) == 0 && f.Returns == s.Returns
		if byType || containsAny(doc, s.Words...) {
			return s, true
		}
	}
	if len(v.Shapes) == 0 {
		return bench.Shape{}, true
	}
	return v.Shapes[0], false
}

func (v knowledge) call(f, target pytext.Function) string {
	shape, _ := v.shapeOf(f)
	each := shape.Each != "" && f.Has(shape.Each) && !target.Has(shape.Each)
	var args []string
	for _, q := range f.Params {
		spare := v.Spare[q.Name]
		switch {
		case target.Has(q.Name), each && q.Name == shape.Each:
			args = append(args, q.Name)
		case q.Default == "":
			args = append(args, cmp.Or(spare, guessArgument(q, target)))
		}
	}
	text := f.Name + "(" + strings.Join(args, ", ") + ")"
	if each {
		text = "np.array([" + text + " for " + shape.Each + " in " + shape.Over + "])"
	}
	return text
}

func guessArgument(q pytext.Param, target pytext.Function) string {
	switch {
	case strings.Contains(q.Annotation, "ndarray"):
		for _, t := range slices.Backward(target.Params) {
			if strings.Contains(t.Annotation, "ndarray") {
				return t.Name
			}
		}
	case q.Annotation == "int":
		return "1"
	case q.Annotation == "bool":
		return "False"
	}
	return "0.5"
}

// use inserts a call of a helper and adds its result to an output. If the program has no output,
// the inserted code does nothing with the result.
func (d *draft) use(f, target pytext.Function) {
	call := d.v.call(f, target)
	if len(d.outputs) == 0 {
		d.insert(0, "if "+call+" is None:\n    pass")
		return
	}
	stem := f.Name + "_value"
	if verb, rest, ok := strings.Cut(f.Name, "_"); ok && slices.Contains(helperVerbs, verb) {
		stem = rest
	}
	shape, known := d.v.shapeOf(f)
	x := map[string]string{"X": d.unused(stem)}
	d.insert(d.front(), x["X"]+" = "+call)
	if !known {
		d.insert(d.front(), pytext.Rename(shape.Wrap, x))
	}
	i := d.r.IntN(len(d.outputs))
	d.addPart(i, pytext.Rename(fill(d.r, pick(d.r, shape.Terms)), x), d.v.Outputs[i].Weights)
}

// swap replaces calls of a helper with calls of another helper if their results have the same
// shape.
func (d *draft) swap(old, now, target pytext.Function) {
	was, known := d.v.shapeOf(old)
	is, alike := d.v.shapeOf(now)
	each := is.Each != "" && (old.Has(is.Each) || now.Has(is.Each))
	if !known || !alike || was.Doc != is.Doc || each {
		return
	}
	for i, s := range d.body {
		text := pytext.ReplaceCalls(s.Text, old.Name, d.v.call(now, target))
		d.body[i] = pytext.NewStatement(text)
	}
}

// drop removes every call of a helper. It removes terms and adjustments that use the result, and
// replaces the remaining calls with a neutral expression.
func (d *draft) drop(f pytext.Function) {
	var results []string
	for _, s := range d.body[:d.front()] {
		if pytext.Calls(s.Text, f.Name) {
			results = append(results, s.Binds...)
		}
	}
	uses := func(s pytext.Statement) bool {
		return slices.ContainsFunc(results, s.ReadsName) || pytext.Calls(s.Text, f.Name)
	}
	for i, o := range d.outputs {
		parts := slices.DeleteFunc(d.parts(i), func(p pytext.Part) bool {
			return uses(pytext.NewStatement(p.Text))
		})
		if len(parts) == 0 {
			main := d.bring(pick(d.r, d.v.Outputs[i].Main).Code)
			parts = pytext.Split(main, d.v.Outputs[i].Product)
		}
		d.setParts(i, parts)
		for _, at := range slices.Backward(d.shifts()) {
			if s := d.body[at]; s.BindsName(o) && uses(s) {
				d.body = slices.Delete(d.body, at, at+1)
			}
		}
	}
	d.body = slices.DeleteFunc(d.body, func(s pytext.Statement) bool {
		return len(s.Binds) == 0 && !s.Exits && pytext.Calls(s.Text, f.Name)
	})
	d.prune()
	shape, _ := d.v.shapeOf(f)
	for i, s := range d.body {
		text := pytext.ReplaceCalls(s.Text, f.Name, cmp.Or(shape.Neutral, "0.0"))
		d.body[i] = pytext.NewStatement(text)
	}
}
