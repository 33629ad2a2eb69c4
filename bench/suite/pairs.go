package suite

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/internal/plain"
)

// An ending tells that a cell is over, whether it worked or not.
type ending struct {
	once sync.Once
	done chan struct{}
	err  error
}

// over reports whether the cell is over.
func (e *ending) over() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

func (e *ending) set(err error) { e.once.Do(func() { e.err = err; close(e.done) }) }

// end tells those who wait for the cell that it is over.
func (c *Cell) end(err error) {
	if c.ending != nil {
		c.ending.set(err)
	}
}

// pairCells makes the first cell of each task, method, model for algorithms and seed the base of
// the others.
func pairCells(cells []*Cell) {
	type like struct {
		task, method, model string
		seed                uint64
	}
	first := map[like]*Cell{}
	for _, c := range cells {
		if c.Row != nil {
			continue
		}
		k := like{c.Header.Task, c.Header.Method, c.Header.Models[""], c.Header.Seed}
		if base := first[k]; base != nil {
			c.Base = base
			continue
		}
		first[k] = c
		c.ending = &ending{done: make(chan struct{})}
	}
}

// nameBase names in a cell's header the run that it is paired with, which is over.
func (c *Cell) nameBase() error {
	if c.Base == nil {
		return nil
	}
	if c.Base.ending.err != nil {
		return fmt.Errorf("%s: it is paired with %s, which failed", c.Name(), c.Base.Name())
	}
	c.Header.Paired, c.Header.PairedVariant = c.Base.Header.Digest(), c.Base.Header.Variant
	return nil
}

// loadBase reads the run that a cell is paired with; nil for a cell of its own.
func (c *Cell) loadBase(out string) (*record.Loaded, error) {
	if c.Base == nil {
		return nil, nil
	}
	return record.LoadJournal(CellDir(out, c.Base.Header))
}

// Below lists the files below a directory, whatever its name, whose path matches a pattern.
func Below(root string, pattern ...string) []string {
	names, _ := fs.Glob(os.DirFS(root), path.Join(pattern...)) // the pattern is ours
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
		var file struct{ Header record.Header }
		data, err := plain.Read(path, plain.Small)
		if err != nil || json.Unmarshal(data, &file) != nil ||
			file.Header.Digest() != l.Header.Paired {
			continue
		}
		base, err := record.LoadJournal(filepath.Dir(path))
		if err == nil {
			return base, nil
		}
		damaged = fmt.Errorf("%s: %w", filepath.ToSlash(filepath.Dir(path)), err)
	}
	return nil, damaged
}
