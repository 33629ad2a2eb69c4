package docs

import (
	"strings"
	"testing"
)

// TestPages checks that each page has a title and its own name, that the list describes every page
// except the cards, and that no Markdown link is left.
func TestPages(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Pages() {
		if seen[p.Name] || p.Title == "" {
			t.Errorf("%s: another page has this name, or the title is missing", p.Name)
		}
		seen[p.Name] = true
		for _, folder := range []string{"", "docs/", "docs/methods/", "docs/tasks/"} {
			if q, ok := Find(folder + p.Name + ".md"); !ok || q != p {
				t.Errorf("%s%s.md: found %s", folder, p.Name, q.Name)
			}
		}
		_, card := files.Open("methods/" + p.Name + ".md")
		_, task := files.Open("tasks/" + p.Name + ".md")
		if p.About == "" && card != nil && task != nil {
			t.Errorf("docs/README.md does not describe %s", p.Name)
		}
		for _, bad := range []string{"](", "<img", "<!--"} {
			if strings.Contains(codeless(p.Text), bad) {
				t.Errorf("%s contains %s", p.Name, bad)
			}
		}
	}
	if !seen["start"] || !seen["pace"] || !seen["tsp-construct"] || seen["README"] {
		t.Errorf("%v", seen)
	}
}

// codeless removes code from a text.
func codeless(text string) string {
	return special.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "`") {
			return ""
		}
		return s
	})
}

func TestTerminal(t *testing.T) {
	texts := map[string]string{"models.md": "# Models", "tasks/a.md": "" +
		"See [costs](../models.md#costs), [below](#b), [`a`\nb](https://x.org/), " +
		"[all](../README.md),\n[code](../../bench/doc.go), `[no](link.md)`.\n" +
		"<!-- comment -->\n![A\nplot](../images/p.png)\n" +
		"<img src=\"q.svg\"\n  alt=\"Another\">\n```\n[no](link.md)\n```\n", "README.md": "# All"}
	want := "See costs [pacebench docs models], below, `a`\nb [https://x.org/], " +
		"all [pacebench docs],\ncode [" + repository + "bench/doc.go], `[no](link.md)`.\n" +
		"(Picture: A\nplot)\n(Picture: Another)\n```\n[no](link.md)\n```\n"
	if got := terminal("tasks/a.md", texts); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
