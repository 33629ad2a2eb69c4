package sandbox

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench/py"
)

// maxDetail is the longest Fault.Detail in bytes.
const maxDetail = 300

var (
	// An address differs from run to run.
	address = regexp.MustCompile(`0x[0-9a-fA-F]{4,}`)
	// A path differs from machine to machine; its last element is kept, it may be the point.
	path = regexp.MustCompile(`(^|[\s'"(=:\[,])/(?:[^\s'"/:()]+/)+([^\s'"/:()]*)`)
)

// clean makes a child's words fit for a journal: one line of at most maxDetail bytes, valid
// UTF-8, printable, free of addresses and paths, the same on every run.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	s = address.ReplaceAllString(s, "0x…")
	return py.Shorten(path.ReplaceAllString(s, "${1}…/$2"), maxDetail)
}
