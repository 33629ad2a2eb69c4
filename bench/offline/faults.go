package offline

import (
	"strings"
)

// spoil makes the mistakes of programs in a draft.
func (w *writer) spoil(d *draft) {
	f := w.v.Faults
	insert := func(list []string) {
		if len(list) > 0 && d.outputs != nil {
			code := d.bring(pick(w.r, list))
			at := d.tail()
			for _, s := range readStatements(code) {
				d.insert(at, s.text)
				at++
			}
		}
	}
	switch w.slip {
	case slipRaises:
		insert(f.Raises)
	case slipLoops:
		insert(f.Loops)
	case slipSlow:
		insert(f.Slow)
	case slipInvalid:
		if len(f.Invalid) > 0 && d.outputs != nil {
			d.close(pick(w.r, f.Invalid))
		}
	case slipForeign:
		// The other half imports a module, see imports.
		if d.outputs != nil && chance(w.r, 0.5) {
			d.insert(d.tail(), d.outputs[0]+" = "+d.outputs[0]+" * smoothing_factor")
		} else {
			w.foreign = "import torch\n"
		}
	case slipContract:
		w.breach(d)
	}
}

// breach breaks the contract over helper calls.
func (w *writer) breach(d *draft) {
	p := w.prompt
	var forbidden []helper
	for _, h := range p.eaps {
		if !p.contract.allows(h.name) {
			forbidden = append(forbidden, h)
		}
	}
	switch x := w.r.Float64(); {
	case x < 0.25 && len(forbidden) > 0 && d.outputs != nil:
		d.use(pick(w.r, forbidden), p.target)
	case x < 0.35 && len(p.contract.must) > 0 && d.outputs != nil:
		// The EAP's name is bound anew.
		d.insert(d.tail(), pick(w.r, p.contract.must)+" = None")
	case len(p.contract.must) > 0:
		missing := pick(w.r, p.contract.must)
		for _, h := range p.eaps {
			if h.name == missing {
				d.drop(h)
				break
			}
		}
		if x < 0.55 { // it is mentioned all the same
			d.insert(0, "# "+missing+"() is taken into account below\npass")
		}
	default:
		if len(forbidden) > 0 && d.outputs != nil {
			d.use(pick(w.r, forbidden), p.target)
		}
	}
}

// misnamed is a header with a wrong name, or with a parameter more.
func (w *writer) misnamed(header string) string {
	if chance(w.r, 0.5) {
		return strings.Replace(header, w.prompt.target.name+"(", "solve_"+base(w.prompt.target.name)+"(", 1)
	}
	if i := strings.LastIndexByte(header, ')'); i >= 0 && len(w.prompt.target.params) > 0 {
		return header[:i] + ", step" + header[i:]
	}
	return header
}

// wrap makes a reply of a sentence and code, as a language model would, with the mistakes of replies.
func (w *writer) wrap(says, code string) string {
	p := w.prompt
	code = strings.TrimRight(code, "\n")
	thought := p.answer == answerProgram && w.slip != slipNoThought
	if !thought {
		says = ""
	} else if says == "" {
		says = "Apply a simple rule to the inputs."
	}
	before, after := "", ""
	switch w.slip {
	case slipUnparsable:
		if thought {
			says = "{" + says + "}\n\n"
		}
		return w.unparsable(says, code)
	case slipProse:
		before = pick(w.r, []string{"Sure! Here is what I came up with.\n\n", "Let me think about what decides a good choice.\n\n", "Here's the new version:\n\n"})
		after = pick(w.r, []string{"\n\nThis keeps the rule cheap while it looks further ahead.", "\n\nI hope this helps.", "\n\n**Note:** the constants can be tuned further."})
	}
	f := w.model.rates.drawForm(p, thought, w.r.Float64())
	if f == formBare {
		after = "" // nothing would say where the code ends
	}
	if f == formSentence {
		before = "" // one sentence stands before the code, and it is the idea
	}
	return before + w.dress(says, code, f) + after
}

// unparsable is a reply from which no program can be taken.
func (w *writer) unparsable(thought, code string) string {
	at := strings.Index(code, "def ")
	open := -1
	if at >= 0 {
		open = strings.IndexByte(code[at:], '(')
	}
	switch x := w.r.Float64(); {
	case x < 0.3 || open < 0:
		return thought + "I would first collect the features of all options, then weigh them against each other, and finally return the best one."
	case x < 0.6: // cut off in the signature, the fence never closes
		return thought + "```python\n" + code[:at+open+1+min(12, len(code)-at-open-1)]
	case x < 0.8: // every def line lacks its colon
		var lines []string
		for line := range strings.Lines(code) {
			if strings.HasPrefix(line, "def ") {
				line = strings.TrimSuffix(strings.TrimRight(line, "\n"), ":") + "\n"
			}
			lines = append(lines, line)
		}
		return thought + "```python\n" + strings.Join(lines, "") + "\n```"
	}
	// The parameter list is never closed.
	var lines []string
	for line := range strings.Lines(code) {
		if strings.HasPrefix(line, "def ") {
			line = strings.Replace(line, ")", "", 1)
		}
		lines = append(lines, line)
	}
	return thought + "```python\n" + strings.Join(lines, "") + "\n```"
}
