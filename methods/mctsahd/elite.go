package mctsahd

import (
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/methods/internal/pop"
)

// An elite is the set of the best programs with different scores. Newcomers wait in a buffer until
// the next survival: within an iteration, e2 sees none of what that iteration made.
type elite struct {
	size    int
	members []*Candidate // best first
	buffer  []*Candidate
}

// add puts a program into the buffer. A buffer as large as the set is emptied at once (LLM4AD
// llm4ad/method/mcts_ahd/population.py:101).
func (e *elite) add(c *Candidate) {
	e.buffer = append(e.buffer, c)
	if len(e.buffer) >= e.size {
		e.survive()
	}
}

// survive keeps the best of members and buffer. Of programs with equal scores only the oldest
// stays.
func (e *elite) survive() {
	var all []*Candidate
	for _, c := range slices.Concat(e.members, e.buffer) {
		if !slices.ContainsFunc(all, func(x *Candidate) bool { return x.Score == c.Score }) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, bestFirst)
	e.members, e.buffer = all[:min(e.size, len(all))], nil
}

// partner draws a member with another code than the given one. Ranks count from 1, and a rank's
// probability is proportional to 1/(rank + members) (LLM4AD
// llm4ad/method/mcts_ahd/population.py:119-127). It returns nil where all members have that code:
// the port would draw for ever (design decision M12).
func (e *elite) partner(r *rand.Rand, current *Candidate) *Candidate {
	weights := pop.Weights(len(e.members), 1)
	others := false
	for i, c := range e.members {
		if c.same(current) {
			weights[i] = 0
		} else {
			others = true
		}
	}
	if !others {
		return nil
	}
	return e.members[pop.Draw(r, weights)]
}

// hasPartner reports whether partner would find one.
func (e *elite) hasPartner(current *Candidate) bool {
	return slices.ContainsFunc(e.members, func(c *Candidate) bool { return !c.same(current) })
}
