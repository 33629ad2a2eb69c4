package prompt

import (
	"fmt"
	"strings"
)

// A Contract says which EAPs an answer has to call. The zero value says nothing.
type Contract struct {
	Exactly []string // these and no other; the other fields are not used then
	Must    []string
	MustNot []string
	May     []string
	AtMost  int // calls in all; 0 for no bound
}

// Lines are the contract's lines, each beginning with its fixed words.
func (c Contract) Lines() string {
	if c.Exactly != nil {
		return "Call exactly: " + Names(c.Exactly) + " and no other EAP."
	}
	var lines []string
	add := func(words string, names []string) {
		if len(names) > 0 {
			lines = append(lines, words+" "+Names(names))
		}
	}
	add("Must call:", c.Must)
	add("Must not call:", c.MustNot)
	add("May also call:", c.May)
	if c.AtMost > 0 {
		lines = append(lines, fmt.Sprintf("Call at most %d of them.", c.AtMost))
	}
	return strings.Join(lines, "\n")
}
