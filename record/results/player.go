package results

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// OpenPlayer opens a player of the replies in a cassette or in the journal of a run. The path is a
// directory or the journal itself, because a finished run is its own cassette.
func OpenPlayer(path string) (*llm.Player, error) {
	p, noCassette := llm.OpenPlayer(path)
	packed := strings.HasSuffix(path, ".zst")
	if noCassette == nil || !packed && !errors.Is(noCassette, llm.ErrNoCassette) {
		return p, noCassette
	}
	l, err := record.LoadJournal(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, record.ErrForeign):
		return nil, noCassette
	case err != nil:
		return nil, err
	}
	var exchanges []llm.Exchange
	for s := range l.Steps() {
		for _, q := range s.Requests {
			exchanges = append(exchanges, llm.Exchange{
				Model:   l.Header.Model(q.Request.Purpose.Role()),
				Request: q.Request, Reply: q.Reply,
			})
		}
	}
	if p, err = llm.Play(path, l.Header.Models, exchanges); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}
