package main

import (
	"cmp"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tree"
)

const module = "github.com/pacebench/pacebench/"

// only lists, for each library with one purpose, the packages that may import it.
var only = map[string][]string{
	"github.com/sashabaranov/go-openai": {"llm"},
	"github.com/olekukonko/tablewriter": {"report/render"},
	"gonum.org/v1/plot":                 {"report", "report/figure"},
	"github.com/urfave/cli/v2":          {"cli"},
	"github.com/charmbracelet/x/ansi":   {"suite/status"},
	"golang.org/x/term":                 {"suite/status"},
	"github.com/BurntSushi/toml": {
		"python/task", "suite", "data", "tasks/internal/programs",
	},
	"golang.org/x/image":             {"report/film", "tasks/internal/tsp"},
	"github.com/cenkalti/backoff/v5": {"llm"},
	"github.com/klauspost/compress":  {"record/journal", "report/view"},
}

// topFolder returns the top-level folder of a package, or "" for a package of helpers for tests.
func topFolder(pkg string) string {
	if strings.HasPrefix(pkg, "internal/testkit/") {
		return ""
	}
	first, _, _ := strings.Cut(pkg, "/")
	return cmp.Or(first, ".")
}

// topFolders returns the top-level folders that each top-level folder imports. It reports forbidden
// imports as errors.
func topFolders(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	for _, name := range tree.Files(t, ".", "*.go", ":!*_test.go", ":!results",
		":(exclude,glob)**/testdata/**", ":(exclude,glob)**/.*/**") {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		must.Do(t, err)
		pkg := strings.TrimPrefix(path.Dir(name), ".")
		from := topFolder(pkg)
		if from == "" {
			continue
		}
		imports[from] = append(imports[from], "")
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if problem := forbidden(pkg, imp); problem != "" {
				t.Errorf("%s imports %s: %s", name, imp, problem)
			}
			if target, ours := strings.CutPrefix(imp, module); ours && topFolder(target) != from {
				imports[from] = append(imports[from], topFolder(target))
			}
		}
	}
	return imports
}

// forbidden says why a package may not import another, or returns "" if it may.
func forbidden(pkg, imp string) string {
	first, _, _ := strings.Cut(pkg, "/")
	if first == "methods" && slices.Contains([]string{"os", "net", "net/http", "time"}, imp) {
		return "a method may reach files, networks and clocks only through a step"
	}
	for lib, in := range only {
		if (imp == lib || strings.HasPrefix(imp, lib+"/")) && !slices.Contains(in, pkg) {
			return "only " + strings.Join(in, ", ") + " may import it"
		}
	}
	return ""
}

// TestTheArchitecturePage compares docs/architecture.md with the code: each folder is in the layer
// directly above the highest layer that it imports, and every file that the page names exists.
func TestTheArchitecturePage(t *testing.T) {
	text := must.Read(t, "docs/architecture.md")
	level, shown := 0, map[string]int{}
	_, table, _ := strings.Cut(string(text), "what it does\n")
	table, _, _ = strings.Cut(table, "```")
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if indent := len(line) - len(strings.TrimLeft(line, " ")); len(words) > 1 && indent < 8 {
			if n, err := strconv.Atoi(words[0]); err == nil {
				level, words = n, words[1:]
			}
			shown[words[0]] = level
		}
	}
	imports, layers := topFolders(t), map[string]int{"": 0}
	var layer func(folder string) int
	layer = func(folder string) int {
		if n, ok := layers[folder]; ok {
			return n
		}
		layers[folder] = 1 << 10 // an import cycle has no layer
		n := 0
		for _, below := range imports[folder] {
			n = max(n, layer(below)+1)
		}
		layers[folder] = n
		return n
	}
	for folder := range imports {
		layer(folder)
	}
	delete(layers, "")
	for _, folder := range slices.Sorted(maps.Keys(layers)) {
		if n, ok := shown[folder]; !ok || n != layers[folder] {
			t.Errorf("%s is in layer %d, not %d as in docs/architecture.md",
				folder, layers[folder], n)
		}
	}
	for folder := range shown {
		if _, ok := layers[folder]; !ok {
			t.Errorf("docs/architecture.md: %s is not a top-level folder of code", folder)
		}
	}
	names := regexp.MustCompile("`([a-z]+/[A-Za-z0-9_./-]+)`")
	for _, m := range names.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(m[1]); err != nil && !strings.Contains(m[1], "NAME") {
			t.Errorf("docs/architecture.md: no file %s: %v", m[1], err)
		}
	}
}
