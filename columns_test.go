package main

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tree"
)

// maxColumns is the limit on the length of lines of code and prose; a tab counts as 4.
const maxColumns = 100

// unbreakable matches lines that may be longer: lines with a long address or a digest, and
// directives of Go.
var unbreakable = regexp.MustCompile(`https?://\S{40}|[0-9a-f]{40}|^//go:`)

// TestLinesFit checks the length of lines in Go, Python, Markdown and shell. It skips results,
// testdata, vendored files and the tables of Markdown.
func TestLinesFit(t *testing.T) {
	for _, name := range tree.Files(t, ".",
		":!results", ":(exclude,glob)**/testdata/**", ":(exclude,glob)**/vendor/**") {
		text := must.Read(t, name)
		if !written(name, text) {
			continue
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			line = strings.TrimRight(line, "\n")
			columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
			table := path.Ext(name) == ".md" && strings.HasPrefix(strings.TrimSpace(line), "|")
			if columns <= maxColumns || table || unbreakable.MatchString(line) {
				continue
			}
			t.Errorf("%s:%d: %d columns", name, number, columns)
		}
	}
}

// written reports whether a file is Go, Python, Markdown or shell, or a template. It recognizes a
// script by the first line.
func written(name string, text []byte) bool {
	switch path.Ext(name) {
	case ".go", ".py", ".md", ".sh":
		return true
	case ".tmpl":
		return path.Ext(strings.TrimSuffix(name, ".tmpl")) != ""
	case "":
		first, _, _ := bytes.Cut(text, []byte("\n"))
		return bytes.HasPrefix(first, []byte("#!")) &&
			(bytes.Contains(first, []byte("sh")) || bytes.Contains(first, []byte("python")))
	}
	return false
}
