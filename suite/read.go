package suite

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/tasks/baselines"
)

// Vocabularies returns the notes and the parts of all methods.
func Vocabularies() results.Vocabularies {
	v := results.Vocabularies{}
	for _, m := range methods.All() {
		v[m.Name()] = results.Language{
			Notes: bench.NotesOf(m),
			Parts: func(config json.RawMessage) []note.Part {
				own, err := methods.New(m.Name())
				if err != nil || json.Unmarshal(config, own) != nil {
					return nil // not this program's settings: verify reports it
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

// IsRow reports whether a run is a baseline of its task. A baseline has no model and no journal.
func IsRow(h record.Header) bool {
	_, ok := baselines.Lookup(h.Task, h.Method, "")
	return ok && h.Models[""] == "none"
}

// ReadResults reads results directories. It warns about runs whose headers name a declaration that
// is missing from their results directory.
func ReadResults(dirs ...string) (*results.Store, error) {
	s, err := (&results.Reader{Vocabularies: Vocabularies(), Row: IsRow}).Read(dirs...)
	if err != nil {
		return nil, err
	}
	declared := map[string][]string{} // digests by results directory
	for _, r := range s.Runs {
		if r.Header.Plan == "" {
			continue
		}
		depth := len(strings.Split(filepath.ToSlash(RunDir("", r.Header)), "/"))
		root := filepath.Join(r.Dir, strings.Repeat("../", depth))
		if _, known := declared[root]; !known {
			declared[root] = []string{}
			for _, path := range Below(root, plansDir, "*"+separateSuffix) {
				if p, err := readSeparate(path); err == nil {
					declared[root] = append(declared[root], p.digest())
				}
			}
		}
		if !slices.Contains(declared[root], r.Header.Plan) {
			reason := fmt.Sprintf("the declaration of the plan %.12s, which decided how many "+
				"seeds there are, is missing or changed", r.Header.Plan)
			r.Warnings = append(r.Warnings, results.Warning{Path: r.Dir, Reason: reason})
			all := results.Warning{Path: root, Reason: reason}
			if !slices.Contains(s.Warnings, all) {
				s.Warnings = append(s.Warnings, all)
			}
		}
	}
	return s, nil
}
