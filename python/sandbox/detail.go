package sandbox

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pacebench/pacebench/python"
)

// maxDetail is the longest Fault.Detail in bytes.
const maxDetail = 300

var (
	// An address differs from run to run.
	address = regexp.MustCompile(`0x[0-9a-fA-F]{4,}`)
	// A path differs from machine to machine; its last element stays, because it may matter.
	path = regexp.MustCompile(`(^|[\s'"(=:\[,])/(?:[^\s'"/:()]+/)+([^\s'"/:()]*)`)
)

// clean makes a child's text fit for a journal: one line of at most maxDetail bytes, valid UTF-8,
// printable, without addresses and paths, and so the same in every run.
func clean(s string) string {
	s = python.OneLine(strings.ReplaceAll(s, string(utf8.RuneError), "?"), '?')
	s = address.ReplaceAllString(s, "0x…")
	return python.Shorten(path.ReplaceAllString(s, "${1}…/$2"), maxDetail)
}
