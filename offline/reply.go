package offline

import (
	"strings"

	"github.com/pacebench/pacebench/offline/pytext"
)

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

// again returns the mistake of a failing repair, which resembles the refused mistake.
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

// wrap makes a reply from a sentence and code, as a language model would, with the mistake and the
// clumsy form of this reply.
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
	if w.prompt.analysed {
		text = w.diagnosis() + text
	}
	if form == Draft {
		text = "<think>\nA first try:\n\n" + fenced(w.prompt.target.Header+"\n    return 0") +
			"\n\nThat looks at nothing. I can do better.\n</think>\n\n" + text
	}
	if w.slip == Prose && form != Sentence { // in Sentence, the idea precedes the code
		text = pick(w.r, []string{
			"Sure! Here is what I came up with.",
			"Let me think about what decides a good choice.", "Here's the new version:",
		}) + "\n\n" + text
	}
	if w.slip == Prose && form != Bare { // a fence marks where the code ends
		text += "\n\n" + pick(w.r, []string{
			"This keeps the rule cheap while it looks further ahead.",
			"I hope this helps.", "**Note:** the constants can be tuned further.",
		})
	}
	return text
}

// diagnosis returns what a model with vision would say about the picture of a program. The embedded
// model does not look at pictures; it names the features that the program reads.
func (w *writer) diagnosis() string {
	good, _ := w.contrast()
	return "'The run in the picture follows from this rule: " + w.describe() + "'\n\n" +
		"[The result rests on " + enumerate(good[:min(3, len(good))]) +
		"; other terms and other weights may do better.]\n\n"
}

func fenced(code string) string { return "```python\n" + code + "\n```" }

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
	case Example: // the arguments of the call are not defined
		code += "\n\n\n# Example usage\nresult = " + w.targetCall(p.target.Name) + "\nprint(result)"
	case Sentence:
		return says + "\n\n" + fenced(code)
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

// A Quirk is one way in which a reply differs from a plain, good reply.
type Quirk uint8

const (
	None Quirk = iota

	// Mistakes in code, at most one in a reply.
	Unparsable // no program can be extracted: a faulty def line, no code, or truncated code
	Prose      // not a mistake: sentences around the code

	// Mistakes in programs.
	NoThought      // the requested sentence in braces is missing
	BrokenContract // a required call is missing, a forbidden call is made, or an EAP is rebound
	Raises         // the program raises an exception
	Loops          // it never returns, which costs the whole time limit
	Slow           // it takes seconds, but other programs take milliseconds
	Invalid        // it returns what the evaluator refuses
	WrongName      // the function has another name or an additional parameter
	Foreign        // it imports a module that tasks refuse, or uses a name that nothing defines
	Repaired       // not a mistake: an answer to a repair prompt corrects what was refused

	// Mistakes in helper functions.
	NoDocstring // a helper has no docstring
	Duplicate   // a helper repeats another helper with a new name and new constants
	NotAlone    // a helper uses the target or an undefined name

	// A mistake in parameter ranges: not a literal dictionary, or unknown parameters.
	BadRanges

	// Clumsy forms, from which the same program can be extracted. They are drawn independently of
	// the mistakes, at most one in a reply. Small language models write all of them.
	Bare     // no fence around the code
	Inside   // the sentence in braces is inside the fence
	Apart    // the imports are in a fence of their own
	Example  // an example of use follows the code inside the fence
	Sentence // the sentence before the code has no braces
	Draft    // a draft between <think> tags comes first
	Copied   // the EAPs that the code calls are repeated above it

	quirks
)

// Rates are the probabilities of quirks in the replies that can have them.
type Rates [quirks]float64

// StatedRates returns the default rates of the model. They have the order of magnitude of published
// rates for programs by language models; the PACE paper states none. With these rates, a run of
// 1000 evaluations takes almost every path.
func StatedRates() Rates {
	return Rates{
		Unparsable: 0.04, Prose: 0.08,
		NoThought: 0.01, BrokenContract: 0.06, Raises: 0.05, Loops: 0.001, Slow: 0.002,
		Invalid: 0.015, WrongName: 0.005, Foreign: 0.02, Repaired: 0.5,
		NoDocstring: 0.03, Duplicate: 0.08, NotAlone: 0.02,
		BadRanges: 0.06,
		Bare:      0.05, Inside: 0.04, Apart: 0.03, Example: 0.03, Sentence: 0.02, Draft: 0.02,
		Copied: 0.03,
	}
}

// mistakes lists the quirks that a reply to the prompt may have. Answers depend on the order.
func mistakes(p *prompt) []Quirk {
	switch p.answer {
	case answerProgram, answerCode:
		list := []Quirk{Unparsable, Raises, Loops, Slow, Invalid, WrongName, Foreign, Prose}
		if p.answer == answerProgram {
			list = append(list, NoThought)
			if len(p.eaps) > 0 && p.contract.stated() {
				list = append(list, BrokenContract)
			}
		}
		return list
	case answerFunctions, answerFunction:
		return []Quirk{Unparsable, NoDocstring, Duplicate, NotAlone, Prose}
	case answerRanges:
		return []Quirk{Unparsable, BadRanges, Prose}
	}
	return nil
}

// forms lists the clumsy forms that a reply to the prompt may have, with or without a sentence.
// Answers depend on the order.
func forms(p *prompt, thought bool) []Quirk {
	list := []Quirk{Draft}
	if p.answer == answerRanges {
		return list
	}
	if p.answer != answerCode {
		list = append(list, Bare)
	}
	if p.answer == answerFunctions || p.answer == answerFunction {
		return list
	}
	list = append(list, Apart, Example)
	if thought {
		list = append(list, Inside, Sentence)
	}
	if len(p.eaps) > 0 {
		list = append(list, Copied)
	}
	return list
}

// draw picks one of the quirks, or None. u is a uniform random number in [0, 1).
func (r Rates) draw(among []Quirk, u float64) Quirk {
	for _, q := range among {
		if u < r[q] {
			return q
		}
		u -= r[q]
	}
	return None
}
