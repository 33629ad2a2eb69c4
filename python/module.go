package python

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

//go:embed pacebench/*.py pacebench/py.typed
var files embed.FS

// IsFile returns an error unless path is a regular file or a link to one.
func IsFile(path string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a regular file", path)
	}
	return nil
}

// Files returns the module's files, in a folder pacebench.
func Files() fs.FS { return files }

// Values is the text of pacebench/values.py, which candidates' processes include.
//
//go:embed pacebench/values.py
var Values string

// Modules returns the sources of the package pacebench by their dotted names.
func Modules() map[string]string {
	sources := map[string]string{}
	entries, err := fs.ReadDir(files, "pacebench")
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".py") {
			continue
		}
		var text []byte
		if text, err = files.ReadFile("pacebench/" + e.Name()); err != nil {
			break
		}
		name := "pacebench." + strings.TrimSuffix(e.Name(), ".py")
		sources[strings.TrimSuffix(name, ".__init__")] = string(text)
	}
	if err != nil {
		panic("python: embedded files: " + err.Error())
	}
	return sources
}
