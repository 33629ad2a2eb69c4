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

// only names who may import a library that is prescribed for one purpose.
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

// room is the folder at the top level that a package belongs to. Kits for tests are in none.
func room(pkg string) string {
	if strings.HasPrefix(pkg, "internal/testkit/") {
		return ""
	}
	first, _, _ := strings.Cut(pkg, "/")
	return cmp.Or(first, ".")
}

// rooms maps each room to those that it imports.
func rooms(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	for _, name := range tree.Files(t, ".", "*.go", ":!*_test.go", ":!results",
		":(exclude,glob)**/testdata/**", ":(exclude,glob)**/.*/**") {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		must.Do(t, err)
		pkg := strings.TrimPrefix(path.Dir(name), ".")
		from := room(pkg)
		if from == "" {
			continue
		}
		imports[from] = append(imports[from], "")
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if problem := forbidden(pkg, imp); problem != "" {
				t.Errorf("%s imports %s: %s", name, imp, problem)
			}
			if target, ours := strings.CutPrefix(imp, module); ours && room(target) != from {
				imports[from] = append(imports[from], room(target))
			}
		}
	}
	return imports
}

// forbidden says why a package may not import another; "" where it may.
func forbidden(pkg, imp string) string {
	first, _, _ := strings.Cut(pkg, "/")
	if first == "methods" && slices.Contains([]string{"os", "net", "net/http", "time"}, imp) {
		return "a method reaches the world only through a step"
	}
	for lib, in := range only {
		if (imp == lib || strings.HasPrefix(imp, lib+"/")) && !slices.Contains(in, pkg) {
			return "only " + strings.Join(in, ", ") + " may"
		}
	}
	return ""
}

// TestTheArchitecturePage holds docs/architecture.md to the code: each room stands on the lowest
// floor that lies above all rooms that it imports, and every file that the page names is there.
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
	imports, floors := rooms(t), map[string]int{"": 0}
	var floor func(room string) int
	floor = func(room string) int {
		if n, ok := floors[room]; ok {
			return n
		}
		floors[room] = 1 << 10 // a circle would stand on no floor
		n := 0
		for _, below := range imports[room] {
			n = max(n, floor(below)+1)
		}
		floors[room] = n
		return n
	}
	for room := range imports {
		floor(room)
	}
	delete(floors, "")
	for _, room := range slices.Sorted(maps.Keys(floors)) {
		if n, ok := shown[room]; !ok || n != floors[room] {
			t.Errorf("%s stands on floor %d; the page has it on %d", room, floors[room], n)
		}
	}
	for room := range shown {
		if _, ok := floors[room]; !ok {
			t.Errorf("the page names %s, which is not a room", room)
		}
	}
	names := regexp.MustCompile("`([a-z]+/[A-Za-z0-9_./-]+)`")
	for _, m := range names.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(m[1]); err != nil && !strings.Contains(m[1], "NAME") {
			t.Errorf("the page names %s: %v", m[1], err)
		}
	}
}
