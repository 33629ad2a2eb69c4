package host

import (
	"strings"
	"unicode"

	"github.com/pacebench/pacebench/bench/py"
)

// mostText is how much is kept of what a process says in an error, in bytes. Our choice.
const mostText = 500

// oneLine makes a text fit for an error: one printable line of at most mostText bytes.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return py.Shorten(strings.Join(strings.Fields(s), " "), mostText)
}
