package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/docs"
	"github.com/pacebench/pacebench/internal/testkit/must"
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
		text := must.Read(t, page)
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

var (
	shownPage = regexp.MustCompile(`(?m)pacebench docs ([a-z0-9-]+)(?:[^a-z0-9%-]|$)`)
	pageFile  = regexp.MustCompile(`(?m)^[^/#]*".*docs/[a-z/-]+\.md`)
)

// TestPagesInMessages: `pacebench docs` has every page that a message, a docstring or a page names.
// Messages name no file of the repository; only new, which runs in a clone, does.
func TestPagesInMessages(t *testing.T) {
	named := 0
	for _, name := range tree.Files(t, ".", "*.go", "*.py", "*.md", "*.txt", "*.tmpl",
		":!*_test.go", ":!results", ":(exclude,glob)**/testdata/**") {
		text := must.Read(t, name)
		for _, m := range shownPage.FindAllSubmatch(text, -1) {
			if named++; !has(string(m[1])) {
				t.Errorf("%s names the page %s, which does not exist", name, m[1])
			}
		}
		ext := path.Ext(name)
		if line := pageFile.Find(text); line != nil && (ext == ".go" || ext == ".py") &&
			name != "cli/new.go" && !strings.HasPrefix(name, "scripts/") {
			t.Errorf("%s names a file that users lack: %s", name, line)
		}
	}
	if named < 8 {
		t.Errorf("%d pages named", named)
	}
}

func has(page string) bool {
	_, ok := docs.Find(page)
	return ok
}

// TestTableOfREADME: its numbers are in the tables of the page that it names.
func TestTableOfREADME(t *testing.T) {
	readme := must.Read(t, "README.md")
	page := must.Read(t, "docs/offline-results.md")
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
