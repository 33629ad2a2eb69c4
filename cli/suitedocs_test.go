package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/suite"
)

// TestSuitesInDocumentation reads every suite that docs/suites.md shows and forecasts its costs.
func TestSuitesInDocumentation(t *testing.T) {
	text := must.Read(t, filepath.Join("..", "docs", "suites.md"))
	blocks := tomlBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 2 {
		t.Fatalf("%d examples found", len(blocks))
	}
	t.Chdir(t.TempDir())
	for _, b := range blocks {
		withFlags(t, nil, func(c *console, o suite.Options) {
			s, err := suite.Find(write(t, "mine.toml", b[1]))
			must.Do(t, err)
			if err := c.dryRun(t.Context(), o, s); err != nil {
				t.Errorf("%v\n%s", err, b[1])
			}
			if out := c.out.(*bytes.Buffer).String(); !strings.Contains(out, "total") {
				t.Error(out)
			}
		})
	}
	// The page names every key and every built-in suite.
	for _, word := range slices.Concat(
		suite.KeysOf(suite.Suite{}), suite.KeysOf(suite.Group{}), suite.Names()) {
		if word != "runs" && !strings.Contains(string(text), "`"+word+"`") {
			t.Errorf("docs/suites.md does not explain %s", word)
		}
	}
}
