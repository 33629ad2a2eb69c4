package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/tasks/baselines"
)

// Decoders returns the decoders of all methods.
func Decoders() results.Decoders {
	v := results.Decoders{}
	for _, m := range methods.All() {
		v[m.Name()] = results.Decoder{
			Notes: bench.NotesOf(m),
			Parts: func(config json.RawMessage) []note.Part {
				own, err := methods.New(m.Name())
				if err != nil || json.Unmarshal(config, own) != nil {
					return nil // the settings are not from this version; verify reports them
				}
				if c, ok := own.(bench.Checker); ok && c.Check() != nil {
					return nil
				}
				return bench.PartsOf(own)
			},
		}
	}
	return v
}

// IsBaseline reports whether a run is a baseline of its task. A baseline has no model and no
// journal.
func IsBaseline(h record.Header) bool {
	_, ok := baselines.Lookup(h.Task, h.Method, "")
	return ok && h.Models[""] == "none"
}

// Declarations finds the declarations of runs, and reads each results directory once.
type Declarations map[string]map[string]*separatePlan // by results directory and path; nil: damaged

// Of finds the declaration that h, the header of the run in dir, names. It returns the path of the
// declaration and the run's results directory; both are "" if h names no declaration. The error
// says what is wrong with the declaration.
func (d Declarations) Of(dir string, h record.Header) (file, root string, err error) {
	if h.Plan == "" {
		return "", "", nil
	}
	place := filepath.ToSlash(RunDir("", h))
	root = filepath.Join(dir, strings.Repeat("../", strings.Count(place, "/")+1))
	if d[root] == nil {
		d[root] = map[string]*separatePlan{}
		for _, file := range Below(root, record.PlansDir, "*"+record.DeclarationSuffix) {
			d[root][file], _ = readSeparate(file) // Of reports the error if it needs the file
		}
	}
	row := results.Key{Method: h.Method, Variant: h.Variant}.Row()
	wrong := "is missing in " + record.PlansDir
	for _, file := range slices.Sorted(maps.Keys(d[root])) {
		name := record.PlansDir + "/" + filepath.Base(file)
		switch p := d[root][file]; {
		case p == nil:
			wrong = "may be in " + name + ", which cannot be read"
		case p.Digest() == h.Plan:
			if err = p.Covers(row, place, h); err == nil {
				return file, root, nil
			}
			wrong = fmt.Sprintf("is for other runs: %s %v", name, err)
		case p.Rows[row] == path.Dir(place):
			wrong = "differs from " + name
		}
	}
	return "", root, hint.Add(fmt.Errorf(
		"the declaration %.12s, which decided the number of seeds, %s", h.Plan, wrong),
		"restore "+record.PlansDir+" of its results directory from a copy")
}

// ReadResults reads results directories. It warns about runs whose headers name a declaration that
// their results directory does not contain.
func ReadResults(dirs ...string) (*results.Store, error) { return ReadRenamed(nil, dirs...) }

// ReadRenamed is ReadResults with other names for the runs, as in [results.Reader].
func ReadRenamed(rename func(string) string, dirs ...string) (*results.Store, error) {
	r := &results.Reader{Decoders: Decoders(), Baseline: IsBaseline, Rename: rename}
	s, err := r.Read(dirs...)
	if err != nil {
		return nil, err
	}
	all := Declarations{}
	for _, r := range s.Runs {
		_, root, err := all.Of(r.Dir, r.Header)
		if err == nil {
			continue
		}
		r.Warnings = append(r.Warnings, results.Warning{Path: r.Dir, Reason: err.Error()})
		w := results.Warning{Path: root, Reason: err.Error()}
		if !slices.Contains(s.Warnings, w) {
			s.Warnings = append(s.Warnings, w)
		}
	}
	return s, nil
}
