package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// TestSelectGolden has the tables of tests by both rules. Seed 1 of EoH is the best in validation,
// but not in training. PACE's runs have no validation.
func TestSelectGolden(t *testing.T) {
	store := collect(t, func(t testing.TB, root string) {
		for seed := range uint64(3) {
			for method, chosen := range map[string]float64{"eoh": 6.4, "pace": 0} {
				resultstest.Run{
					Task: "tsp-construct", Method: method, Models: resultstest.Mini,
					Seed: seed + 1, Budget: 60, Evaluations: 60, Start: 8,
					Floor: 6.2 - float64(seed)/20, Chosen: chosen,
					Tests: map[string]float64{"test50": 6.5, "test200": 13},
				}.Write(t, root)
			}
		}
	})
	var b bytes.Buffer
	for _, by := range []results.Choice{results.ByTraining, results.ByValidation} {
		for _, table := range Tables(store, Options{Labels: labels, Select: by}) {
			if !strings.HasPrefix(table.Name, "main-") && !strings.HasPrefix(table.Name, "tests-") {
				continue
			}
			must.Do(t, render.Print(&b, table, render.TextWidth))
		}
	}
	golden.Text(t, "testdata/select.txt", b.String())
}
