package report

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
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
	o := Options{Labels: labels}
	if f := figureOf(s, "explain", o); f != nil {
		t.Errorf("figure %s without an explained run", f.Name)
	}
	for _, r := range s.Runs {
		resultstest.Explain(t, r)
	}
	// A header, and two rows for each program: its third part cannot be knocked out.
	f := figureOf(s, "explain-tsp-construct-pace", o)
	if f == nil || len(f.Panels) != 2 || len(f.Data) != 5 || f.Data[1][2] != "a" ||
		!strings.HasSuffix(f.Caption, ".") {
		t.Errorf("%+v", f)
	}
	c := tableOf(t, s, "explain-tsp-construct", o).Rows[0].Cells
	if c[1].Mean != 2 || c[2].Mean != 3 || c[3].Mean != 1 {
		t.Errorf("%+v", c)
	}
}

// figureOf returns the last figure whose name begins with prefix, or nil.
func figureOf(s *results.Store, prefix string, o Options) (f *figure.Figure) {
	for _, one := range Figures(s, o) {
		if strings.HasPrefix(one.Name, prefix) {
			f = one
		}
	}
	return f
}
