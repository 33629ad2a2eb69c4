// Package must has functions for the set-up of tests. They end the test after an error.
package must

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Do ends the test if one of the errors is not nil.
func Do(tb testing.TB, errs ...error) {
	tb.Helper()
	if err := errors.Join(errs...); err != nil {
		tb.Fatal(err)
	}
}

// Read returns the content of a file.
func Read(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	Do(tb, err)
	return data
}

// Write writes a file and makes its folders.
func Write[Text string | []byte](tb testing.TB, path string, data Text) {
	tb.Helper()
	Do(tb, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o644))
}
