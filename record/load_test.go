package record

import (
	"strings"
	"testing"
)

// A result warns of a task that tripped over more than one answer in 20, and says over which first.
func TestUnusableAnswers(t *testing.T) {
	l := &Loaded{Header: Header{Budget: 40}}
	for i := range 40 {
		e := Evaluation{Evaluation: i + 1}
		switch i {
		case 3, 30:
			e.Fault = &Fault{Kind: Invalid, Detail: Unusable + "TypeError: (line 3 of the task)"}
		case 4, 5, 6:
			e.Fault = &Fault{Kind: Invalid, Detail: "returned a set"}
		}
		l.Records = append(l.Records, Line{Step: &Step{Evaluations: []Evaluation{e}}})
	}
	if w := l.Summarize().Warnings; len(w) != 0 {
		t.Errorf("2 of 40: %q", w)
	}
	l.Records[39].Step.Evaluations[0].Fault = &Fault{Kind: Invalid, Detail: Unusable + "later"}
	w := l.Summarize().Warnings
	if len(w) != 1 || !strings.HasPrefix(w[0], "3 of 40 programs failed") ||
		!strings.HasSuffix(w[0], "TypeError: (line 3 of the task)") {
		t.Errorf("3 of 40: %q", w)
	}
}
