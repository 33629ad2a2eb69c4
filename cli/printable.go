package cli

import (
	"io"
	"sync"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// printable wraps a writer that may be a terminal, and replaces invisible characters by "?". Names,
// errors and details come from servers, models, candidates and journals, and must not move the
// cursor or reverse the direction of the text. Only the display does not use this writer, because
// it replaces such characters itself.
func printable(w io.Writer) io.Writer {
	return &safe{w: transform.NewWriter(w, runes.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || r == '\n' || r == '\t' {
			return r
		}
		return '?'
	}))}
}

// safe lets several goroutines write. It never mixes the texts of two writes.
type safe struct {
	mu sync.Mutex
	w  io.Writer // guarded by mu
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
