// Package golden compares the results of tests with values (Same) and with files (Text). The flag
// -update of go test rewrites the files.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// Update is the flag -update: Text rewrites the files.
var Update = flag.Bool("update", false, "rewrite the files that tests compare with")

// start is the folder of the package under test. Paths stay relative to it when a test changes its
// working directory.
var start, _ = os.Getwd()

// Text compares got with the file at path, relative to the folder of the package under test.
func Text(tb testing.TB, path, got string) {
	tb.Helper()
	file := filepath.Join(start, path)
	if *Update {
		must.Write(tb, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		tb.Fatalf("%v (go test -update writes the file)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		tb.Errorf("%s mismatch (-want +got):\n%s", path, diff)
	}
}

// Same compares a value with the wanted one. what is the name of the value in messages.
func Same[T any](tb testing.TB, what string, want, got T, opts ...cmp.Option) {
	tb.Helper()
	if diff := cmp.Diff(want, got, opts...); diff != "" {
		tb.Errorf("%s mismatch (-want +got):\n%s", what, diff)
	}
}

var shownFile = regexp.MustCompile("(?ms)^### `([a-z_]+\\.py)`\n\n```python\n(.*?)^```$")

// Shown returns the Python files that a page shows, by name. The page's path is relative to the
// folder of the package under test.
func Shown(tb testing.TB, page string) map[string]string {
	tb.Helper()
	files := map[string]string{}
	for _, m := range shownFile.FindAllStringSubmatch(
		string(must.Read(tb, filepath.Join(start, page))), -1) {
		files[m[1]] = m[2]
	}
	return files
}
