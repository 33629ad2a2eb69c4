package main

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/tree"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: a link in a page leads to a file or a folder that a clone has.
func TestLinks(t *testing.T) {
	there := map[string]bool{".": true}
	for _, name := range tree.Files(t, ".") {
		for ; !there[name]; name = path.Dir(name) {
			there[name] = true
		}
	}
	for _, page := range tree.Files(t, ".", "*.md", ":(exclude,glob)**/testdata/**") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			to, _, _ := strings.Cut(m[1], "#")
			if to == "" || strings.Contains(to, ":") {
				continue // a heading, or an address
			}
			if to = path.Join(path.Dir(page), to); !there[to] {
				t.Errorf("%s: no clone has %s", page, to)
			}
		}
	}
}

// TestTableOfREADME: its numbers are in the tables of the page that it names.
func TestTableOfREADME(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/offline-results.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (.*) \| (\d.*) \| (\d.*) \| (\d.*) \|$`).
		FindAllStringSubmatch(string(readme), -1)
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		line := regexp.MustCompile(`(?m)^ ` + row[1] + ` +` + row[2] + `[ *]+` + row[3] + ` +` +
			row[4] + ` `)
		if !line.Match(page) {
			t.Errorf("docs/offline-results.md has no row %s", line)
		}
	}
}
