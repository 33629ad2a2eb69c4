package results

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/record"
)

// A Reader reads directories repeatedly, for a page that shows their current state. It does not
// read a run again while its files are unchanged. Reading a growing run again takes at most a small
// share of a core.
type Reader struct {
	Decoders Decoders
	// Baseline reports whether a run is a baseline, which has no journal. A search without its
	// journal is left out. If Baseline is nil, every result that names no journal is a baseline.
	Baseline func(h record.Header) bool
	// Rename replaces directories in the names of runs and in warnings, for example for an unpacked
	// bundle; nil: no replacement.
	Rename func(text string) string
	// Within is the time after which a call of Read reads no other journal; 0: no limit.
	Within time.Duration

	mu   sync.Mutex
	kept map[string]*kept // by directory
}

// kept is the cached contents of one directory.
type kept struct {
	files  string // names, sizes and times
	run    *Run
	err    error
	glance bool      // only result.json was read
	next   time.Time // the earliest time to read a growing run again
}

// share bounds the cost of a growing run: before the reader reads the run again, it waits share
// times as long as the last reading took.
const share = 20

// readAll returns the contents of directories, from the cache if they are unchanged. An element is
// nil if there was no time to read its directory.
func (r *Reader) readAll(dirs []string) []*kept {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun := time.Now()
	now := make([]*kept, len(dirs))
	var readers errgroup.Group
	readers.SetLimit(runtime.GOMAXPROCS(0))
	for i, dir := range dirs {
		old := r.kept[dir]
		readers.Go(func() error {
			now[i] = r.read(dir, old, r.Within > 0 && time.Since(begun) > r.Within)
			return nil // a run that cannot be read becomes a warning
		})
	}
	readers.Wait()
	r.kept = map[string]*kept{}
	for i, dir := range dirs {
		if now[i] != nil {
			r.kept[dir] = now[i]
		}
	}
	return now
}

func (r *Reader) read(dir string, old *kept, hurry bool) *kept {
	files, err := stamp(dir)
	if err != nil {
		return &kept{err: err}
	}
	if old != nil && !old.glance && (old.files == files || time.Now().Before(old.next)) {
		return old
	}
	if hurry {
		if old == nil {
			return r.glance(dir)
		}
		return old
	}
	begun := time.Now()
	run, err := r.readRun(dir)
	k := &kept{files: files, run: run, err: err}
	if run == nil || !run.Finished() {
		k.next = time.Now().Add(share * time.Since(begun))
	}
	return k
}

// stamp returns a text that changes when any file in a directory changes.
func stamp(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			fmt.Fprintf(&out, "%s %d %d\n", e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return out.String(), nil
}

// glance returns a run from its result only, without its journal; nil if it has no result.
func (r *Reader) glance(dir string) *kept {
	result, err := record.ReadResult(dir)
	if err != nil || result == nil {
		return nil
	}
	d, err := newDetail(&record.Loaded{Dir: dir, Header: result.Header, Result: result}, nil)
	if err != nil {
		return nil
	}
	run := d.Run
	r.name(run)
	run.Journal = holds(dir, "journal.jsonl", "journal.jsonl.zst")
	if !run.Journal && !r.baseline(result) {
		return nil
	}
	return &kept{run: run, glance: true}
}

// name applies Rename to the name and the warnings of a run.
func (r *Reader) name(run *Run) {
	if r.Rename == nil {
		return
	}
	if name := r.Rename(run.Dir); name != run.Dir {
		run.Shown = name
		r.warnings(run.Warnings)
	}
}

func (r *Reader) warnings(all []Warning) {
	if r.Rename == nil {
		return
	}
	for i, w := range all {
		all[i] = Warning{r.Rename(w.Path), r.Rename(w.Reason)}
	}
}
