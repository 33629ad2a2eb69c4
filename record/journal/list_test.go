package journal

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSupersede: what the list names and the new files lack goes, with the folders that this
// empties; the files of others stay, and those outside that a foreign list names.
func TestSupersede(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "out")
	put := func(name string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first := []string{put("a"), put("old/deep/b"), put("shared/c"), put("shared/c")}
	put("shared/own")
	put("../outside")
	if err := Supersede(dir, ".list", first); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, ".list")
	if text, err := os.ReadFile(list); err != nil || string(text) != "a\nold/deep/b\nshared/c\n" {
		t.Fatalf("%q, %v", text, err)
	}
	foreign := []byte("a\nold/deep/b\nshared/c\n../outside\nmissing\n")
	if err := os.WriteFile(list, foreign, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Supersede(dir, ".list", []string{put("a"), put("new")}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"a": true, "new": true, "shared/own": true, "../outside": true,
		"old": false, "shared/c": false,
	} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
