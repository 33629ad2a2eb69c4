package mles

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/note"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// Notes are the remarks that MLES leaves in the journal.
func (m *MLES) Notes() []note.Note {
	return []note.Note{Offspring{}, Population{}, Demoted{}, Failure{}}
}

type (
	Offspring  = note.Offspring
	Population = note.Survivors
	Failure    = note.Failure
	// Demoted is a program with a score that equalled an earlier one in text or score when it was
	// registered: it is no parent, and its true score stands with its evaluation.
	Demoted struct {
		Program   int  `json:"program"`
		Duplicate bool `json:"duplicate"`
	}
)

// Kind is "demoted".
func (Demoted) Kind() string { return "demoted" }

// register enters a candidate that was evaluated, and writes the population down when it survived.
func register(s *bench.Search, p *population, c Candidate) {
	if c.Program.Source == "" {
		return
	}
	c.ID = s.Evaluations()
	before := p.Generation()
	x := p.Register(c, c.Shown, c.Score)
	if x != nil && x.Score != pop.None && x.Fitness == pop.None {
		s.Note(Demoted{Program: c.ID, Duplicate: true})
	}
	if p.Generation() > before {
		notePopulation(s, p)
	}
}

func notePopulation(s *bench.Search, p *population) {
	s.Note(p.Note(func(c Candidate) int { return c.ID }))
}
