package program

import (
	"regexp"
	"slices"
	"strings"
)

// future matches the imports that Python requires before all others.
var future = regexp.MustCompile(`(?m)^from[ \t]+__future__[ \t]+import\b[^\n]*\n?`)

// Assemble writes a complete program: imports without duplicates, helper definitions in the given
// order, and the code of the target. Imports from __future__ come first.
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
