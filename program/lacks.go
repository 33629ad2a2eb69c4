package program

import (
	"regexp"
	"strings"
)

// Descriptions of replies without a program, as Lacks returns them.
const (
	Empty    = "empty"
	Thinking = "only thinking"
	Diff     = "a diff"
	NoCode   = "no function"
)

var diff = regexp.MustCompile(
	`(?m)^(?:<{5,} ?SEARCH|@@ -\d|\*\*\* (?:Begin|Update) |--- \S+\n\+\+\+ )`)

// Lacks describes a reply that holds no program; "" if it holds a function definition. It reads
// only the text, which may still be invalid Python.
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

// cutAnalysis matches the thinking of gpt-oss without its marks and without an answer after it.
var cutAnalysis = regexp.MustCompile(`\A\s*analysis[A-Z]`)
