package record

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/record/journal"
)

// A Verification is verified.json: what verify --rescore evaluated again, on which machine, and the
// digests of the run's files. It names the machine but proves nothing: a person who can change a
// run can also write this file.
type Verification struct {
	Format int `json:"format"`
	// Files are SHA-256 digests by name. The files may be packed; the digests are of the unpacked
	// bytes.
	Files       map[string]string `json:"files"`
	Programs    int               `json:"programs"`    // number of programs evaluated again
	Splits      []string          `json:"splits"`      // test and validation splits evaluated again
	Environment any               `json:"environment"` // of the verifying machine, as in run.json
}

const verifiedFile = "verified.json"

// Fingerprint returns the current digests of the run's files that a report reads.
func (l *Loaded) Fingerprint() (map[string]string, error) {
	files := map[string]string{}
	if l.Journal {
		files[JournalFile] = l.Digest
	}
	for _, name := range []string{"result.json", "run.json", "best.py", TunedFile, ExplainFile} {
		read := func(path string) ([]byte, error) { return plain.Read(path, plain.Small) }
		if name == ExplainFile {
			read = journal.ReadFile // it may be packed
		}
		data, err := read(filepath.Join(l.Dir, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files[name] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return files, nil
}

// WriteVerified writes verified.json into the run's directory.
func (l *Loaded) WriteVerified(v Verification) error {
	v.Format = FormatVersion
	return journal.WriteJSON(filepath.Join(l.Dir, verifiedFile), v)
}

// CheckVerified returns nil if verified.json matches the run's current files; otherwise, the error
// describes a difference.
func (l *Loaded) CheckVerified() error {
	data, err := plain.Read(filepath.Join(l.Dir, verifiedFile), plain.Small)
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("not verified")
	}
	if err != nil {
		return err
	}
	var v Verification
	if err := json.Unmarshal(data, &v); err != nil {
		return fmt.Errorf("%s: %w", verifiedFile, hint.JSON(err))
	}
	now, err := l.Fingerprint()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		switch v.Files[name] {
		case now[name]:
		case "":
			return fmt.Errorf("%s has been added since the run was verified", name)
		default:
			return fmt.Errorf("%s has changed since it was verified", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Files)) {
		if now[name] == "" {
			return fmt.Errorf("%s has been removed since it was verified", name)
		}
	}
	if l.Result != nil {
		for _, split := range l.Result.Splits() {
			if !slices.Contains(v.Splits, split) {
				return fmt.Errorf("split %s was not verified", split)
			}
		}
	}
	return nil
}
