package offline

import (
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
)

func (w *writer) program() string {
	d := w.draft()
	w.enforce(d)
	w.distinct(d)
	w.enforce(d)
	says := w.sentence(d) // before mistakes, which are not part of the idea
	w.spoil(d)
	header := w.prompt.target.Header
	if header == "" {
		header = "def solve(*args):"
	}
	if w.slip == WrongName {
		header = w.misnamed(header)
	}
	code := w.carried(d) + header + "\n"
	if strings.Contains(w.prompt.prose, "a docstring") || chance(w.r, 0.15) {
		code += "    \"\"\"" + says + "\"\"\"\n"
	}
	return w.wrap(says, w.foreign+"import numpy as np\n\n"+code+d.text())
}

// adopt turns a program from the prompt into a draft. If adopt does not understand the program's
// structure and the task has a vocabulary, it writes a new program.
func (w *writer) adopt(f pytext.Function) *draft {
	d := w.newDraft()
	d.take(f)
	if len(d.outputs) < len(w.v.Outputs) {
		return w.compose()
	}
	exits := func(s pytext.Statement) bool { return s.Exits }
	if len(d.outputs) > 0 && !slices.ContainsFunc(d.body, exits) {
		d.close(w.v.Closings[0].Code)
	}
	return d
}

// draft makes the program that the prompt's goal asks for. If the prompt shows only one program, of
// a single statement, that program is an example of the form and not a parent. draft keeps what the
// goal says to keep, because a change such as reversing a term can make a program far worse than
// all other programs. A method that scales scores by the worst score, as MCTS-AHD does, would then
// see no difference between the other programs.
func (w *writer) draft() *draft {
	p := w.prompt
	example := len(p.parents) == 1 && len(p.parents[0].Body) <= 1 && len(w.v.Outputs) > 0
	if len(p.parents) == 0 || example {
		return w.compose()
	}
	says := func(words ...string) bool { return containsAny(p.goal, words...) }
	different := says("entirely different", "totally different", "completely different", "unlike",
		"entirely new", "totally new") && !says("inspired", "motivat", "shared", "backbone")
	calls := len(p.eaps) > 0 && p.contract.stated() // enforce makes most of the change
	var d *draft
	switch {
	case different && says("low objective"):
		return w.compose()
	case different && !calls:
		if chance(w.r, 0.5) {
			return w.compose()
		}
		d = w.adopt(pick(w.r, p.parents).Function)
		d.restructure(3+w.r.IntN(3), w.hints())
		d.jitter(0.5*w.heat, 0.5)
	case len(p.parents) > 1 && says("lower objective"):
		base := 0 // the best program, if the goal names no other
		if says("similar in form to no. 2") {
			base = 1
		}
		d = w.cross(base, p.parents)
		d.jitter(0.25*w.heat, 0.3)
	case len(p.parents) > 1:
		d = w.cross(w.r.IntN(len(p.parents)), p.parents)
		if !calls && chance(w.r, 0.5) {
			d.restructure(1, w.hints())
		}
		d.jitter(0.25*w.heat, 0.3)
	case calls:
		d = w.adopt(p.parents[0].Function)
		if chance(w.r, 0.4) {
			d.restructure(1, w.hints())
		}
		if says("refine") || chance(w.r, 0.6) {
			d.jitter(0.3*w.heat, 0.4)
		}
	case says("parameter", "setting", "constant", "tune") && !says("mechanism"):
		d = w.adopt(p.parents[0].Function)
		d.jitter(0.4*w.heat, 0.5)
	case says("does not have yet"):
		d = w.adopt(p.parents[0].Function)
		d.enrich(1+w.r.IntN(2), w.hints())
		if chance(w.r, 0.5) {
			d.jitter(0.25*w.heat, 0.3)
		}
	default:
		d = w.adopt(p.parents[0].Function)
		d.restructure(1+w.r.IntN(2), w.hints())
		if chance(w.r, 0.5) {
			d.jitter(0.25*w.heat, 0.3)
		}
	}
	return d
}

func (w *writer) distinct(d *draft) {
	canon := func(body []pytext.Statement) string { return pytext.Canon(pytext.Text(body)) }
	for range 3 {
		text := canon(d.body)
		same := func(q parent) bool { return canon(q.Body) == text }
		if !slices.ContainsFunc(w.prompt.parents, same) {
			return
		}
		d.jitter(0.3*w.heat, 0.7)
		if canon(d.body) == text {
			d.restructure(1, nil)
		}
	}
}

func (w *writer) carried(d *draft) string {
	text, seen := "", map[string]bool{}
	for _, q := range w.prompt.parents {
		for _, h := range q.helpers {
			given := slices.Contains(w.prompt.contract.must, h.Name)
			if !seen[h.Name] && !given && d.calls(h.Name) {
				seen[h.Name] = true
				text += h.Source + "\n\n"
			}
		}
	}
	return text
}

func (w *writer) spoil(d *draft) {
	faults := map[Quirk][]bench.Phrase{Raises: w.v.Raises, Loops: w.v.Loops, Slow: w.v.Slow}[w.slip]
	switch {
	case len(faults) > 0:
		code := d.bring(pick(w.r, faults).Code)
		d.insert(d.tail(), code)
	case w.slip == Invalid && len(w.v.Invalid) > 0 && len(d.outputs) > 0:
		d.close(pick(w.r, w.v.Invalid).Code)
	case w.slip == Foreign && len(d.outputs) > 0 && chance(w.r, 0.5):
		d.insert(d.tail(), d.outputs[0]+" = "+d.outputs[0]+" * smoothing_factor")
	case w.slip == Foreign:
		w.foreign = "import torch\n"
	case w.slip == BrokenContract:
		w.breach(d)
	}
}

func (w *writer) breach(d *draft) {
	c := w.prompt.contract
	forbidden := slices.DeleteFunc(names(w.prompt.eaps), c.allows)
	switch x := w.r.Float64(); {
	case len(forbidden) > 0 && (x < 0.25 || len(c.must) == 0):
		d.use(w.eap(pick(w.r, forbidden)), w.prompt.target)
	case len(c.must) == 0:
	case x < 0.35: // the program rebinds the EAP's name
		d.insert(d.tail(), pick(w.r, c.must)+" = None")
	default:
		missing := w.eap(pick(w.r, c.must))
		d.drop(missing)
		if x < 0.55 { // the code still contains the name
			d.insert(0, "# "+missing.Name+"() is taken into account below\npass")
		}
	}
}

func (w *writer) misnamed(header string) string {
	name := w.prompt.target.Name
	if chance(w.r, 0.5) || len(w.prompt.target.Params) == 0 {
		return strings.Replace(header, name+"(", "solve_"+base(name)+"(", 1)
	}
	return withParams(header, ", step")
}

func withParams(header, params string) string {
	i := max(0, strings.LastIndexByte(header, ')'))
	return header[:i] + params + header[i:]
}
