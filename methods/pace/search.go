package pace

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// A search is the state (P, E, H) of one run; the history H is in the journal, as notes. Only the
// goroutine of Run uses the state. Jobs see only plans and proposals, which are immutable.
type search struct {
	m          *PACE
	s          *bench.Search
	problem    bench.Problem
	selection  *rand.Rand // for parents
	thompson   *rand.Rand // for EAPs
	population *pop.Population[*Algorithm]
	library    *library
	turn       int        // position in the cycle of operators
	best       *Algorithm // of the whole history; the first of equals
	// The current generation:
	generation int        // from 1
	offspring  int        // number of committed offspring
	champion   *Algorithm // the newest strictly best algorithm, or nil
}

// Run follows the procedure of the paper's appendix (Algorithm 1).
func (m *PACE) Run(ctx context.Context, s *bench.Search) error {
	r := &search{
		m: m, s: s, problem: s.Problem(),
		selection: s.Rand("selection"), thompson: s.Rand("thompson"),
		population: pop.New[*Algorithm](m.Population, 1), library: &library{}, generation: 1,
	}
	if err := r.initialise(ctx); err != nil {
		return err
	}
	if s.Spent() {
		return nil
	}
	if err := r.discover(ctx, r.proposal(E1)); err != nil {
		return err
	}
	return r.evolve(ctx)
}

func (r *search) evolve(ctx context.Context) error {
	r.champion = nil
	for child, err := range bench.Stream(ctx, r.s, r.m.Window, func() bench.Job[*offspring] {
		return r.m.offspring(r.problem, r.next())
	}) {
		if err != nil {
			return err
		}
		r.commit(child)
		if r.offspring++; r.offspring < r.m.GenerationSize {
			continue
		}
		if err := r.endGeneration(ctx); err != nil {
			return err
		}
	}
	return nil
}

// endGeneration proposes at most one EAP: extracted from the newest best algorithm of the history
// if this generation produced one, otherwise invented.
func (r *search) endGeneration(ctx context.Context) error {
	note := Generation{Number: r.generation}
	var p *proposal
	switch {
	case r.champion != nil && r.m.Extraction:
		p = r.proposal(E2)
		p.source = r.champion
	case r.m.Generation:
		p = r.proposal(E3)
		p.shown = r.library.top(r.m.K)
	}
	if r.champion != nil {
		note.Best = r.champion.ID
	}
	if p != nil {
		note.Discovery = p.operator
	}
	r.s.Note(note)
	r.generation, r.offspring, r.champion = r.generation+1, 0, nil
	if p == nil {
		return nil
	}
	return r.discover(ctx, p)
}

// discover asks for EAPs and admits the accepted ones. If no more requests are allowed, the stream
// ends the run, not discover.
func (r *search) discover(ctx context.Context, p *proposal) error {
	found, err := bench.Consult(ctx, r.s, r.m.proposed(r.problem, p))
	if errors.Is(err, bench.ErrSpent) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range found.admitted {
		r.library.admit(e)
		r.s.Note(Admission{
			EAP: e.ID, Name: e.Name, Origin: e.Origin, From: e.From,
			Evaluation: r.s.Evaluations(), Source: e.Source,
		})
	}
	for _, n := range found.refused {
		r.s.Note(n)
	}
	return nil
}
