package eoh

import (
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/methods/internal/pop"
)

// parents draws an operator's parents from the survivors with a finite fitness, by rank (LLM4AD
// llm4ad/method/eoh/population.py:80-86). The draws are independent, so one may come twice;
// with DistinctParents it cannot. They stay in the order in which they were drawn. Without a
// finite survivor the operator has no parents.
func (m *EoH) parents(r *rand.Rand, p *population, op operator) []Candidate {
	n := 1
	if op.pairs {
		n = m.Parents
	}
	ranked := p.Ranked()
	var out []Candidate
	for range n {
		if len(ranked) == 0 {
			break
		}
		i := pop.Draw(r, pop.Weights(len(ranked), 0))
		out = append(out, ranked[i].Value)
		if m.DistinctParents {
			ranked = slices.Delete(ranked, i, i+1)
		}
	}
	return out
}
