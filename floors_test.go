package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/pacebench/pacebench/"

// floor is how high a room lies: imports point downward, and sideways only where beside names it.
func floor(pkg string) int {
	switch first, _, _ := strings.Cut(pkg, "/"); {
	case pkg == "":
		return 5
	case pkg == "bench/cli":
		return 4
	case pkg == "bench/llm" || pkg == "bench/program" || pkg == "bench/journal" || pkg == "bench/note":
		return 1
	case pkg == "bench":
		return 2
	case first == "bench" || first == "methods" || first == "tasks" || first == "baselines":
		return 3
	case pkg == "data" || pkg == "internal/golden":
		return 0
	}
	return -1
}

// beside lists the imports within a floor, and why each is right.
var beside = map[[2]string]string{
	{"tasks", "tasks/tspconstruct"}:              "the list of tasks",
	{"tasks", "tasks/tspaco"}:                    "the list of tasks",
	{"tasks/tspconstruct", "tasks/internal/tsp"}: "what the TSP tasks share",
	{"tasks/tspaco", "tasks/internal/tsp"}:       "what the TSP tasks share",
	{"bench/report", "bench/results"}:            "what it renders",
	{"baselines", "baselines/deepaco"}:           "the list of rows",
}

// only names who may import a library that is prescribed for one purpose.
var only = map[string][]string{
	"github.com/sashabaranov/go-openai": {"bench/llm"},
	"github.com/olekukonko/tablewriter": {"bench/report"},
	"gonum.org/v1/plot":                 {"bench/report"},
	"github.com/urfave/cli/v2":          {"bench/cli"},
	"github.com/charmbracelet/x/ansi":   {"bench/status"},
	"golang.org/x/term":                 {"bench/status"},
	"github.com/alecthomas/chroma/v2":   {"bench/report"},
	"github.com/BurntSushi/toml":        {"bench/cli", "data"},
	"golang.org/x/time/rate":            {"bench/llm"},
	"github.com/cenkalti/backoff/v5":    {"bench/llm"},
}

// TestImportsPointDownward reads the import lines of every package (architecture, section 2).
func TestImportsPointDownward(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "results") {
			return filepath.SkipDir
		}
		if d.IsDir() && strings.HasSuffix(d.Name(), "test") {
			return filepath.SkipDir // kits for tests: methodtest, programtest, benchtest, llmtest
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == "." {
			pkg = ""
		}
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if problem := forbidden(pkg, imp); problem != "" {
				t.Errorf("%s imports %s: %s", path, imp, problem)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func forbidden(pkg, imp string) string {
	if first, _, _ := strings.Cut(pkg, "/"); first == "methods" && slices.Contains([]string{"os", "net", "net/http", "time"}, imp) {
		return "a method reaches the world only through a step"
	}
	for lib, rooms := range only {
		if (imp == lib || strings.HasPrefix(imp, lib+"/")) && !slices.Contains(rooms, pkg) {
			return "only " + strings.Join(rooms, ", ") + " may"
		}
	}
	target, ours := strings.CutPrefix(imp, module)
	if !ours {
		return ""
	}
	from, to := floor(pkg), floor(target)
	switch {
	case from < 0 || to < 0:
		return "a room that is on no floor: add it to floor()"
	case to < from:
		return ""
	case to == from && (beside[[2]string{pkg, target}] != "" || sameMethod(pkg, target)):
		return ""
	}
	return "imports must point downward"
}

// sameMethod allows what lies under one roof: methods share methods/internal, their list imports them all, and so on.
func sameMethod(pkg, target string) bool {
	if strings.HasPrefix(target, pkg+"/") {
		return true
	}
	first, _, _ := strings.Cut(pkg, "/")
	if first == "baselines" && strings.HasPrefix(target, "tasks/") {
		return true // a baseline is a row on a task's instances, with the task's colony
	}
	return first != "bench" && strings.HasPrefix(target, first+"/internal/")
}
