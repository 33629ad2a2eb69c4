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

// TestNullTable: three seeds of two methods, and one method with another budget, are tested against
// a pool of 20 runs with a check of five. Rows whose seeds may have been chosen have neither p nor
// a dagger.
func TestNullTable(t *testing.T) {
	run := func(method string, seed uint64, floor float64, budget int) resultstest.Run {
		return resultstest.Run{Task: "tsp-construct", Method: method, Models: resultstest.Mini,
			Seed: seed, Budget: budget, Evaluations: budget, Start: 7, Floor: floor}
	}
	pools, err := collect(t, func(t testing.TB, root string) {
		for i := range uint64(20) {
			run("randsample", results.PoolSeed+i, 6.2+float64(i)/100, 40).Write(t, root)
		}
		for i := range uint64(5) {
			run("randsample", results.CheckSeed+i, 6.3, 40).Write(t, root)
		}
	}).Pools()
	must.Do(t, err)
	s := collect(t, func(t testing.TB, root string) {
		for seed := range uint64(3) {
			run("eoh", seed+1, 6.3, 40).Write(t, root)
			run("pace", seed+1, 5.9, 40).Write(t, root)
			run("reevo", seed+1, 5.9, 60).Write(t, root)
		}
	})
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
	must.Do(t, figures[0].WriteSVG(&b))

	for _, r := range s.Runs {
		if r.Header.Method == "pace" {
			r.Header.Seed *= 2
		}
	}
	for _, table := range Tables(s, o) {
		for _, r := range table.Rows {
			if strings.HasPrefix(r.ID, "pace") && strings.Contains(r.Cells[0].Words, dagger) {
				t.Errorf("%s has a dagger for PACE", table.Name)
			}
		}
	}
	golden.Same(t, "p and Holm's p of chosen seeds",
		[]string{"EoH | 0.6183 | 0.6183", "PACE | – | –"},
		lines(t, tableOf(t, s, "null-tsp-construct", o), "row", "p", "holm"))

	// A pool with settings is not compared with the row of the same settings.
	same := collect(t, func(t testing.TB, root string) {
		for seed := range uint64(3) {
			run("randsample", seed+1, 6.3, 40).Write(t, root)
			run("eoh", seed+1, 6.3, 40).Write(t, root)
		}
	})
	for _, r := range same.Runs {
		r.Header.Variant = "window=1"
	}
	pools[0].Variant = "window=1"
	golden.Same(t, "rows beside a pool with settings", []string{"EoH"},
		lines(t, tableOf(t, same, "null-tsp-construct", o), "row"))
	pools[0].Variant = ""

	for _, r := range pools[0].Checks {
		r.Best.Value = 5.9
	}
	if got := (Labels{}).Drift(pools[0]); !strings.Contains(got, "the model may have changed") {
		t.Errorf("five runs that beat the whole pool: %q", got)
	}
	pools[0].Checks = nil
	if got := (Labels{}).Drift(pools[0]); got != "no fresh runs" {
		t.Errorf("without fresh runs: %q", got)
	}
}

// TestNullOfNoisyScores: a noisy task is tested by its re-evaluated values.
func TestNullOfNoisyScores(t *testing.T) {
	run := func(method string, seed uint64) *results.Run {
		r := finished(method, "", seed, -6, 6, nil)
		r.Header.Task = "tsp-aco"
		r.Result.Rescored = &record.RescoreResult{Replicates: 8, Programs: []record.RescoredProgram{
			{Evaluation: 3, Searched: 6, Fresh: 6.1}}}
		return r
	}
	pool := &results.Store{}
	for i := range uint64(20) {
		pool.Runs = append(pool.Runs, run("bestofn", results.PoolSeed+i))
	}
	pools, err := pool.Pools()
	must.Do(t, err)
	table := tableOf(t, &results.Store{Runs: []*results.Run{run("pace", 1)}}, "null-tsp-aco",
		Options{Labels: labels, Pools: pools, All: true})
	if !strings.Contains(table.Title, "(re-evaluated ↓)") {
		t.Errorf("title %q", table.Title)
	}
}
