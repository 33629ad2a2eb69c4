package record

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/record/journal"
)

// ExplainFile contains the measurements that package explain made of a run's best program. It may
// be packed.
const ExplainFile = "explain.jsonl"

// ErrUnfinished means that a run has no result yet.
var ErrUnfinished = errors.New("the run is not finished")

// Pack makes the finished run in dir smaller. It checks the run's files against the journal,
// replaces each .jsonl file with a packed .jsonl.zst, which all readers accept, and removes
// journal.crc and lock. A command that continues the run unpacks the journal. Packed files and
// baselines stay unchanged. If pictures is false, Pack also removes the pictures of behaviour: a
// replay needs no pictures, but a run that continues needs all of them.
func Pack(dir string, pictures bool) error {
	lock, err := journal.TryLock(dir)
	if errors.Is(err, journal.ErrLocked) {
		err = hint.Add(err, "wait until the other process ends")
	}
	if err != nil {
		return err
	}
	if err = packLocked(dir, pictures); err != nil {
		return errors.Join(err, lock.Unlock())
	}
	return lock.Remove()
}

func packLocked(dir string, pictures bool) error {
	journal.Sweep(dir) // drafts of a killed process
	l, err := LoadFinished(dir)
	if err != nil || !l.Journal {
		return err
	}
	path := filepath.Join(dir, JournalFile)
	if err := journal.Pack(path); err != nil {
		return err
	}
	for _, name := range []string{TimingFile, TuneTrials, ExplainFile} {
		err := journal.Pack(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := journal.RemoveSums(path); err != nil || pictures {
		return err
	}
	for b := range l.evidence() {
		if !b.IsPicture() {
			continue
		}
		path, err := BlobPath(dir, b.Digest)
		if err != nil {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// LoadFinished is Load for a run that must be finished, with files that agree.
func LoadFinished(dir string) (*Loaded, error) {
	l, err := Load(dir)
	if err != nil {
		return nil, err
	}
	if l.Result == nil {
		return nil, hint.Add(fmt.Errorf("%s: %w", dir, ErrUnfinished),
			"repeat the run's command to finish it")
	}
	if l.Journal {
		err = cmp.Or(l.CheckResult(), l.CheckFiles())
	}
	return l, err
}

// Files returns the sorted, unpacked names of the files of the run in dir that verify and report
// need. It leaves out files that may be deleted.
func Files(dir string) ([]string, error) {
	var out []string
	for _, name := range []string{
		"best.py", JournalFile, "result.json", "run.json", TimingFile,
		TunedFile, TunedSource, TuneTrials, ExplainFile,
	} {
		err := plain.Alone(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) {
			err = plain.Alone(journal.PackedPath(filepath.Join(dir, name)))
		}
		switch {
		case err == nil:
			out = append(out, name)
		case !errors.Is(err, os.ErrNotExist):
			return nil, err
		}
	}
	place, err := BlobPath(dir, "")
	if err != nil {
		return nil, err
	}
	blobs, err := os.ReadDir(place)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, b := range blobs {
		if b.Type().IsRegular() && !strings.HasPrefix(b.Name(), ".") {
			if err := plain.Alone(filepath.Join(place, b.Name())); err != nil {
				return nil, err
			}
			out = append(out, filepath.Join("blobs", b.Name()))
		}
	}
	slices.Sort(out)
	return out, nil
}
