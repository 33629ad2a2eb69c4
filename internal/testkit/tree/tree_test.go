package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestFiles checks that Files returns the files that git tracks or would add, and no ignored files.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).
			CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for name, text := range map[string]string{
		".gitignore": "/runs/\n", "tracked.go": "", "gone.go": "", "runs/task/best.py": "",
		"new/ü b.py": "", "new/c.go": "",
	} {
		path := filepath.Join(dir, name)
		must.Write(t, path, text)
	}
	git("add", "tracked.go", "gone.go")
	must.Do(t, os.Remove(filepath.Join(dir, "gone.go")))
	for _, tt := range []struct{ patterns, want []string }{
		{nil, []string{".gitignore", "new/c.go", "new/ü b.py", "tracked.go"}},
		{[]string{"*.go", ":!new"}, []string{"tracked.go"}},
	} {
		got := Files(t, dir, tt.patterns...)
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.patterns, got, tt.want)
		}
	}
}
