package program

import (
	"regexp"
	"strings"
)

// What a reply without a program was, as Lacks names it.
const (
	Empty    = "empty"
	Thinking = "only thinking"
	Diff     = "a diff"
	NoCode   = "no function"
)

var diff = regexp.MustCompile(
	`(?m)^(?:<{5,} ?SEARCH|@@ -\d|\*\*\* (?:Begin|Update) |--- \S+\n\+\+\+ )`)

// Lacks says what a reply is in place of a program; "" if it holds a function definition. It reads
// the text only, which may still not be valid Python.
func Lacks(reply string) string {
	reply, err := tidy(reply)
	if err != nil {
		return NoCode
	}
	text := answer(reply)
	switch {
	case strings.TrimSpace(reply) == "":
		return Empty
	case definition.MatchString(text):
		return ""
	case strings.TrimSpace(Words(reply)) == "", cutAnalysis.MatchString(reply):
		return Thinking
	case diff.MatchString(text):
		return Diff
	}
	return NoCode
}

// cutAnalysis is the thinking of gpt-oss without its marks and without an answer behind it.
var cutAnalysis = regexp.MustCompile(`\A\s*analysis[A-Z]`)
