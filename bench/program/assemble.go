package program

import (
	"regexp"
	"slices"
	"strings"
)

// future matches the imports that Python wants before all others.
var future = regexp.MustCompile(`(?m)^from[ \t]+__future__[ \t]+import\b[^\n]*\n?`)

// Assemble writes a complete program: imports, each once, then helper definitions in the order given,
// then the code of the target. Imports from __future__ are moved to the front.
func Assemble(imports, helpers []string, code string) Program {
	var head []string
	add := func(line string) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(head, line) {
			head = append(head, line)
		}
	}
	hoist := func(text string) string {
		for _, line := range future.FindAllString(text, -1) {
			add(line)
		}
		return strings.Trim(future.ReplaceAllString(text, ""), "\n")
	}
	var parts []string
	for _, text := range append(slices.Clone(helpers), code) {
		if text = hoist(text); text != "" {
			parts = append(parts, text)
		}
	}
	for _, i := range imports {
		add(i)
	}
	if len(head) > 0 {
		parts = slices.Insert(parts, 0, strings.Join(head, "\n"))
	}
	return Program{Source: strings.Join(parts, "\n\n\n") + "\n"}
}

// Parts are the pieces of an assembled program.
type Parts struct {
	Imports []string // of the preface that it was assembled with
	Helpers []string // definitions, in the order of the program
	Code    string   // the rest: the target with its own imports and helpers
}

// Split takes a program apart, given its analysis, the preface it was assembled with and the names
// of the helpers to set apart. Assemble puts the parts together again.
func Split(p Program, a Analysis, imports, helpers []string) Parts {
	var parts Parts
	type span struct{ start, end int }
	var cut []span
	for _, i := range a.Imports {
		for _, line := range imports {
			if sameWords(line, i.Source) && !slices.Contains(parts.Imports, i.Source) {
				parts.Imports = append(parts.Imports, i.Source)
				cut = append(cut, span{i.Start, i.End})
				break
			}
		}
	}
	for _, f := range a.Functions {
		if slices.Contains(helpers, f.Name) {
			parts.Helpers = append(parts.Helpers, p.Source[f.Start:f.End])
			cut = append(cut, span{f.Start, f.End})
		}
	}
	slices.SortFunc(cut, func(a, b span) int { return b.start - a.start })
	rest := p.Source
	for _, c := range cut {
		end := len(rest)
		if n := strings.IndexByte(rest[c.end:], '\n'); n >= 0 && strings.TrimSpace(rest[c.end:c.end+n]) == "" {
			end = c.end + len(rest[c.end:]) - len(strings.TrimLeft(rest[c.end:], " \t\n"))
		} else if n >= 0 {
			end = c.end
		}
		rest = rest[:c.start] + rest[end:]
	}
	parts.Code = strings.Trim(rest, "\n") + "\n"
	return parts
}
