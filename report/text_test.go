package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/report/render"
)

// Every table keeps within the terminal, and no cell is lost on the way.
func TestTextFitsTheTerminal(t *testing.T) {
	for _, table := range Tables(collect(t, resultstest.Study),
		everything) {
		var wide bytes.Buffer
		must.Do(t, render.Print(&wide, table, 1000))
		for _, columns := range []int{80, 100, 120} {
			var b bytes.Buffer
			must.Do(t, render.Print(&b, table, columns))
			for line := range strings.Lines(b.String()) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > columns {
					t.Errorf("%s: a line of %d columns, the terminal has %d: %s", table.Name,
						n, columns, line)
				}
			}
			got := map[string]bool{}
			for _, word := range strings.Fields(b.String()) {
				got[word] = true
			}
			for _, word := range strings.Fields(wide.String()) {
				if !got[word] && !strings.HasPrefix(word, "──") {
					t.Errorf("%s in %d columns has no %q", table.Name, columns, word)
				}
			}
		}
	}
}
