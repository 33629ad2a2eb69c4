package offline

// A Quirk is one way in which a reply falls short of a plain good one.
type Quirk uint8

const (
	None Quirk = iota

	// Mistakes in code, at most one in a reply.
	Unparsable // no program can be taken out: a def line with a fault, no code, or half of it
	Prose      // not a mistake: sentences around the code

	// Mistakes in programs.
	NoThought      // the sentence in braces is missing where one was asked for
	BrokenContract // a demanded call is missing, a forbidden one is there, or an EAP is rebound
	Raises         // the program raises an exception
	Loops          // it never returns: costs the whole time limit
	Slow           // it takes seconds where others take milliseconds
	Invalid        // it returns what the evaluator refuses
	WrongName      // the function has another name or a parameter more
	Foreign        // it imports a module that tasks refuse, or uses a name that nothing defines
	Repaired       // of answers to a repair prompt: corrects what was refused

	// Mistakes in helper functions.
	NoDocstring // a helper has no docstring
	Duplicate   // a helper repeats one that is shown, with another name and other constants
	NotAlone    // a helper uses the target or a name that nothing defines

	// A mistake in parameter ranges: not a literal dictionary, or of names that are not parameters.
	BadRanges

	// Clumsy forms, from which the same program can be read. They are drawn apart from the
	// mistakes, at most one in a reply. Small language models write all of them.
	Bare     // no fence around the code
	Inside   // the sentence in braces stands inside the fence
	Apart    // the imports stand in a fence of their own
	Example  // an example of use follows the code inside the fence
	Sentence // the sentence before the code has no braces
	Draft    // a draft between <think> tags comes first
	Copied   // the EAPs that the code calls are repeated above it

	quirks
)

// Rates are the probabilities of quirks in the replies to which they apply.
type Rates [quirks]float64

// StatedRates are the rates of the model as it comes. They are ours, of the order that
// reports on language models as program writers give (the PACE paper states none), so that every
// path of a run is taken a few times in 1000 evaluations.
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

// mistakes lists the quirks that a reply to the prompt may have. The order is part of the model.
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

// forms lists the clumsy forms that a reply to the prompt may have, with or without a sentence. The
// order is part of the model.
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

// draw picks one of the quirks, or None, by a uniform number.
func (r Rates) draw(among []Quirk, u float64) Quirk {
	for _, q := range among {
		if u < r[q] {
			return q
		}
		u -= r[q]
	}
	return None
}
