package eoh

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/note"
)

// Notes are the remarks that EoH leaves in the journal.
func (m *EoH) Notes() []note.Note {
	return []note.Note{Offspring{}, Population{}, Failure{}}
}

type (
	Offspring  = note.Offspring
	Population = note.Survivors
	Failure    = note.Failure
)

// register enters a candidate that was evaluated, and writes the population down when it survived.
func register(s *bench.Search, p *population, c Candidate) {
	if c.Program.Source == "" {
		return
	}
	c.ID = s.Evaluations()
	before := p.Generation()
	p.Register(c, c.Shown, c.Score)
	if p.Generation() > before {
		notePopulation(s, p)
	}
}

func notePopulation(s *bench.Search, p *population) {
	s.Note(p.Note(func(c Candidate) int { return c.ID }))
}
