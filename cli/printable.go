package cli

import (
	"io"
	"sync"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// printable is the one way to a terminal, but for the display, which guards itself: names, errors
// and details come from servers, models, candidates and journals, and none of them may move a
// cursor or turn the direction of the text. What cannot be seen becomes "?".
func printable(w io.Writer) io.Writer {
	return &safe{w: transform.NewWriter(w, runes.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || r == '\n' || r == '\t' {
			return r
		}
		return '?'
	}))}
}

// safe lets several goroutines write, each a whole text.
type safe struct {
	mu sync.Mutex
	w  io.Writer // guarded by mu
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
