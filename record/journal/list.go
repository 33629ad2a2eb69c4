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

// Supersede removes a command's old files from dir: the files that are in the list file but not in
// paths, and the folders that become empty. Other files stay. Then it writes paths to the list
// file.
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
	root, err := os.OpenRoot(dir) // refuses names outside of dir
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
