package cli

import (
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/suite"
)

// TestRecordedNotes checks that the method of each recorded run lists every note of the run, byte
// for byte.
func TestRecordedNotes(t *testing.T) {
	paths, err := filepath.Glob("testdata/recorded/*.jsonl.gz")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		dir := t.TempDir()
		journal := unpack(t, path)
		must.Write(t, filepath.Join(dir, "journal.jsonl"), journal)
		s, err := suite.ReadResults(dir)
		if err != nil || len(s.Runs) != 1 {
			t.Fatal(path, err, s.Warnings)
		}
		for _, w := range s.Runs[0].Warnings {
			t.Errorf("%s: %s", path, w.Reason)
		}
	}
}
