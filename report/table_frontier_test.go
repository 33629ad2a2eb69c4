package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// TestFrontierGolden has six seeds of three methods, one of which plans over its budget, and one
// more seed of EoH. Then it has ten seeds, and then four, which are too few unless the options ask
// for the table.
func TestFrontierGolden(t *testing.T) {
	const frontier = "frontier-tsp-construct"
	methods := []struct {
		name  string
		floor float64
		more  uint64
	}{{"eoh", 6.2, 1}, {"pace", 6.0, 0}, {"mcts-ahd", 5.9, 0}}
	all := collect(t, func(t testing.TB, root string) {
		for _, m := range methods {
			for seed := range 10 + m.more {
				resultstest.Run{Task: "tsp-construct", Method: m.name, Models: resultstest.Mini,
					Seed: seed + 1, Budget: 200, Evaluations: 200, Start: 8,
					Floor: m.floor + float64(seed%5)/20}.Write(t, root)
			}
		}
	})
	of := func(seeds uint64) *results.Store {
		s := &results.Store{}
		for _, r := range all.Runs {
			if r.Header.Seed <= seeds || r.Header.Method == "eoh" && r.Header.Seed == seeds+1 {
				s.Runs = append(s.Runs, r)
			}
		}
		return s
	}
	o := Options{Labels: labels, All: true}
	var b bytes.Buffer
	must.Do(t, render.Print(&b, tableOf(t, of(6), frontier, o), render.TextWidth))
	for _, f := range Figures(of(6), o) {
		if !strings.HasPrefix(f.Name, "frontier-") {
			continue
		}
		fmt.Fprintf(&b, "%s\n%s %d panels\n", f.Title, f.Caption, len(f.Panels))
		for _, row := range f.Data {
			fmt.Fprintf(&b, "  %s\n", strings.Join(row, ", "))
		}
		must.Do(t, f.WriteSVG(io.Discard))
	}
	must.Do(t, render.Print(&b, tableOf(t, of(10), frontier, o), render.TextWidth))
	golden.Text(t, "testdata/frontier.txt", b.String())

	if table := find(of(4), frontier, o); table != nil {
		t.Errorf("of five seeds: %s", table.Title)
	}
	tableOf(t, of(4), frontier, Options{Labels: labels, Frontier: true})
}
