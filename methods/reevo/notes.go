package reevo

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// The remarks in the journal. Programs are named by the evaluation that scored them, from 1.
type (
	// Offspring, kind "offspring", is one proposal: its parents, the better first, and why its reply
	// gave no program. A crossover whose two parents are one program drew it twice.
	Offspring struct {
		Operator string `json:"operator"`
		Parents  []int  `json:"parents,omitempty"`
		Lost     string `json:"lost,omitempty"`
	}
	// EmptyReflection, kind "empty-reflection", is a reflection without any text.
	EmptyReflection struct {
		Kind string `json:"kind"` // short, long
	}
	// Population, kind "population", lists the survivors after a survival, fittest first.
	Population struct {
		Generation int      `json:"generation"`
		Members    []Member `json:"members"`
	}
	// Member is one survivor. A filler failed or equals an earlier one in text or score: it keeps its
	// place, and is neither parent nor elite.
	Member struct {
		Program int  `json:"program"`
		Filler  bool `json:"filler,omitempty"`
	}
	// Failure, kind "failure", says why the search ended before its budget.
	Failure struct {
		Reason  string `json:"reason"`
		Members int    `json:"members"` // programs with different scores
	}
)

// register enters a candidate that was evaluated, and writes the population down when it survived.
func register(s *bench.Search, p *population, c Candidate) {
	if c.Program.Source == "" {
		return
	}
	c.ID = s.Evaluations()
	before := p.Generation()
	p.Register(c, c.Text, c.Score)
	if p.Generation() == before {
		return
	}
	n := Population{Generation: p.Generation(), Members: []Member{}}
	for _, x := range p.Survivors() {
		n.Members = append(n.Members, Member{Program: x.Value.ID, Filler: x.Fitness == pop.None})
	}
	s.Note("population", n)
}
