package journal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestSupersede checks that files that are only in the old list are removed, with the folders that
// become empty. Other files stay, even a file outside of the directory that a foreign list names.
func TestSupersede(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "out")
	put := func(name string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		must.Write(t, path, "")
		return path
	}
	first := []string{put("a"), put("old/deep/b"), put("shared/c"), put("shared/c")}
	put("shared/own")
	put("../outside")
	must.Do(t, Supersede(dir, ".list", first))
	list := filepath.Join(dir, ".list")
	if text, err := os.ReadFile(list); err != nil || string(text) != "a\nold/deep/b\nshared/c\n" {
		t.Fatalf("%q, %v", text, err)
	}
	foreign := []byte("a\nold/deep/b\nshared/c\n../outside\nmissing\n")
	must.Write(t, list, foreign)
	must.Do(t, Supersede(dir, ".list", []string{put("a"), put("new")}))
	for name, want := range map[string]bool{
		"a": true, "new": true, "shared/own": true, "../outside": true,
		"old": false, "shared/c": false,
	} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
