package python

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// mostOutput is the number of bytes of a process's output that are kept, enough for several
// tracebacks.
const mostOutput = 8 << 10

// A Tail keeps the end of what is written to it.
type Tail struct {
	mu   sync.Mutex
	text []byte // guarded by mu
}

func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - mostOutput; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(b), nil
}

// Take returns the text and forgets it.
func (t *Tail) Take() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	t.text = nil
	return text
}

// LastLine returns the last line of the text; see the function LastLine.
func (t *Tail) LastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return LastLine(string(t.text))
}

// LastLine returns the last line that is not empty: the message of a Python traceback.
func LastLine(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "?"))
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

// OneLine returns a process's output as one line of printable UTF-8, for an error. White space and
// control characters become single spaces, and other unprintable characters become mark.
func OneLine(s string, mark rune) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case !unicode.IsPrint(r):
			return mark
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.Join(strings.Fields(s), " ")
}

// Shorten cuts a text that is longer than most bytes, and marks the cut.
func Shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const mark = "…"
	end := most - len(mark)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}
