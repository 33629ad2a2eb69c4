package main

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/tree"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: a link in a page leads to a file or a folder that a clone has, and to a heading of it.
func TestLinks(t *testing.T) {
	there := map[string]bool{".": true}
	for _, name := range tree.Files(t, ".") {
		for ; !there[name]; name = path.Dir(name) {
			there[name] = true
		}
	}
	pages := map[string]string{}
	for _, page := range tree.Files(t, ".", "*.md", ":(exclude,glob)**/testdata/**") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		pages[page] = codeBlock.ReplaceAllString(string(text), "")
	}
	for page, text := range pages {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, place, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") {
				continue // an address
			}
			if to = path.Join(path.Dir(page), to); strings.HasPrefix(m[1], "#") {
				to = page
			}
			if !there[to] {
				t.Errorf("%s: no clone has %s", page, to)
			} else if place != "" && !slices.Contains(places(pages[to]), place) {
				t.Errorf("%s: %s has no heading #%s", page, to, place)
			}
		}
	}
}

var (
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```$")
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	unplaced  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// places are the anchors that GitHub makes of a page's headings.
func places(page string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		name := unplaced.ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(name, " ", "-"))
	}
	return all
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
		line := regexp.MustCompile(`(?m)^ ` + row[1] + ` +` + row[2] + `[ *]+` + row[3] + `[ *]+` +
			row[4] + `[ *]`)
		if !line.Match(page) {
			t.Errorf("docs/offline-results.md has no row %s", line)
		}
	}
}
