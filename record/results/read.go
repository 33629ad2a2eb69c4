package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// A Store has the runs in some results directories.
type Store struct {
	Runs     []*Run // sorted by key, then by seed
	Warnings []Warning
	// Waiting counts the runs that a Reader has not read in full yet: only their results are known,
	// or they are left out.
	Waiting int
}

// Decoders say how to read the journals of each method. The journals of a method without a decoder
// are read with the kinds in package note.
type Decoders map[string]Decoder

// A Decoder describes the journals of one method.
type Decoder struct {
	Notes note.Kinds                               // bench.NotesOf
	Parts func(config json.RawMessage) []note.Part // bench.PartsOf with these settings, or nil
}

// parts returns the parts of the run's method.
func (v Decoders) parts(h record.Header) []note.Part {
	if own := v[h.Method]; own.Parts != nil {
		return own.Parts(h.Config)
	}
	return nil
}

// ErrNoRun means that a directory has neither a journal nor a result.
var ErrNoRun = errors.New("neither a journal nor a result: the run has not begun")

// ofFiles are the kinds of notes of methods in Python.
var ofFiles = note.KindsOf(note.OfFiles()...)

// common are the kinds of notes that are read from the journals of unknown methods.
var common = note.KindsOf(note.Offspring{}, note.Attempt{}, note.Trial{},
	note.Admission{}, note.Callers{},
	note.Failure{}, note.Training{})

func (v Decoders) of(h record.Header) note.Kinds {
	if own, ok := v[h.Method]; ok {
		return own.Notes
	}
	if h.MethodFile != nil {
		return ofFiles
	}
	return common
}

// Read reads every run below the directories, finished or not. It changes no file. If Read cannot
// read a run, it adds a warning. If it cannot walk one of the directories, it returns an error.
func (r *Reader) Read(dirs ...string) (*Store, error) {
	s := &Store{}
	var found []string
	for _, root := range dirs {
		dirs, warnings, err := RunDirs(root)
		if err != nil {
			return nil, err
		}
		if len(dirs) == 0 {
			warnings = append(warnings, Warning{root, "no run found here"})
		}
		found, s.Warnings = append(found, dirs...), append(s.Warnings, warnings...)
	}
	found = Distinct(found)

	for i, k := range r.readAll(found) {
		switch {
		case k == nil:
			s.Waiting++
		case k.err != nil:
			s.Warnings = append(s.Warnings,
				Warning{found[i], "left out: " + reason(found[i], k.err)})
		default:
			s.Runs = append(s.Runs, k.run)
			if k.glance {
				s.Waiting++
			}
		}
	}
	slices.SortStableFunc(s.Runs, func(a, b *Run) int {
		return cmp.Or(compareKeys(a.Key(), b.Key()), cmp.Compare(a.Header.Seed, b.Header.Seed),
			cmp.Compare(a.Dir, b.Dir))
	})
	s.dropTwins()
	r.warnings(s.Warnings)
	return s, nil
}

// ErrNoDirectory means that a path to results is not a directory.
var ErrNoDirectory = errors.New("not a directory")

// RunDirs returns the run directories below root, or root if it is one. A directory with one of a
// run's files is a run; directories below it are ignored.
func RunDirs(root string) (dirs []string, warnings []Warning, err error) {
	start := root
	if target, err := filepath.EvalSymlinks(root); err == nil {
		start = target // WalkDir would stop at a link
	}
	info, err := os.Stat(start)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: %w", root, ErrNoDirectory)
	}
	err = filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		shown := root
		if rel, err := filepath.Rel(start, path); err == nil {
			shown = filepath.Join(root, rel)
		}
		switch {
		case err != nil:
			warnings = append(warnings,
				Warning{shown, "cannot be read: " + reason(path, err)})
			return fs.SkipDir
		case d.Type()&fs.ModeSymlink != 0:
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				warnings = append(warnings, Warning{shown,
					"left out: a link to a directory; to include the directory, name it, too"})
			}
			return nil
		case !d.IsDir():
			return nil
		case path != start && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		if holds(path, "result.json", "journal.jsonl", "journal.jsonl.zst", "run.json") {
			dirs = append(dirs, shown)
			return fs.SkipDir
		}
		return nil
	})
	return dirs, warnings, err
}

// holds reports whether a directory has one of the files.
func holds(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// Distinct drops repeated directories, which overlapping arguments cause.
func Distinct(dirs []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		name := dir
		if abs, err := filepath.Abs(dir); err == nil {
			name = abs
		}
		if real, err := filepath.EvalSymlinks(name); err == nil {
			name = real
		}
		dup := seen[name]
		seen[name] = true
		return dup
	})
}

