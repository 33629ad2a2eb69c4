package results_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record/results"
)

// TestReader: a run is read again only if its files have changed. If there is no time to read its
// journal, the run has only the numbers of its result.
func TestReader(t *testing.T) {
	root := t.TempDir()
	var dirs []string
	for seed := range uint64(3) {
		dirs = append(dirs, small(seed).Write(t, root))
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
		if r.Key() != whole.Key() || r.Best.Score != whole.Best.Score || r.Evaluations != 30 ||
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
