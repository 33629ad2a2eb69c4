package results_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
)

// TestReader: a run is read again when its files have changed, and not before; without time for its
// journal, it is as its result tells.
func TestReader(t *testing.T) {
	root := t.TempDir()
	var dirs []string
	for seed := range uint64(3) {
		dirs = append(dirs, resultstest.Run{
			Task: "tsp-construct", Method: "eoh", Models: resultstest.Offline, Seed: seed,
			Budget: 40, Evaluations: 40,
			Start: 7, Floor: 6,
		}.Write(t, root))
	}
	hasty := &results.Reader{Within: time.Nanosecond}
	s, err := hasty.Read(root)
	if err != nil || len(s.Runs) != 3 || s.Waiting != 3 {
		t.Fatal(len(s.Runs), s.Waiting, err)
	}
	full, err := results.Read(nil, root)
	must.Do(t, err)
	for i, r := range s.Runs {
		whole := full.Runs[i]
		if r.Key() != whole.Key() || r.Best.Score != whole.Best.Score || r.Evaluations != 40 ||
			!r.Journal || r.Curve != nil {
			t.Errorf("%s: %+v", r.Dir, r)
		}
	}

	reader := &results.Reader{}
	read := func() map[string]*results.Run {
		t.Helper()
		s, err := reader.Read(root)
		if err != nil || s.Waiting != 0 {
			t.Fatal(s.Waiting, err)
		}
		runs := map[string]*results.Run{}
		for _, r := range s.Runs {
			runs[r.Dir] = r
		}
		return runs
	}
	first := read()
	if len(first) != 3 || first[dirs[0]].Curve == nil {
		t.Fatal(first)
	}
	must.Do(t, os.Remove(filepath.Join(dirs[1], "result.json")))
	must.Do(t, os.RemoveAll(dirs[2]))
	second := read()
	if len(second) != 2 || second[dirs[0]] != first[dirs[0]] || second[dirs[1]] == first[dirs[1]] ||
		second[dirs[1]].Finished() {
		t.Error(second)
	}
}

// BenchmarkReader reads twenty finished runs again, as a page does every three seconds.
func BenchmarkReader(b *testing.B) {
	root := b.TempDir()
	for seed := range uint64(20) {
		resultstest.Run{
			Task: "tsp-construct", Method: "pace", Models: resultstest.Offline,
			Seed: seed, Budget: 200,
			Evaluations: 200, Start: 7, Floor: 6,
		}.Write(b, root)
	}
	for name, reader := range map[string]func() *results.Reader{
		"first": func() *results.Reader { return &results.Reader{} },
		"again": func() func() *results.Reader {
			kept := &results.Reader{}
			return func() *results.Reader { return kept }
		}(),
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if s, err := reader().Read(root); err != nil || len(s.Runs) != 20 {
					b.Fatal(len(s.Runs), err)
				}
			}
		})
	}
}
