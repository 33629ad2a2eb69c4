package report

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/resultstest"
)

// TestExplainedRuns: the report of explained runs has a table and, for each method, a figure with a
// panel for each program.
func TestExplainedRuns(t *testing.T) {
	s := collect(t, func(t testing.TB, root string) {
		for seed := range uint64(2) {
			resultstest.Run{
				Task: "tsp-construct", Method: "pace", Models: resultstest.Offline,
				Seed: seed + 1, Budget: 20, Evaluations: 20, Start: 7, Floor: 6,
			}.Write(t, root)
		}
	})
	for _, f := range Figures(s, Options{Labels: labels}) {
		if strings.HasPrefix(f.Name, "explain") {
			t.Errorf("figure %s without an explained run", f.Name)
		}
	}
	for _, r := range s.Runs {
		resultstest.Explain(t, r)
	}
	seen := 0
	for _, f := range Figures(s, Options{Labels: labels}) {
		if f.Name == "explain-tsp-construct-pace" {
			seen++
			// A header, and two rows for each program: its third part cannot be knocked out.
			if len(f.Panels) != 2 || len(f.Data) != 5 || f.Data[1][2] != "a" ||
				!strings.HasSuffix(f.Caption, ".") {
				t.Errorf("%d panels, %v, %q", len(f.Panels), f.Data, f.Caption)
			}
		}
	}
	for _, table := range Tables(s, Options{Labels: labels}) {
		if table.Name == "explain-tsp-construct" {
			seen++
			if c := table.Rows[0].Cells; c[1].Mean != 2 || c[2].Mean != 3 || c[3].Mean != 1 {
				t.Errorf("%+v", c)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d of the two parts of the report, a figure and a table", seen)
	}
}
