package suite

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/tasks/baselines"
)

// Vocabularies are the notes of all methods.
func Vocabularies() results.Vocabularies {
	v := results.Vocabularies{}
	for _, m := range methods.All() {
		v[m.Name()] = bench.NotesOf(m)
	}
	return v
}

// IsRow reports whether a run is a baseline of its task, which asks no model and has no journal.
func IsRow(h record.Header) bool {
	_, ok := baselines.Lookup(h.Task, h.Method, "")
	return ok && h.Models[""] == "none"
}

// ReadResults reads results directories.
func ReadResults(dirs ...string) (*results.Store, error) {
	return (&results.Reader{Vocabularies: Vocabularies(), Row: IsRow}).Read(dirs...)
}
