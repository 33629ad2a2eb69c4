package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// seeded are so many seeds of three methods, one of which plans over its budget, and one more of
// EoH.
func seeded(t *testing.T, seeds uint64) *results.Store {
	t.Helper()
	return collect(t, func(t testing.TB, root string) {
		for _, m := range []struct {
			method string
			floor  float64
			more   uint64
		}{{"eoh", 6.2, 1}, {"pace", 6.0, 0}, {"mcts-ahd", 5.9, 0}} {
			for seed := range seeds + m.more {
				resultstest.Run{Task: "tsp-construct", Method: m.method, Models: resultstest.Mini,
					Seed: seed + 1, Budget: 200, Evaluations: 200, Start: 8,
					Floor: m.floor + float64(seed%5)/20}.Write(t, root)
			}
		}
	})
}

const frontier = "frontier-tsp-construct"

func TestFrontierGolden(t *testing.T) {
	var b bytes.Buffer
	for _, seeds := range []uint64{6, 10} {
		s := seeded(t, seeds)
		table := tableOf(t, s, frontier, Options{Labels: labels, All: true})
		must.Do(t, render.Print(&b, table, render.TextWidth))
		if seeds > 6 {
			continue
		}
		for _, f := range Figures(s, Options{Labels: labels, All: true}) {
			if !strings.HasPrefix(f.Name, "frontier-") {
				continue
			}
			fmt.Fprintf(&b, "%s\n%s %d panels\n", f.Title, f.Caption, len(f.Panels))
			for _, row := range f.Data {
				fmt.Fprintf(&b, "  %s\n", strings.Join(row, ", "))
			}
			if err := f.WriteSVG(&bytes.Buffer{}); err != nil {
				t.Error(err)
			}
		}
	}
	golden.Text(t, "testdata/frontier.txt", b.String())
}

func TestFrontierNeedsSeeds(t *testing.T) {
	s := seeded(t, 4)
	if table := find(s, frontier, Options{Labels: labels, All: true}); table != nil {
		t.Errorf("of five seeds: %s", table.Title)
	}
	if table := find(s, frontier, Options{Labels: labels, Frontier: true}); table == nil {
		t.Error("none where it is asked for")
	}
}
