package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/internal/plain"
)

// Supersede removes the old files of a command from dir: the files that the list file names and
// paths does not, and the folders that become empty. Other files stay. Then it writes paths to the
// list file.
func Supersede(dir, list string, paths []string) error {
	var now []string
	for _, path := range paths {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		now = append(now, filepath.ToSlash(name))
	}
	slices.Sort(now)
	now = slices.Compact(now)
	old, err := plain.Read(filepath.Join(dir, list), plain.Small)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	root, err := os.OpenRoot(dir) // the list can name nothing outside
	if err != nil {
		return err
	}
	defer root.Close()
	for name := range strings.Lines(string(old)) {
		name = strings.TrimSpace(name)
		if _, kept := slices.BinarySearch(now, name); kept || !filepath.IsLocal(name) {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for up := filepath.Dir(name); up != "." && root.Remove(up) == nil; {
			up = filepath.Dir(up)
		}
	}
	return WriteFile(filepath.Join(dir, list), []byte(strings.Join(now, "\n")+"\n"))
}
