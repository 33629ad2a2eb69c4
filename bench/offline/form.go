package offline

import (
	"strings"
)

// A form is the shape in which a reply gives its sentence and its code. All but the asked one are
// clumsy and hold the same program: they are what small language models write.
type form uint8

const (
	formAsked    form = iota // the sentence in braces, then one block that holds only code
	formBare                 // no fence
	formInside               // the sentence stands inside the fence
	formApart                // the imports stand in a fence of their own
	formExample              // the code is followed by an example of its use
	formSentence             // the sentence has no braces
	formDraft                // a draft between <think> tags comes first
	formCopied               // the helper functions that the prompt shows are repeated above the code
)

// A formShare is a form with its probability.
type formShare struct {
	form form
	rate float64
}

// forms lists the clumsy forms that a reply to the prompt may have. The order is part of the model.
func (r Rates) forms(p *prompt, thought bool) []formShare {
	all := []formShare{{formDraft, r.Draft}}
	if p.answer == answerRanges {
		return all
	}
	if p.answer != answerCode {
		all = append(all, formShare{formBare, r.Bare})
	}
	if p.answer != answerCode && p.answer != answerProgram {
		return all
	}
	all = append(all, formShare{formApart, r.Apart}, formShare{formExample, r.Example})
	if thought {
		all = append(all, formShare{formInside, r.Inside}, formShare{formSentence, r.Sentence})
	}
	if len(p.eaps) > 0 {
		all = append(all, formShare{formCopied, r.Copied})
	}
	return all
}

// drawForm picks the form of a reply from one uniform number.
func (r Rates) drawForm(p *prompt, thought bool, u float64) form {
	for _, s := range r.forms(p, thought) {
		if u < s.rate {
			return s.form
		}
		u -= s.rate
	}
	return formAsked
}

// fenced is a block of code.
func fenced(code string) string { return "```python\n" + code + "\n```" }

// dress puts the sentence, which may be empty, and the code into a form.
func (w *writer) dress(says, code string, f form) string {
	idea := ""
	if says != "" {
		idea = "{" + says + "}\n\n"
	}
	switch f {
	case formBare:
		return idea + code
	case formInside:
		return fenced(idea + code)
	case formApart:
		if head, rest, ok := strings.Cut(code, "\n\n"); ok && !strings.Contains(head, "def ") {
			return idea + fenced(head) + "\n\nand the function:\n\n" + fenced(rest)
		}
	case formExample:
		return idea + fenced(code+"\n\n\n# Example usage\n"+w.example())
	case formSentence:
		return says + "\n\n" + fenced(code)
	case formDraft:
		return "<think>\nA first try:\n\n" + fenced(w.prompt.target.header+"\n    return 0") + "\n\nThat looks at nothing. I can do better.\n</think>\n\n" + idea + fenced(code)
	case formCopied:
		var copies strings.Builder
		for _, h := range w.prompt.eaps {
			if calls(code, h.name) {
				copies.WriteString(strings.Trim(h.source, "\n") + "\n\n\n")
			}
		}
		return idea + fenced(copies.String()+code)
	}
	return idea + fenced(code)
}

// example calls the target as a reply shows its use. Its arguments are defined nowhere.
func (w *writer) example() string {
	var args []string
	for _, q := range w.prompt.target.params {
		args = append(args, q.name)
	}
	return "result = " + w.prompt.target.name + "(" + strings.Join(args, ", ") + ")\nprint(result)"
}
