package record

import "bytes"

// omitOver is the length in bytes above which LoadWithoutTexts keeps only programs and the replies
// that may be refused. Longer texts are most of a journal, and nothing is counted from them.
const omitOver = 1024

// reply comes before the text of a reply in a journal.
const reply = `"reply":{"text":`

// Omitted replaces a long text that LoadWithoutTexts skipped.
const Omitted = "…"

// omitLong appends a line of JSON to dst. It replaces every string longer than most bytes with
// Omitted, except programs, the values of "source", and the replies of a step with several replies
// or without an evaluation: RefusalOf of package results reads refused replies. omitLong only looks
// for quotes, so that a report of a hundred runs takes seconds. Valid JSON stays valid.
func omitLong(dst, line []byte, most int) []byte {
	replies := bytes.Count(line, []byte(reply)) > 1 ||
		!bytes.Contains(line, []byte(`"evaluations":[`))
	for {
		start := bytes.IndexByte(line, '"')
		if start < 0 {
			return append(dst, line...)
		}
		length := stringLength(line[start+1:])
		if length < 0 {
			return append(dst, line...)
		}
		end := start + 1 + length + 1
		dst = append(dst, line[:start]...)
		if length > most && !bytes.HasSuffix(dst, []byte(`"source":`)) &&
			!(replies && bytes.HasSuffix(dst, []byte(reply))) {
			dst = append(dst, `"`+Omitted+`"`...)
		} else {
			dst = append(dst, line[start:end]...)
		}
		line = line[end:]
	}
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
