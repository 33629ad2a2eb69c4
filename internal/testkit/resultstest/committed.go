package resultstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
)

// Committed returns a directory with the runs of a committed set. path is the directory of the set,
// or the path of its bundle without .tar.zst; Committed unpacks a bundle.
func Committed(t testing.TB, path string) string {
	t.Helper()
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	dir := filepath.Join(t.TempDir(), filepath.Base(path)) // messages contain the name
	must.Do(t, os.Mkdir(dir, 0o755))
	_, err := record.OpenBundle(t.Context(), path+".tar.zst", dir)
	must.Do(t, err)
	return dir
}
