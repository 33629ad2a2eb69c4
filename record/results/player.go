package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// OpenPlayer opens a player of recorded replies. path names a cassette, a run or its journal, a
// directory of runs, a bundle, or a run in a bundle (BUNDLE:RUN). The journals of several runs are
// joined.
func OpenPlayer(path string) (*llm.Player, error) {
	if file, run := record.BundleOf(path); run != "" || isPacked(file) &&
		filepath.Base(file) != record.JournalFile+".zst" {
		return playBundle(path, file, run)
	}
	p, noCassette := llm.OpenPlayer(path)
	packed := strings.HasSuffix(path, ".zst")
	if noCassette == nil || !packed && !errors.Is(noCassette, llm.ErrNoCassette) {
		return p, noCassette
	}
	l, err := record.LoadJournal(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, record.ErrForeign):
		return playRuns(path, path, noCassette)
	case err != nil:
		return nil, err
	}
	return play(path, l.Header.Models, exchangesOf(l))
}

// isPacked reports whether a file is compressed with Zstandard.
func isPacked(file string) bool {
	f, err := plain.Open(file, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 4)
	_, err = io.ReadFull(f, magic)
	return err == nil && string(magic) == "\x28\xb5\x2f\xfd"
}

// playBundle plays the journals in a bundle, which it unpacks only while it reads them. Messages
// name path.
func playBundle(path, file, run string) (*llm.Player, error) {
	tmp, err := os.MkdirTemp("", "pacebench-bundle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if _, err := record.OpenBundle(context.Background(), file, tmp); err != nil {
		return nil, err
	}
	p, err := playRuns(path, filepath.Join(tmp, filepath.FromSlash(run)),
		fmt.Errorf("%s: %w: it contains no journal of a run", path, llm.ErrNoCassette))
	if err != nil {
		name := strings.NewReplacer(tmp+string(filepath.Separator), file+":", tmp, file)
		err = hint.Add(errors.New(name.Replace(err.Error())), hint.Of(err))
	}
	return p, err
}

// playRuns plays the journals of all runs below dir. If there are no journals, it returns the error
// none.
func playRuns(path, dir string, none error) (*llm.Player, error) {
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
				"name one of the runs instead")
		}
		exchanges = append(exchanges, exchangesOf(l)...)
	}
	if first == nil {
		return nil, none
	}
	return play(path, first.Header.Models, exchanges)
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
