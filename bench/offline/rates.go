package offline

// Rates say how often the model errs. Each is the probability for one reply of the kinds named;
// at most one mistake is made in a reply. They are ours: of the order that reports on language
// models as program writers give (the PACE paper states none), so that every path of a run is
// walked a few times in 1000 evaluations.
type Rates struct {
	// Replies that hold code.
	Unparsable float64 // no program can be taken out: a slip in the def line, no code at all, cut off in the signature
	Prose      float64 // no mistake: sentences around the code
	// Replies in a clumsy form, which is no mistake either: what is meant can be read out of each. They
	// are drawn apart from the mistakes, at most one in a reply.
	Bare     float64 // no fence around the code
	Inside   float64 // the sentence in braces stands inside the fence
	Apart    float64 // the imports stand in a fence of their own
	Example  float64 // an example of use follows the code inside the fence
	Sentence float64 // the sentence before the code has no braces
	Draft    float64 // a draft between <think> tags comes first
	Copied   float64 // the EAPs that the code calls are repeated above it
	// Replies that hold a program.
	NoThought      float64 // the sentence in braces is missing, where one was asked for
	BrokenContract float64 // a demanded call is missing, a forbidden one is there, or an EAP is defined anew; where EAPs are shown
	Raises         float64 // the program raises an exception when it runs
	Loops          float64 // it never returns: costs the whole time limit
	Slow           float64 // it takes seconds where others take milliseconds
	Invalid        float64 // it returns what the evaluator refuses
	WrongName      float64 // the function has another name or a parameter more
	Foreign        float64 // it imports a module that is not allowed, or uses a name that nothing defines
	// Repaired is the probability that a reply to a repair prompt corrects what was refused.
	Repaired float64
	// Replies that hold helper functions.
	NoDocstring float64 // a helper has no docstring
	Duplicate   float64 // a helper repeats one that is shown, with other names and constants
	NotAlone    float64 // a helper uses the target or a name that nothing defines
	// Replies with parameter ranges.
	BadRanges float64 // the ranges are no literal dictionary or name no parameter
}

// StatedRates are the rates of the model as it comes.
func StatedRates() Rates {
	return Rates{
		Unparsable: 0.04, Prose: 0.08,
		Bare: 0.05, Inside: 0.04, Apart: 0.03, Example: 0.03, Sentence: 0.02, Draft: 0.02, Copied: 0.03,
		NoThought: 0.01, BrokenContract: 0.06, Raises: 0.05, Loops: 0.001, Slow: 0.002, Invalid: 0.015, WrongName: 0.005, Foreign: 0.02,
		Repaired:    0.5,
		NoDocstring: 0.03, Duplicate: 0.08, NotAlone: 0.02,
		BadRanges: 0.06,
	}
}

// Perfect are the rates of a model that never errs, for tests.
func Perfect() Rates { return Rates{Repaired: 1} }

// A slip is one mistake.
type slip uint8

const (
	noSlip slip = iota
	slipUnparsable
	slipProse
	slipNoThought
	slipContract
	slipRaises
	slipLoops
	slipSlow
	slipInvalid
	slipName
	slipForeign
	slipNoDocstring
	slipDuplicate
	slipNotAlone
	slipRanges
)

// share is a slip with its probability.
type share struct {
	slip slip
	rate float64
}

// shares lists the slips that a reply to the prompt may have. The order is part of the
// model: a draw picks by cumulative probability.
func (r Rates) shares(p *prompt) []share {
	program := []share{
		{slipUnparsable, r.Unparsable}, {slipContract, 0}, {slipRaises, r.Raises}, {slipLoops, r.Loops}, {slipSlow, r.Slow},
		{slipInvalid, r.Invalid}, {slipName, r.WrongName}, {slipForeign, r.Foreign}, {slipNoThought, 0}, {slipProse, r.Prose},
	}
	switch p.answer {
	case answerProgram:
		if len(p.eaps) > 0 && p.contract.stated() {
			program[1].rate = r.BrokenContract
		}
		program[8].rate = r.NoThought
		return program
	case answerCode:
		return program
	case answerFunctions, answerFunction:
		return []share{{slipUnparsable, r.Unparsable}, {slipNoDocstring, r.NoDocstring}, {slipDuplicate, r.Duplicate}, {slipNotAlone, r.NotAlone}, {slipProse, r.Prose}}
	case answerRanges:
		return []share{{slipUnparsable, r.Unparsable}, {slipRanges, r.BadRanges}, {slipProse, r.Prose}}
	}
	return nil
}

// draw picks the slip of a reply from one uniform number.
func (r Rates) draw(p *prompt, u float64) slip {
	for _, s := range r.shares(p) {
		if u < s.rate {
			return s.slip
		}
		u -= s.rate
	}
	return noSlip
}
