package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// opensItself lists the code that opens files without internal/plain, and what it opens, which is
// never a file of a stranger's run.
var opensItself = map[string]string{
	"internal/plain/plain.go": "files for all other code",

	"record/journal/journal.go os.Open":       "a directory, for fsync",
	"record/journal/lease.go os.ReadFile":     "a file of the kernel",
	"record/journal/list.go os.OpenRoot":      "a directory that paths cannot leave",
	"record/bundle.go os.OpenRoot":            "a new directory of this process",
	"suite/runstatus.go os.DirFS":             "a directory, for the names in it",
	"suite/errors.go os.Open":                 "a file that the user names",
	"python/sandbox/":                         "files of the kernel, and what the sandbox mounts",
	"suite/kit/kit.go os.CopyFS":              "a run of this process",
	"suite/kit/kit.go os.DirFS":               "a run of this process",
	"python/task/load.go os.ReadFile":         "a task file that the user names",
	"python/method/pymethod.go os.ReadFile":   "a method file that the user names",
	"python/env/":                             "the cache of environments, and a task's lock file",
	"cli/demo.go os.WriteFile":                "in a new directory of this process",
	"cli/new.go os.ReadFile":                  "the user's own module",
	"tasks/baselines/deepaco/":                "a checkpoint in the user's cache",
	"tasks/baselines/ppo/ppo.go os.WriteFile": "in a new directory of this process",
	"scripts/wheel/main.go":                   "files of this repository",
}

// openers are the functions that open a file by its name, by package.
var openers = map[string][]string{
	"os": {
		"Create", "CreateTemp", "Open", "OpenFile", "ReadFile", "WriteFile", "Truncate", "CopyFS",
		"DirFS", "OpenRoot", "OpenInRoot",
	},
	"syscall":                    {"Open", "Openat", "Creat", "Truncate"},
	"golang.org/x/sys/unix":      {"Open", "Openat", "Openat2", "Creat", "Truncate"},
	"io/ioutil":                  {"ReadFile", "WriteFile", "TempFile"},
	"net/http":                   {"ServeFile", "Dir"},
	"archive/zip":                {"OpenReader"},
	"github.com/BurntSushi/toml": {"DecodeFile"},
}

// TestFilesOfRunsAreOpenedPlainly checks that only the code in opensItself opens files without
// internal/plain: a run may come from a stranger, so its files may be links or pipes.
func TestFilesOfRunsAreOpenedPlainly(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		skip := path == "results" || path == "internal/testkit" || d.Name() == "testdata"
		if d.IsDir() && (skip || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		for _, call := range opens(t, path) {
			known := false
			for of := range opensItself {
				if strings.HasPrefix(path+" "+call, of) {
					used[of], known = true, true
				}
			}
			if !known {
				t.Errorf("%s uses %s: open files of a run with internal/plain or "+
					"record/journal, and list other files in opensItself", path, call)
			}
		}
		return nil
	})
	must.Do(t, err)
	for known := range opensItself {
		if !used[known] {
			t.Errorf("opensItself lists %q, which opens no file", known)
		}
	}
}

// opens lists the functions of openers that a file uses.
func opens(t *testing.T, path string) (calls []string) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	must.Do(t, err)
	imports := map[string]string{} // by name in the file
	for _, spec := range f.Imports {
		imp, _ := strconv.Unquote(spec.Path.Value)
		name := imp[strings.LastIndexByte(imp, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." && openers[imp] != nil {
			t.Errorf("%s imports %s with a dot, which hides its calls from this test", path, imp)
		}
		imports[name] = imp
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			if ok && slices.Contains(openers[imports[x.Name]], s.Sel.Name) {
				calls = append(calls, x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return calls
}
