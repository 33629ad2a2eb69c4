package main

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tree"
)

var (
	goTest   = regexp.MustCompile(`go test ((?:[^\n\x60]|\\\n)*)`)
	chosen   = regexp.MustCompile(`-(run|bench) '?([A-Za-z|]+)`)
	folder   = regexp.MustCompile(`(?:^|\s)\./(\S+)`)
	function = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)\w+)\(`)
)

// TestCommandsNameTests checks that each name after -run or -bench in a page's "go test" matches a
// test or a benchmark in one of the command's folders.
func TestCommandsNameTests(t *testing.T) {
	functions := map[string][]string{} // by folder
	for _, file := range tree.Files(t, ".", "*_test.go") {
		for _, f := range function.FindAllStringSubmatch(string(must.Read(t, file)), -1) {
			functions[path.Dir(file)] = append(functions[path.Dir(file)], f[1])
		}
	}
	// matches reports whether a function of a folder, or below it with "/...", has the name.
	matches := func(name *regexp.Regexp, folder string) bool {
		below, tree := strings.CutSuffix(folder, "/...")
		for dir, names := range functions {
			inside := dir == below || tree && strings.HasPrefix(dir, below+"/")
			if inside && name.MatchString(strings.Join(names, "\n")) {
				return true
			}
		}
		return false
	}
	found := 0
	for _, page := range tree.Files(t, ".", "*.md") {
		for _, command := range goTest.FindAllStringSubmatch(string(must.Read(t, page)), -1) {
			for _, c := range chosen.FindAllStringSubmatch(command[1], -1) {
				kind := map[string]string{"run": "Test", "bench": "Benchmark"}[c[1]]
				for name := range strings.SplitSeq(c[2], "|") {
					if name == "xxx" { // runs only benchmarks
						continue
					}
					found++
					name = strings.TrimPrefix(name, kind)
					full, some := regexp.MustCompile(`(?m)^`+kind+`.*`+name), false
					for _, f := range folder.FindAllStringSubmatch(command[1], -1) {
						some = some || matches(full, f[1])
					}
					if !some {
						t.Errorf("%s: go test %s: no test matches %s", page, command[1], name)
					}
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("the pages name only %d tests, want at least 10", found)
	}
}
