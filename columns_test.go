package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the longest line of code and prose; a tab counts as 4.
const maxColumns = 100

// unbreakable are lines that may be longer: with a long address, a digest, or a directive of Go.
var unbreakable = regexp.MustCompile(`https?://\S{40}|[0-9a-f]{40}|^//go:`)

// TestLinesFit holds Go, Python, Markdown and shell to the length of a line, outside of what others
// wrote and what tests compare with: results, testdata, vendored files and the tables of Markdown.
func TestLinesFit(t *testing.T) {
	tooLong := map[string]int{} // by folder
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() &&
			slices.Contains([]string{".git", "testdata", "vendor"}, d.Name()) || path == "results":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !written(path, text) {
			return err
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			line = strings.TrimRight(line, "\n")
			columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
			table := filepath.Ext(path) == ".md" && strings.HasPrefix(strings.TrimSpace(line), "|")
			if columns <= maxColumns || table || unbreakable.MatchString(line) {
				continue
			}
			tooLong[filepath.ToSlash(filepath.Dir(path))]++
			t.Errorf("%s:%d: %d columns", path, number, columns)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range slices.Sorted(maps.Keys(tooLong)) {
		t.Logf("%s: %d lines", folder, tooLong[folder])
	}
}

// written reports whether a file is Go, Python, Markdown or shell, or a template of Go or Markdown;
// a script's first line tells.
func written(path string, text []byte) bool {
	switch filepath.Ext(path) {
	case ".go", ".py", ".md", ".sh":
		return true
	case ".tmpl":
		return filepath.Ext(strings.TrimSuffix(path, ".tmpl")) != ""
	case "":
		first, _, _ := bytes.Cut(text, []byte("\n"))
		return bytes.HasPrefix(first, []byte("#!")) &&
			(bytes.Contains(first, []byte("sh")) || bytes.Contains(first, []byte("python")))
	}
	return false
}
