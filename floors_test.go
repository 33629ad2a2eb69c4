package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
	case pkg == "bench/llm" || pkg == "bench/program" ||
		pkg == "bench/journal" || pkg == "bench/note":
		return 1
	case pkg == "bench":
		return 2
	case first == "bench" || first == "methods" || first == "tasks" || first == "baselines":
		return 3
	case pkg == "data" || pkg == "scripts/ppo" ||
		pkg == "internal/golden" || pkg == "internal/plain":
		return 0
	}
	return -1
}

// beside lists the imports within a floor, and why each is right.
var beside = map[[2]string]string{
	{"bench/report", "bench/results"}: "what it renders",
	{"bench/export", "bench/results"}: "what it writes as tables",
	{"bench/view", "bench/results"}:   "what its pages show",
	{"bench/sandbox", "bench/values"}: "what crosses its pipes",
	{"bench/host", "bench/values"}:    "what crosses its pipes",
	{"baselines/ppo", "bench/host"}:   "trusted Python that has its pictures drawn",
}

// only names who may import a library that is prescribed for one purpose.
var only = map[string][]string{
	"github.com/sashabaranov/go-openai": {"bench/llm"},
	"github.com/olekukonko/tablewriter": {"bench/report"},
	"gonum.org/v1/plot":                 {"bench/report"},
	"github.com/urfave/cli/v2":          {"bench/cli"},
	"github.com/charmbracelet/x/ansi":   {"bench/status"},
	"golang.org/x/term":                 {"bench/status"},
	"github.com/BurntSushi/toml":        {"bench/cli", "data"},
	"golang.org/x/image":                {"bench/film", "tasks/internal/tsp"},
	"github.com/cenkalti/backoff/v5":    {"bench/llm"},
	"github.com/klauspost/compress":     {"bench/journal", "bench/view"},
}

// TestImportsPointDownward reads the import lines of every package.
func TestImportsPointDownward(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := path != "." && strings.HasPrefix(d.Name(), ".")
		if d.IsDir() && (hidden || d.Name() == "testdata" || d.Name() == "results") {
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
	first, _, _ := strings.Cut(pkg, "/")
	if first == "methods" && slices.Contains([]string{"os", "net", "net/http", "time"}, imp) {
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

// sameMethod allows what lies under one roof: methods share methods/internal, their list imports
// them all, and so on.
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

// TestTheArchitecturePage holds docs/architecture.md to the code: every package stands on its
// floor, and every file that the page names is there.
func TestTheArchitecturePage(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	level, shown := 0, map[string]int{}
	_, table, _ := strings.Cut(string(text), "floor  package")
	table, _, _ = strings.Cut(table, "```")
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if len(words) > 1 {
			if n, err := strconv.Atoi(words[0]); err == nil {
				level, words = n, words[1:]
			}
			shown[words[0]] = level
		}
	}
	err = fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == "." || floor(path) < 0 {
			return err
		}
		if code, err := filepath.Glob(path + "/*.go"); err != nil || len(code) == 0 {
			return err
		}
		switch first, rest, _ := strings.Cut(path, "/"); {
		case strings.HasSuffix(path, "test") || strings.HasPrefix(rest, "internal/"):
			return nil
		case (first == "methods" || first == "tasks") && rest != "":
			path = first + "/NAME"
		}
		if shown[path] != floor(path) && shown[filepath.Dir(path)] != floor(path) {
			t.Errorf("%s: the page has it on floor %d, floors_test.go on %d",
				path, shown[path], floor(path))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	names := regexp.MustCompile("`([a-z]+/[A-Za-z0-9_./-]+)`")
	for _, m := range names.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(m[1]); err != nil && !strings.Contains(m[1], "NAME") {
			t.Errorf("the page names %s: %v", m[1], err)
		}
	}
}
