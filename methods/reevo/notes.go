package reevo

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/note"
)

// Notes are the remarks that ReEvo leaves in the journal. A crossover whose two parents are one
// program drew it twice.
func (m *ReEvo) Notes() []note.Note {
	return []note.Note{Offspring{}, EmptyReflection{}, Population{}, Failure{}}
}

type (
	Offspring  = note.Offspring
	Population = note.Survivors
	Failure    = note.Failure
	// EmptyReflection is a reflection without any text.
	EmptyReflection struct {
		Which string `json:"kind"` // short, long
	}
)

// Kind is "empty-reflection".
func (EmptyReflection) Kind() string { return "empty-reflection" }

// register enters a candidate that was evaluated, and writes the population down when it survived.
func register(s *bench.Search, p *population, c Candidate) {
	if c.Program.Source == "" {
		return
	}
	c.ID = s.Evaluations()
	before := p.Generation()
	p.Register(c, c.Text, c.Score)
	if p.Generation() > before {
		s.Note(p.Note(func(c Candidate) int { return c.ID }))
	}
}
