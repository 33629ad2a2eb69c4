package report

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/results"
)

// TestCostsAreColumnsAndAnAxis reports runs with prices, and the same runs without prices.
func TestCostsAreColumnsAndAnAxis(t *testing.T) {
	priced := llm.Prices{"": {In: 1, Cached: 1, Out: 2}}
	for _, c := range []struct {
		name           string
		prices         []llm.Prices // of the two seeds
		column, figure bool
	}{
		{"both priced", []llm.Prices{priced, priced}, true, true},
		{"one priced", []llm.Prices{priced, nil}, true, false},
		{"no prices", []llm.Prices{nil, nil}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, p := range c.prices {
				resultstest.Run{
					Task: "tsp-construct", Method: "pace", Models: resultstest.Mini,
					Seed: uint64(i + 1), Budget: 40, Evaluations: 40, Start: 8, Floor: 6, Prices: p,
				}.Write(t, dir)
			}
			store, err := (&results.Reader{}).Read(dir)
			must.Do(t, err)
			o := Options{All: true, Labels: labels}
			for _, name := range []string{"seeds-tsp-construct", "usage-tsp-construct"} {
				cell, ok := row(t, tableOf(t, store, name, o), "pace")["usd"]
				if ok != c.column || ok && !(cell.Mean > 0) {
					t.Errorf("%s: USD %t, %v", name, ok, cell)
				}
			}
			if got := find(store, "cost", Options{}) != nil; got != c.column {
				t.Errorf("a table of costs by default: %v, want %v", got, c.column)
			}
			f := figureOf(store, "convergence-tsp-construct-usd", o)
			if got := f != nil && len(f.Data) > 2; got != c.figure {
				t.Errorf("a figure by USD: %v, want %v", got, c.figure)
			}
		})
	}
}

// TestCostUntilSeparated: a small cost has enough decimals, and an unknown part of a cost does not
// count as zero.
func TestCostUntilSeparated(t *testing.T) {
	for _, c := range []struct {
		a, b results.Use
		want string
	}{
		{results.Use{Seeds: 3, USD: 0.001}, results.Use{Seeds: 3, USD: 0.0004}, "0.00140"},
		{results.Use{Seeds: 3, USD: 1.5}, results.Use{Seeds: 3, Unpriced: 1}, "≥ 1.50"},
		{results.Use{Seeds: 3, Unpriced: 3}, results.Use{Seeds: 3, Unpriced: 3}, "–"},
		{results.Use{}, results.Use{}, "–"},
	} {
		table := SeparateTable(Labels{}, results.Separation{
			Task: "tsp", Rule: results.Rule{Looks: []int{3}, Alpha: 0.05, Pairs: 1},
			Pairs: []results.SeparatedPair{{A: "a", B: "b"}},
			Used:  map[string]results.Use{"a": c.a, "b": c.b},
		})
		last := len(table.Columns) - 1
		if got := table.Rows[0].Cells[last].Plain(table.Columns[last]); got != c.want {
			t.Errorf("%+v and %+v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}
