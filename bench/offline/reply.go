package offline

import (
	"strings"

	"github.com/pacebench/pacebench/bench/offline/pytext"
)

// reply writes the answer in the form that the prompt asks for.
func (w *writer) reply() string {
	p := w.prompt
	w.slip = w.rates.draw(mistakes(p), w.r.Float64())
	if p.refusal != "" && w.slip == None && !chance(w.r, w.rates[Repaired]) {
		w.slip = again(p)
	}
	switch p.answer {
	case answerFunctions, answerFunction:
		return w.helpers()
	case answerText, answerSentence:
		return w.words()
	case answerRanges:
		return w.ranges()
	}
	return w.program()
}

// again is the mistake of a repair that fails: the kind of fault that was refused.
func again(p *prompt) Quirk {
	program := p.answer == answerProgram || p.answer == answerCode
	switch {
	case p.answer == answerText || p.answer == answerSentence || p.answer == answerRanges:
		return None
	case program && len(p.eaps) > 0 && p.contract.stated():
		return BrokenContract
	case !program && strings.Contains(strings.ToLower(p.refusal), "docstring"):
		return NoDocstring
	}
	return Unparsable
}

// wrap makes a reply of a sentence and code, as a language model would, with the mistakes and the
// clumsy forms of replies.
func (w *writer) wrap(says, code string) string {
	thought := w.prompt.answer == answerProgram && w.slip != NoThought
	idea := ""
	if thought {
		idea = "{" + says + "}\n\n"
	}
	code = strings.TrimRight(code, "\n")
	if w.slip == Unparsable {
		return idea + w.unparsable(code)
	}
	form := w.rates.draw(forms(w.prompt, thought), w.r.Float64())
	text := w.dress(says, idea, code, form)
	if w.prompt.analysed { // behind a draft, if there is one
		think, rest := cutThink(text)
		text = think + w.diagnosis() + rest
	}
	if w.slip == Prose && form != Sentence { // where the sentence before the code is the idea
		text = pick(w.r, []string{
			"Sure! Here is what I came up with.",
			"Let me think about what decides a good choice.", "Here's the new version:",
		}) + "\n\n" + text
	}
	if w.slip == Prose && form != Bare { // where nothing says where the code ends
		text += "\n\n" + pick(w.r, []string{
			"This keeps the rule cheap while it looks further ahead.",
			"I hope this helps.", "**Note:** the constants can be tuned further.",
		})
	}
	return text
}

// cutThink separates what a text says between think tags from the rest.
func cutThink(text string) (think, rest string) {
	end := strings.Index(text, "</think>\n\n")
	if end < 0 {
		return "", text
	}
	end += len("</think>\n\n")
	return text[:end], text[end:]
}

// diagnosis stands in for what a model with eyes says of the picture of a program: it names what
// the program rests on, for the model does not look at pictures.
func (w *writer) diagnosis() string {
	good, _ := w.contrast()
	return "'The run in the picture follows from this rule: " + w.describe() + "'\n\n" +
		"[The result rests on " + enumerate(good[:min(3, len(good))]) +
		"; other terms and other weights may do better.]\n\n"
}

// fenced is a block of code.
func fenced(code string) string { return "```python\n" + code + "\n```" }

// dress puts the sentence and the code into a form. The idea is the sentence in braces, or empty.
func (w *writer) dress(says, idea, code string, form Quirk) string {
	p := w.prompt
	switch form {
	case Bare:
		return idea + code
	case Inside:
		return fenced(idea + code)
	case Apart:
		head, rest, ok := strings.Cut(code, "\n\n")
		if ok && !strings.Contains(head, "def ") {
			return idea + fenced(head) + "\n\nand the function:\n\n" + fenced(rest)
		}
	case Example: // its arguments are defined nowhere
		code += "\n\n\n# Example usage\nresult = " + w.targetCall(p.target.Name) + "\nprint(result)"
	case Sentence:
		return says + "\n\n" + fenced(code)
	case Draft:
		return "<think>\nA first try:\n\n" + fenced(p.target.Header+"\n    return 0") +
			"\n\nThat looks at nothing. I can do better.\n</think>\n\n" + idea + fenced(code)
	case Copied:
		copies := ""
		for _, h := range p.eaps {
			if pytext.Calls(code, h.Name) {
				copies += strings.Trim(h.Source, "\n") + "\n\n\n"
			}
		}
		code = copies + code
	}
	return idea + fenced(code)
}

// unparsable spoils code so that no program can be taken out of it.
func (w *writer) unparsable(code string) string {
	at := strings.Index(code, "def ")
	open := at + max(0, strings.IndexByte(code[max(0, at):], '('))
	x := w.r.Float64()
	switch {
	case x < 0.3 || at < 0:
		return "I would first collect the features of all options, then weigh them against each " +
			"other, and finally return the best one."
	case x < 0.6: // cut off in the signature, and the fence never closes
		return "```python\n" + code[:min(open+13, len(code))]
	}
	var b strings.Builder
	for line := range strings.Lines(code) {
		if strings.HasPrefix(line, "def ") && x < 0.8 {
			line = strings.TrimSuffix(line, ":\n") + "\n"
		} else if strings.HasPrefix(line, "def ") {
			line = strings.Replace(line, ")", "", 1) // the parameter list never closes
		}
		b.WriteString(line)
	}
	return fenced(b.String())
}
