package data

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed costs.toml
var costsText string

// Costs are the expected costs of searches for which no run was measured.
type Costs struct {
	TokensPerSecond float64             `toml:"tokens_per_second"` // speed of writing an answer
	Tasks           map[string]TaskCost `toml:"tasks"`
}

// A TaskCost has the seconds that a worker needs for one training evaluation, the time of a test on
// each split as a number of training evaluations, and the costs of each method's searches.
type TaskCost struct {
	Evaluation float64               `toml:"evaluation"`
	Tests      map[string]float64    `toml:"tests"`
	Like       string                `toml:"like"`     // the task whose Searches are used
	Searches   map[string]SearchCost `toml:"searches"` // by method
}

// A SearchCost is the cost of one evaluation of a search: requests, tokens of prompts and of
// answers, and the share of EAP discovery in the tokens.
type SearchCost struct {
	Requests float64 `toml:"requests"`
	Prompt   float64 `toml:"prompt"`
	Answer   float64 `toml:"answer"`
	EAP      float64 `toml:"eap"`
}

// ExpectedCosts returns the costs in costs.toml.
var ExpectedCosts = sync.OnceValue(func() Costs {
	var c Costs
	decode("costs.toml", costsText, &c)
	for name, t := range c.Tasks {
		if t.Like != "" {
			t.Searches = c.Tasks[t.Like].Searches
			c.Tasks[name] = t
		}
	}
	return c
})

// PublishedTokens returns the tokens for one evaluation of a search, from the total that the paper
// states for 1000 evaluations.
func PublishedTokens(task, method string) (tokens float64, ok bool) {
	table, _ := Published("tokens")
	for _, row := range table.Rows {
		millions, _, _ := strings.Cut(row.Cells[task], " ")
		if n, err := strconv.ParseFloat(millions, 64); err == nil && row.ID == method {
			return n * 1e6 / 1000, true
		}
	}
	return 0, false
}
