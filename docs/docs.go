// Package docs contains the pages of the documentation, so that every user has them.
package docs

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed *.md methods/*.md tasks/*.md
var files embed.FS

// repository is the address for links to files that are not pages.
const repository = "https://github.com/pacebench/pacebench/blob/main/"

// A Page is a page of the documentation.
type Page struct {
	Name  string // its file name, without folder and ".md"
	Title string
	About string // one line, or empty if the title is enough
	Text  string // Markdown, with commands and addresses instead of links
}

// listed matches a page in the list of README.md.
var listed = regexp.MustCompile(`(?m)^(?:\d+\.|-) \[([^\]]*)\]\(([^)#]+\.md)\): (.*(?:\n +.*)*)`)

// Pages returns all pages in the order of the list in README.md, and the cards of methods and tasks
// last.
var Pages = sync.OnceValue(func() (all []Page) {
	names, texts := []string{}, map[string]string{}
	for _, pattern := range []string{"*.md", "methods/*.md", "tasks/*.md"} {
		some, _ := fs.Glob(files, pattern)
		names = append(names, some...)
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // not reached: the file is embedded
		}
		texts[name] = string(text)
	}
	entries := map[string][]string{}
	order := map[string]int{}
	for i, m := range listed.FindAllStringSubmatch(texts["README.md"], -1) {
		entries[m[2]], order[m[2]] = m, i-len(names)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(order[a], order[b]) })
	for _, name := range names {
		if name == "README.md" {
			continue // it is the list of pages
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(texts[name], "# "), "\n")
		p := Page{Name: nameOf(name), Title: title, Text: terminal(name, texts)}
		if m := entries[name]; m != nil {
			p.Title, p.About = m[1], strings.Join(strings.Fields(m[3]), " ")
		}
		all = append(all, p)
	}
	return all
})

func nameOf(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }

// Find returns the page with this name or file name.
func Find(name string) (Page, bool) {
	pages := Pages()
	i := slices.IndexFunc(pages, func(p Page) bool { return p.Name == nameOf(name) })
	if i < 0 {
		return Page{}, false
	}
	return pages[i], true
}

// special finds code, comments, pictures and links. Code is not changed.
var special = regexp.MustCompile("(?ms)^```.*?^```$|`[^`]*`|<!--.*?-->\n|" +
	`<img [^>]*alt="([^"]*)">|!?\[((?:[^\]` + "`]|`[^`]*`)*)" + `\]\(([^)\s]+)\)`)

// terminal returns a page as a terminal shows it, with commands and addresses instead of links.
func terminal(file string, texts map[string]string) string {
	return special.ReplaceAllStringFunc(texts[file], func(s string) string {
		m := special.FindStringSubmatch(s)
		to, _, _ := strings.Cut(m[3], "#")
		target := path.Join(path.Dir(file), to)
		switch page := texts[target] != ""; {
		case strings.HasPrefix(s, "`"):
			return s
		case strings.HasPrefix(s, "<!--"):
			return ""
		case strings.HasPrefix(s, "<img") || strings.HasPrefix(s, "!"):
			return "(Picture: " + m[1] + m[2] + ")"
		case to == "":
			return m[2] // a place on this page
		case strings.Contains(to, "://"):
			return m[2] + " [" + m[3] + "]"
		case target == "README.md" || target == "methods" || target == "tasks":
			return m[2] + " [pacebench docs]"
		case page:
			return m[2] + " [pacebench docs " + nameOf(target) + "]"
		default:
			return m[2] + " [" + repository + path.Join("docs", target) + "]"
		}
	})
}
