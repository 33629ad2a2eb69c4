package eoh

import (
	"math/rand/v2"

	"github.com/pacebench/pacebench/methods/internal/pop"
)

// parents draws an operator's parents by rank (LLM4AD llm4ad/method/eoh/population.py:80-86), in
// the order in which prompts show them. The draws are independent, so one may come twice; with
// DistinctParents it cannot.
func (m *EoH) parents(r *rand.Rand, p *population, op operator) []Candidate {
	n := 1
	if op.pairs {
		n = m.Parents
	}
	law := func(ranks int) []float64 { return pop.Weights(ranks, 0) }
	return p.Select(r, n, law, m.DistinctParents)
}
