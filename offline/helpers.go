package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
)

func (w *writer) helpers() string {
	p := w.prompt
	n := 1
	if p.answer == answerFunctions {
		n = 2 + w.r.IntN(3)
	}
	var sources []string
	taken := append(names(p.eaps), base(p.target.Name))
	for i := range n {
		f := w.helper()
		if i == 0 {
			f = w.spoilHelper(f)
		}
		name := f.Name
		for c := 'b'; slices.Contains(taken, f.Name); c++ {
			f.Name = name + "_" + string(c)
		}
		taken = append(taken, f.Name)
		sources = append(sources, f.String())
	}
	return w.wrap("", strings.Join(sources, "\n\n"))
}

func (w *writer) helper() pytext.Function {
	if p := w.prompt; p.answer == answerFunction && len(p.parents) > 0 {
		if f, ok := w.extract(p.parents[len(p.parents)-1].Function); ok {
			return f
		}
	}
	var f pytext.Function
	for range 8 {
		f = w.invent()
		repeats := func(h pytext.Function) bool { return masked(h.Body) == masked(f.Body) }
		if !slices.ContainsFunc(w.prompt.eaps, repeats) {
			break
		}
	}
	return f
}

// helperVerbs begin the names of helpers.
var helperVerbs = strings.Fields("compute calculate estimate measure score rate get evaluate")

func (w *writer) invent() pytext.Function {
	v, d := w.v, w.newDraft()
	if len(v.Outputs) == 0 {
		return w.inventBlindly()
	}
	x := w.r.Float64()
	if whole, _ := pytext.Functions(fill(w.r, v.Helpers)); x < 0.2 && len(whole) > 0 {
		return pick(w.r, whole)
	}
	if s := pick(w.r, v.Shapes); x < 0.4 && len(s.Exprs) > 0 {
		p := pick(w.r, s.Exprs)
		return w.finish(d, d.bring(p.Code), p.Says, s)
	}
	o := pick(w.r, v.Outputs)
	first, second := pick(w.r, o.Terms), pick(w.r, o.Terms)
	expr, says := strings.TrimPrefix(fill(w.r, first.Code), "±"), first.Says
	if chance(w.r, 0.4) {
		expr = d.shaped(o, first)
	}
	expr = d.bring(expr)
	if second.Says != first.Says && chance(w.r, 0.45) {
		link := []string{" + @{0.1~1.0} * ", " - @{0.1~1.0} * ", " * "}
		if o.Product {
			link = []string{" * ", " + "}
		}
		other := d.bring(strings.TrimPrefix(second.Code, "±"))
		expr = pytext.Operand(expr) + fill(w.r, pick(w.r, link)) + pytext.Operand(other)
		says += " combined with " + second.Says
	}
	return w.finish(d, expr, says, v.Shapes[0])
}

func (w *writer) inventBlindly() pytext.Function {
	forms := []string{"@{0.1~3.0} * X", "X ** @{0.2~3.0}", "X / (@{0.1~2.0} + abs(X))",
		"max(X, @{0.1~1.0})", "min(X, @{0.1~1.0})", "abs(X - @{0.1~1.0})"}
	inner := pytext.Rename(fill(w.r, pick(w.r, forms)), map[string]string{"X": "value"})
	expr := pytext.Substitute(fill(w.r, pick(w.r, forms)), inner)
	return pytext.Function{
		Name: "scale_value", Params: []pytext.Param{{Name: "value", Annotation: "float"}},
		Returns: "float", Doc: "Scale a value; returns one number.",
		Body: pytext.Statements("return " + expr),
	}
}

func (w *writer) finish(d *draft, expr, says string, s bench.Shape) pytext.Function {
	d.insert(len(d.body), "return "+expr)
	d.prune()
	f := pytext.Function{
		Name:    pick(w.r, helperVerbs) + "_" + identifier(says),
		Returns: s.Returns, Doc: "Compute " + says + "; " + s.Doc + ".", Body: d.body,
	}
	for _, q := range w.prompt.target.Params {
		reads := func(s pytext.Statement) bool { return s.ReadsName(q.Name) }
		if slices.ContainsFunc(d.body, reads) {
			f.Params = append(f.Params, q)
		}
	}
	return f
}

