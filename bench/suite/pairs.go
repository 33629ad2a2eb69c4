package suite

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/pacebench/pacebench/bench/record"
)

// Below lists the files below a directory, whatever its name, whose path matches a pattern.
func Below(root string, pattern ...string) []string {
	names, _ := fs.Glob(os.DirFS(root), path.Join(pattern...)) // the pattern is a good one
	for i, name := range names {
		names[i] = filepath.Join(root, filepath.FromSlash(name))
	}
	return names
}

// BesideBase finds the run with which l shares its beginning in the results directory of l; nil
// where it is not there or l shares nothing. The error says why one that is there cannot be read.
func BesideBase(l *record.Loaded) (*record.Loaded, error) {
	if l.Header.Paired == "" {
		return nil, nil
	}
	var damaged error
	// DIR is <out>/<task>/<method>[@variant]/<model>/<seed>.
	for _, path := range Below(filepath.Join(l.Dir, "..", "..", ".."), "*", "*", "*", "run.json") {
		dir := filepath.Dir(path)
		file, err := record.ReadRunFile(dir)
		if err != nil || file == nil || file.Header.Digest() != l.Header.Paired {
			continue
		}
		base, err := record.LoadJournal(dir)
		if err == nil {
			return base, nil
		}
		damaged = fmt.Errorf("%s: %w", filepath.ToSlash(dir), err)
	}
	return nil, damaged
}
