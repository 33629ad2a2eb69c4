package host

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// mostOutput is how much is kept of what a process prints, mostText of what it says in an error.
// Both ours, in bytes.
const (
	mostOutput = 8 << 10
	mostText   = 500
)

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte // guarded by mu
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - mostOutput; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(b), nil
}

// take returns the text and forgets it.
func (t *tail) take() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	t.text = nil
	return text
}

// lastLine returns the last line that is not empty: of a Python traceback, its message.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// oneLine makes a text fit for an error: one printable line of at most mostText bytes.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= mostText {
		return s
	}
	const mark = "…"
	end := mostText - len(mark)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}
