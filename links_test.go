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

// TestLinks checks that each link in a page leads to a file, folder or heading of the repository.
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
				t.Errorf("%s: a link leads to %s, which is not in the repository", page, to)
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

// places returns the anchors that GitHub makes from a page's headings.
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

// TestPagesInMessages checks that `pacebench docs` has every page that a message, a docstring or a
// page names, and that messages name no file of docs. Only the messages of new, which runs in a
// clone, may name one.
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
			t.Errorf("%s names a file that users do not have: %s", name, line)
		}
	}
	if named < 8 {
		t.Errorf("only %d pages are named, want at least 8", named)
	}
}

func has(page string) bool {
	_, ok := docs.Find(page)
	return ok
}

// TestTableOfREADME checks that the numbers in README.md are in a table of docs/small-model.md.
func TestTableOfREADME(t *testing.T) {
	readme := must.Read(t, "README.md")
	page := regexp.MustCompile(`± +`).ReplaceAll(must.Read(t, "docs/small-model.md"), []byte("± "))
	rows := regexp.MustCompile(`(?m)^\| (.*) \| (\d.*) \| (\d.*) \| (\d.*) \|$`).
		FindAllStringSubmatch(string(readme), -1)
	if len(rows) != 3 {
		t.Fatalf("README.md has %d rows of numbers, want 3", len(rows))
	}
	for _, row := range rows {
		line := regexp.MustCompile(`(?m)^ ` + row[1] + ` +` + row[2] + `[ *]+` + row[3] + `[ *]+` +
			row[4] + `[ *]`)
		if !line.Match(page) {
			t.Errorf("docs/small-model.md has no row %s", line)
		}
	}
}
