package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// pooled writes a pool of so many runs, fresh ones included, and three seeds of two methods.
func pooled(t *testing.T, fresh int, floor float64) (*results.Store, []*results.Pool) {
	t.Helper()
	run := func(method string, seed uint64, floor float64, budget int) resultstest.Run {
		return resultstest.Run{Task: "tsp-construct", Method: method, Models: resultstest.Mini,
			Seed: seed, Budget: budget, Evaluations: budget, Start: 7, Floor: floor}
	}
	pools, err := collect(t, func(t testing.TB, root string) {
		for i := range uint64(20) {
			run("randsample", results.PoolSeed+i, 6.2+float64(i)/100, 40).Write(t, root)
		}
		for i := range uint64(fresh) {
			run("randsample", results.CheckSeed+i, floor, 40).Write(t, root)
		}
	}).Pools()
	must.Do(t, err)
	return collect(t, func(t testing.TB, root string) {
		for seed := range uint64(3) {
			run("eoh", seed+1, 6.3, 40).Write(t, root)
			run("pace", seed+1, 5.9, 40).Write(t, root)
			run("reevo", seed+1, 5.9, 60).Write(t, root)
		}
	}), pools
}

func TestNullTable(t *testing.T) {
	s, pools := pooled(t, 5, 6.3)
	o := Options{Labels: labels, Pools: pools, All: true}
	var b bytes.Buffer
	for _, name := range []string{"main-tsp-construct", "null-tsp-construct"} {
		must.Do(t, render.Print(&b, tableOf(t, s, name, o), render.TextWidth))
	}
	golden.Text(t, "testdata/null.txt", b.String())
	figures := o.nullFigures(s)
	if len(figures) != 1 || len(figures[0].Data) != 1+20+6 {
		t.Fatalf("%d figures, data %v", len(figures), figures[0].Data)
	}
	if err := figures[0].WriteSVG(&bytes.Buffer{}); err != nil {
		t.Error(err)
	}
}

func TestDrift(t *testing.T) {
	_, pools := pooled(t, 5, 5.9)
	if got := (Labels{}).Drift(pools[0]); !strings.Contains(got, "the model may have changed") {
		t.Errorf("five runs that beat the whole pool: %q", got)
	}
	_, pools = pooled(t, 0, 0)
	if got := (Labels{}).Drift(pools[0]); got != "no fresh runs" {
		t.Errorf("without fresh runs: %q", got)
	}
}

// TestNullOfNoisyScores takes the fresh values.
func TestNullOfNoisyScores(t *testing.T) {
	run := func(method string, seed uint64) resultstest.Run {
		return resultstest.Run{Task: "tsp-aco", Method: method, Models: resultstest.Mini,
			Seed: seed, Budget: 20, Evaluations: 20, Start: 7, Floor: 6, Rescored: true,
			Change: func(h *record.Header) { h.Arithmetic = "" }}
	}
	pools, err := collect(t, func(t testing.TB, root string) {
		for i := range uint64(20) {
			run("bestofn", results.PoolSeed+i).Write(t, root)
		}
	}).Pools()
	must.Do(t, err)
	s := collect(t, func(t testing.TB, root string) { run("pace", 1).Write(t, root) })
	table := tableOf(t, s, "null-tsp-aco", Options{Labels: labels, Pools: pools, All: true})
	if !strings.Contains(table.Title, "(re-evaluated ↓)") {
		t.Errorf("title %q", table.Title)
	}
}
