package reevo

import (
	"math/rand/v2"

	"github.com/pacebench/pacebench/methods/internal/pop"
)

// mostRedraws bounds the search for a second parent that is not the first. The official code gives
// up after as many trials (ai4co/reevo at 1f080bf, reevo.py:302-323).
const mostRedraws = 1000

// parents draws two survivors by rank, independently, and orders them: the worse first. One program
// may be both unless DistinctParents (LLM4AD llm4ad/method/reevo/population.py:85-91).
func (m *ReEvo) parents(r *rand.Rand, p *population) (worse, better Candidate) {
	ranked := p.Ranked()
	weights := pop.Weights(len(ranked), 0)
	i, j := pop.Draw(r, weights), pop.Draw(r, weights)
	for n := 0; m.DistinctParents && i == j && n < mostRedraws; n++ {
		j = pop.Draw(r, weights)
	}
	// Fitness falls with the rank and is never equal.
	return ranked[max(i, j)].Value, ranked[min(i, j)].Value
}

// elite is the best survivor. Newer programs in the buffer are looked at only with EliteFromAll
// (LLM4AD llm4ad/method/reevo/population.py:39-41).
func (m *ReEvo) elite(p *population) Candidate {
	best := p.Ranked()[0]
	if m.EliteFromAll {
		for _, x := range p.Waiting() {
			if x.Fitness > best.Fitness {
				best = x
			}
		}
	}
	return best.Value
}
