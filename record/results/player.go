package results

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// OpenPlayer opens a player of recorded replies. The path is a cassette, a run or its journal, or a
// directory or a bundle of runs, whose journals are joined. A run is its own cassette.
func OpenPlayer(path string) (*llm.Player, error) {
	packed := strings.HasSuffix(path, ".zst")
	if packed && filepath.Base(path) != record.JournalFile+".zst" {
		return playBundle(path)
	}
	p, noCassette := llm.OpenPlayer(path)
	if noCassette == nil || !packed && !errors.Is(noCassette, llm.ErrNoCassette) {
		return p, noCassette
	}
	l, err := record.LoadJournal(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, record.ErrForeign):
		return playRuns(path, noCassette)
	case err != nil:
		return nil, err
	}
	return play(path, l.Header.Models, exchangesOf(l))
}

// playBundle unpacks a bundle for as long as it reads the journals in it.
func playBundle(file string) (*llm.Player, error) {
	tmp, err := os.MkdirTemp("", "pacebench-bundle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if _, err := record.OpenBundle(context.Background(), file, tmp); err != nil {
		return nil, err
	}
	p, err := playRuns(tmp,
		fmt.Errorf("%s: %w: the bundle has no journal", file, llm.ErrNoCassette))
	if err != nil {
		name := strings.NewReplacer(tmp+string(filepath.Separator), file+":", tmp, file)
		err = hint.Add(errors.New(name.Replace(err.Error())), hint.Of(err))
	}
	return p, err
}

// playRuns plays the journals of all runs below dir. It returns the error none if there are none.
func playRuns(dir string, none error) (*llm.Player, error) {
	dirs, _, err := RunDirs(dir)
	if err != nil {
		return nil, none
	}
	var exchanges []llm.Exchange
	var first *record.Loaded
	for _, run := range dirs {
		l, err := record.LoadJournal(run)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a baseline
			continue
		case err != nil:
			return nil, err
		case first == nil:
			first = l
		case !maps.Equal(l.Header.Models, first.Header.Models):
			return nil, hint.Add(fmt.Errorf("%s and %s have different models", first.Dir, run),
				"name one of the runs")
		}
		exchanges = append(exchanges, exchangesOf(l)...)
	}
	if first == nil {
		return nil, none
	}
	return play(dir, first.Header.Models, exchanges)
}

func play(path string, models map[string]string, all []llm.Exchange) (*llm.Player, error) {
	p, err := llm.Play(path, models, all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// exchangesOf returns the requests and replies of a run, in the order of its steps.
func exchangesOf(l *record.Loaded) (all []llm.Exchange) {
	for s := range l.Steps() {
		for _, q := range s.Requests {
			all = append(all, llm.Exchange{
				Model:   l.Header.Model(q.Request.Purpose.Role()),
				Request: q.Request, Reply: q.Reply,
			})
		}
	}
	return all
}
