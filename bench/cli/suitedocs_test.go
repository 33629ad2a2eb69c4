package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuitesInDocumentation reads every suite that docs/suites.md shows and forecasts its costs.
func TestSuitesInDocumentation(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "suites.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := tomlBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 2 {
		t.Fatalf("%d examples found", len(blocks))
	}
	t.Chdir(t.TempDir())
	for _, b := range blocks {
		withFlags(t, nil, func(c *console, o options) {
			s, err := findSuite(write(t, "mine.toml", b[1]))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.dryRun(o, s); err != nil {
				t.Errorf("%v\n%s", err, b[1])
			}
			if out := c.out.(*bytes.Buffer).String(); !strings.Contains(out, "total") {
				t.Error(out)
			}
		})
	}
	// The page names every key and every built-in suite.
	for _, word := range append(append(keysOf(suite{}), keysOf(group{})...), suiteNames()...) {
		if word != "cells" && !strings.Contains(string(text), "`"+word+"`") {
			t.Errorf("docs/suites.md does not explain %s", word)
		}
	}
}