func identifier(says string) string {
	var words []string
	letters := func(c rune) bool { return c < 'a' || c > 'z' }
	for _, word := range strings.FieldsFunc(strings.ToLower(says), letters) {
		if len(word) > 3 && len(words) < 3 {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return "value"
	}
	return strings.Join(words, "_")
}

// extract copies one term of a program, or two neighbouring terms, into a helper with all
// definitions that the terms depend on. It prefers long computations and skips terms that call
// other helpers.
func (w *writer) extract(from pytext.Function) (pytext.Function, bool) {
	source := w.newDraft()
	source.take(from)
	var choices []pytext.Function
	for i := range source.outputs {
		parts := source.parts(i)
		for j := range parts {
			for k := j + 1; k <= min(j+2, len(parts)); k++ {
				expr := pytext.Join(parts[j:k], w.v.Outputs[i].Product)
				d := w.newDraft()
				result := d.transplant(source, expr, map[string]string{})
				f := w.finish(d, result, w.about(expr), w.v.Shapes[0])
				trivial := len(pytext.Lex(expr)) == 1 && len(f.Body) == 1
				all := len(f.Body) >= len(source.body)
				if trivial || all || slices.ContainsFunc(w.shown(), d.calls) {
					continue
				}
				for range len(f.Body) * len(f.Body) {
					choices = append(choices, f)
				}
			}
		}
	}
	if len(choices) == 0 {
		return pytext.Function{}, false
	}
	return pick(w.r, choices), true
}

// about describes an expression by the first feature that it reads.
func (w *writer) about(expr string) string {
	for _, n := range pytext.NewStatement("return " + expr).Reads {
		if def, ok := w.v.definition(unnumbered(n)); ok {
			return def.Says
		}
	}
	return "a part of the rule"
}

func (w *writer) spoilHelper(f pytext.Function) pytext.Function {
	switch w.slip {
	case NoDocstring:
		f.Doc = ""
	case Duplicate:
		if len(w.prompt.eaps) > 0 {
			f = pick(w.r, w.prompt.eaps)
			d := &draft{r: w.r, body: slices.Clone(f.Body)}
			d.jitter(0.4, 0.7)
			f.Body, f.Name = d.body, "refined_"+f.Name
		}
	case NotAlone:
		extra := "offset = smoothing_factor * 0.1"
		if chance(w.r, 0.5) {
			extra = "baseline = " + w.targetCall(base(w.prompt.target.Name))
		}
		f.Body = slices.Insert(slices.Clone(f.Body), 0, pytext.NewStatement(extra))
	}
	return f
}

func (w *writer) targetCall(name string) string {
	var args []string
	for _, q := range w.prompt.target.Params {
		args = append(args, q.Name)
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

const mostRanges = 5 // bounds the constants that one answer turns into parameters

// ranges answers a request to turn the constants of a program into parameters and to give a range
// for each parameter.
func (w *writer) ranges() string {
	p := w.prompt
	if len(p.parents) == 0 {
		f := p.target
		f.Body = w.compose().body
		p.parents = append(p.parents, parent{Function: f})
	}
	last := p.parents[len(p.parents)-1]
	body, lifted := w.lift(last.Body)
	code, params := "", ""
	for _, h := range last.helpers {
		code += h.Source + "\n\n"
	}
	for _, l := range lifted {
		params += fmt.Sprintf(", %s: float = %s", l.name, l.text)
	}
	code += withParams(last.Header, params) + "\n" + pytext.Indent(body)
	return w.wrap("", code) + "\n\n" + fenced(w.rangeBlock(lifted))
}

// A lift is a constant that became a parameter.
type lift struct {
	name, text string
	value      float64
}

func (w *writer) lift(body []pytext.Statement) (string, []lift) {
	text, count := pytext.Text(body), 0
	replaceConstants(text, func(text string, _ float64, integer bool) string {
		if !integer {
			count++
		}
		return text
	})
	chosen := w.r.Perm(count)[:min(mostRanges, count)]
	bound := pytext.Lex(text)
	var lifted []lift
	i := -1
	text = replaceConstants(text, func(number string, value float64, integer bool) string {
		if integer {
			return number
		}
		if i++; !slices.Contains(chosen, i) {
			return number
		}
		stem := pick(w.r, []string{"weight", "scale", "factor"})
		l := lift{fmt.Sprintf("%s_%d", stem, len(lifted)+1), number, value}
		for slices.ContainsFunc(bound, func(t pytext.Token) bool { return t.Is(text, l.name) }) {
			l.name += "_b"
		}
		lifted = append(lifted, l)
		return l.name
	})
	return text, lifted
}

func (w *writer) rangeBlock(lifted []lift) string {
	if w.slip == BadRanges && chance(w.r, 0.5) {
		return "parameter_ranges = dict(weight_1=np.linspace(0.0, 1.0))"
	}
	var b strings.Builder
	b.WriteString("parameter_ranges = {\n")
	for i, l := range lifted {
		if w.slip == BadRanges {
			l.name = fmt.Sprintf("unknown_%d", i+1)
		}
		low, high := l.value*(0.2+0.5*w.r.Float64()), l.value*(1.3+1.2*w.r.Float64())
		fmt.Fprintf(&b, "    %q: (%s, %s),\n", l.name, decimal(low), decimal(high))
	}
	return b.String() + "}"
}
