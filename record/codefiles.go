package record

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/journal"
)

// CodeDigest returns a digest of all files of a task or method in Python: the digest that
// `sha256sum FILES | sha256sum` prints for their sorted paths.
func CodeDigest(files map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s  %s\n", files[name], name)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

var sha = regexp.MustCompile(`^[0-9a-f]{64}$`)

// CheckCode refuses files for which CodeDigest is ambiguous: a name with a line break could look
// like two files.
func CheckCode(files map[string]string) error {
	for name, digest := range files {
		if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
			return hint.Add(fmt.Errorf("the name of file %+.100q contains a control "+
				"character or invalid UTF-8", name), "rename the file")
		}
		if !sha.MatchString(digest) {
			return fmt.Errorf("file %s: %.100q is not a SHA-256 digest", name, digest)
		}
	}
	return nil
}

// WriteCode writes the run's copies of files, which maps paths to SHA-256 digests, below a new
// directory. It checks their digests, and refuses a path that leads out of the directory.
func (l *Loaded) WriteCode(files map[string]string, dir string) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%s: file %q is outside the folder of its task or method, so "+
				"the run has no copy of it", l.Dir, name)
		}
		text, err := ReadBlob(l.Dir, files[name])
		if err != nil {
			return hint.Add(fmt.Errorf("no copy of %s: %w", name, err),
				"restore it from a copy of the run; a run never copies a file of more than 64 MiB")
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := journal.WriteFile(path, text); err != nil {
			return err
		}
	}
	return nil
}
