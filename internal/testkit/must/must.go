// Package must does what the set-up of a test needs, or ends the test.
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

// Read returns what a file holds.
func Read(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	Do(tb, err)
	return data
}

// Write writes a file, in folders that it makes.
func Write[Text string | []byte](tb testing.TB, path string, data Text) {
	tb.Helper()
	Do(tb, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o644))
}
