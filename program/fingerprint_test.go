package program_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// TestFingerprint compares the fingerprints of equivalent EAPs, and of EAPs that differ.
func TestFingerprint(t *testing.T) {
	compare(t, "testdata/fingerprints.txtar", func(f program.Func) string { return f.Fingerprint })
}

func TestBodyDigest(t *testing.T) {
	compare(t, "testdata/bodies.txtar", func(f program.Func) string { return f.BodyDigest })
}

// compare compares the digests of functions with the digest of the file's first function.
func compare(t *testing.T, path string, digest func(program.Func) string) {
	an, first := programtest.Analyzer(t), ""
	cases(t, path, func(t *testing.T, _, want, source string) {
		got := digest(analyze(t, an, source).Functions[0])
		if first == "" {
			first = got
		}
		if same := got == first; same != (want == "the same") {
			t.Errorf("%q has the digest of the first function: %v", source, same)
		}
	})
}

// TestAnalysisGolden checks the analysis of a module that uses most of the language, field by
// field. The file was written with CPython 3.11; other versions must agree, including the digests.
func TestAnalysisGolden(t *testing.T) {
	an := programtest.Analyzer(t)
	source := must.Read(t, filepath.Join("testdata", "module.txt"))
	got, err := json.MarshalIndent(analyze(t, an, string(source)), "", "  ")
	must.Do(t, err)
	golden.Text(t, "testdata/module.json", string(got)+"\n")
}
