package record

import (
	"bytes"
	"slices"
)

// omitOver is the length in bytes above which LoadWithoutTexts keeps only programs and the replies
// that may be refused. Longer texts are most of a journal, and nothing is counted from them.
const omitOver = 1024

// Omitted replaces a long text that LoadWithoutTexts skipped.
const Omitted = "…"

// omitLong appends a line of JSON to dst. It replaces every string longer than most bytes with
// Omitted, except programs, the values of "source", and the replies of a step that asked for a
// program several times or evaluated none: RefusalOf of package results reads refused replies.
// omitLong only looks for quotes, so that a report of a hundred runs takes seconds. Valid JSON
// stays valid.
func omitLong(dst, line []byte, most int) []byte {
	var replies [][2]int // places of long replies in dst
	asked, evaluated := 0, false
	var key []byte
	for {
		start := bytes.IndexByte(line, '"')
		length := -1
		if start >= 0 {
			length = stringLength(line[start+1:])
		}
		if length < 0 {
			dst = append(dst, line...)
			break
		}
		end := start + 1 + length + 1
		dst = append(dst, line[:start]...)
		value, rest := line[start:end], line[end:]
		isReply := bytes.HasSuffix(dst, []byte(`"reply":{"text":`))
		switch {
		case isReply:
			asked++
		case string(key) == `"purpose"` && advises(value):
			asked--
		case string(value) == `"evaluations"` && bytes.HasPrefix(rest, []byte(":[")):
			evaluated = true
		}
		switch {
		case length <= most || bytes.HasSuffix(dst, []byte(`"source":`)):
			dst = append(dst, value...)
		case isReply:
			replies = append(replies, [2]int{len(dst), len(dst) + len(value)})
			dst = append(dst, value...)
		default:
			dst = append(dst, `"`+Omitted+`"`...)
		}
		key, line = value, rest
	}
	if asked > 1 || asked == 1 && !evaluated {
		return dst
	}
	for _, r := range slices.Backward(replies) {
		dst = slices.Replace(dst, r[0], r[1], []byte(`"`+Omitted+`"`)...)
	}
	return dst
}

// advises reports whether a request with this purpose, in quotes, never asks for a program.
func advises(purpose []byte) bool {
	return bytes.HasPrefix(purpose, []byte(`"reflection`)) ||
		bytes.HasPrefix(purpose, []byte(`"thought`))
}

// stringLength returns the number of bytes before the quote that ends a string; -1 if there is no
// such quote.
func stringLength(s []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(s[from:], '"')
		if i < 0 {
			return -1
		}
		end := from + i
		slashes := 0
		for end-slashes > from && s[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end
		}
		from = end + 1
	}
}