// dropTwins keeps one run of each key and seed, because a mean must not count a run twice. It
// prefers a finished run, then the larger budget, then the longer run, then the first path.
func (s *Store) dropTwins() {
	type identity struct {
		Key
		seed uint64
	}
	kept := map[identity]*Run{}
	for _, r := range s.Runs {
		id := identity{r.Key(), r.Header.Seed}
		if old := kept[id]; old == nil || len(r.before(old)) > 0 {
			kept[id] = r
		}
	}
	s.Runs = slices.DeleteFunc(s.Runs, func(r *Run) bool {
		k := kept[identity{r.Key(), r.Header.Seed}]
		if k != r {
			text := "left out: the same method, model and seed as " + k.Path("")
			if k.Digest != r.Digest {
				text += cmp.Or(k.before(r), ", with other contents")
			}
			s.Warnings = append(s.Warnings, Warning{r.Dir, text})
		}
		return k != r
	})
}

// before explains why r is kept instead of another run with the same key and seed; "" if the other
// run is kept.
func (r *Run) before(other *Run) string {
	switch {
	case r.Finished() != other.Finished():
		if r.Finished() {
			return ", which is finished"
		}
	case r.Header.Budget != other.Header.Budget:
		if r.Header.Budget > other.Header.Budget {
			return fmt.Sprintf(", which has a budget of %d instead of %d", r.Header.Budget,
				other.Header.Budget)
		}
	case r.Evaluations > other.Evaluations:
		return fmt.Sprintf(", which has %d evaluations instead of %d", r.Evaluations,
			other.Evaluations)
	}
	return ""
}

// reason returns the text of an error in one line, without the path, which the warning already
// names.
func reason(path string, err error) string {
	text := err.Error()
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		text = filepath.Base(pe.Path) + ": " + pe.Err.Error()
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, path+": "), path+string(filepath.Separator))
	return strings.ReplaceAll(text, "\n", " ")
}

// readRun reads one run directory.
func (r *Reader) readRun(dir string) (*Run, error) {
	l, err := record.LoadWithoutTexts(dir)
	if err != nil {
		return nil, begun(err)
	}
	if !l.Journal && !r.baseline(l.Result) {
		return nil, errors.New("its journal is missing: nothing confirms the numbers of " +
			"result.json")
	}
	d, err := newDetail(l, r.Decoders)
	if err != nil {
		return nil, err
	}
	r.name(d.Run)
	return d.Run, nil
}

// baseline reports whether a result belongs to a baseline, which needs no journal.
func (r *Reader) baseline(result *record.Result) bool {
	return result.Journal == "" && (r.Baseline == nil || r.Baseline(result.Header))
}

// begun replaces the error of a missing file with ErrNoRun.
func begun(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoRun
	}
	return err
}

// newDetail makes the detail of a loaded run. Without a journal, the detail has only the totals of
// the result.
func newDetail(l *record.Loaded, v Decoders) (*Detail, error) {
	r := &Run{Dir: l.Dir, Header: l.Header, Result: l.Result, Journal: l.Journal}
	d := &Detail{
		Run: r, Steps: []*Step{}, Programs: []*Program{}, Notes: []Note{},
		byNumber: map[int]*Program{}, steps: map[int]*Step{},
	}
	if err := r.trust(l); err != nil {
		return nil, err
	}
	if r.Header.Task == "" || r.Header.Method == "" {
		return nil, errors.New("its header does not name both a task and a method")
	}
	if r.Journal {
		d.fill(l, v.of(r.Header))
		if r.embedded && !r.namesOffline() {
			r.warn("its header names another model, but its replies come from the embedded one, " +
				"which is a program synthesiser and not an LLM")
		}
	} else {
		r.Totals = r.Result.Totals
	}
	if r.Result == nil {
		return d, nil
	}
	if r.Journal {
		differences, err := l.CompareResult(&r.Totals)
		if err != nil {
			return nil, err
		}
		for _, text := range differences {
			r.warn(text)
		}
	}
	for _, text := range r.Result.Warnings {
		r.warn(text)
	}
	for _, split := range slices.Sorted(maps.Keys(r.Result.Tests)) {
		if partly := r.Result.Tests[split].Partly(); partly != "" {
			r.warn(fmt.Sprintf("its best program's %s %s", split, partly))
		}
	}
	if r.Unused = r.idle(v.parts(r.Header)); r.Unused != "" {
		r.warn(r.Unused)
	}
	return d, nil
}

// trust sets the digest of the file that the run was read from, and why the run is not verified.
func (r *Run) trust(l *record.Loaded) error {
	files, err := l.Fingerprint()
	if err != nil {
		return err
	}
	if r.Digest = files["result.json"]; l.Journal {
		r.Digest = l.Digest
	}
	if err := l.CheckVerified(); err != nil {
		r.Unverified = err.Error()
	}
	return nil
}

// KeepVerified drops every run that is not verified in its current state, with a warning for each.
func (s *Store) KeepVerified() {
	s.Runs = slices.DeleteFunc(s.Runs, func(r *Run) bool {
		if r.Unverified != "" {
			s.Warnings = append(s.Warnings, Warning{r.Dir, "left out: " + r.Unverified})
		}
		return r.Unverified != ""
	})
}
