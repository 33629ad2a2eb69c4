package hsevo

import (
	"context"
	"math/rand/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// A run is the state of one search.
type run struct {
	*HSEvo
	s                 *bench.Search
	problem           bench.Problem
	selection, tuning *rand.Rand

	generation int
	population []*Individual // of this generation alone, lost replies included
	elitist    *Individual   // the best so far; nil before there is one
	seed       *Individual   // the template's own function, when it runs; never in the population
	starters   int           // initial programs asked for: whose turn it is among the personas
	born       int

	flash         flash
	comprehensive string   // the external knowledge and the newest comprehensive reflection
	good, bad     []string // experience of generations that improved the elitist, and of the others
}

// begin is the state before anything was asked.
func (m *HSEvo) begin(s *bench.Search) *run {
	return &run{
		HSEvo: m, s: s, problem: s.Problem(),
		selection: s.Rand("selection"), tuning: s.Rand("harmony"),
		comprehensive: m.ExternalKnowledge,
	}
}

// batch runs n proposals, in flight together, and returns their individuals in the order proposed:
// a reply without a program leaves an invalid one and spends no evaluation. No more are proposed
// than evaluations are left (design decision H3). It returns ErrSpent where none can be.
func (r *run) batch(
	ctx context.Context, n int, job func(i int) bench.Job[*Individual],
) ([]*Individual, error) {
	if n > 0 && r.s.Spent() {
		return nil, bench.ErrSpent
	}
	n = r.s.AtMost(n)
	var out []*Individual
	for next := 0; len(out) < n; {
		before := len(out)
		for x, err := range bench.Stream(ctx, r.s, r.Window, func() bench.Job[*Individual] {
			if next == n {
				return nil
			}
			next++
			return job(next - 1)
		}) {
			if err != nil {
				return nil, err
			}
			out = append(out, r.enter(x))
		}
		if len(out) == before {
			return nil, bench.ErrSpent // the limit on requests
		}
	}
	return out, nil
}

// enter gives an individual its number, and the evaluation that was just committed for it.
func (r *run) enter(x *Individual) *Individual {
	x.ID = r.born
	r.born++
	if x.charged {
		x.Evaluation = r.s.Evaluations()
	}
	return x
}

// join adds individuals to the population and lets the best of them become the elitist.
func (r *run) join(xs []*Individual) {
	r.population = append(r.population, xs...)
	r.improve()
	r.s.Note(r.note())
}

// improve replaces the elitist by the best of the population, the first among equals, if that is
// strictly better.
func (r *run) improve() {
	for _, x := range r.population {
		if x.valid() && (r.elitist == nil || x.Obj < r.elitist.Obj) {
			r.elitist = x
		}
	}
}

// evaluateSeed evaluates the template's own function, which becomes the first elitist. The initial
// prompts show it. A task without such a function, or whose function fails, has none (H5).
func (r *run) evaluateSeed(ctx context.Context) error {
	if r.problem.Template.Body == "" {
		return nil
	}
	x, err := bench.Do(ctx, r.s,
		r.evaluation(Offspring{Operator: "seed"}, prompt.Default(r.problem.Template)))
	if err != nil {
		return err
	}
	if r.enter(x); x.valid() {
		r.seed, r.elitist = x, x
	}
	return nil
}

// start asks for n programs from the task alone, each in the voice of the next persona. They
// replace the population.
func (r *run) start(ctx context.Context, n int) error {
	first := r.starters
	xs, err := r.batch(ctx, n, func(i int) bench.Job[*Individual] {
		r.starters++
		return r.offspring("init", initPrompt(r.problem, personas[(first+i)%len(personas)], r.seed),
			r.Temperature+r.InitTemperatureBoost)
	})
	if err != nil {
		return err
	}
	r.population = nil
	r.join(xs)
	return nil
}

// crossover makes one child of every pair. The children replace the population.
func (r *run) crossover(ctx context.Context, pairs []pair) error {
	xs, err := r.batch(ctx, len(pairs), func(i int) bench.Job[*Individual] {
		p := pairs[i]
		return r.offspring("crossover",
			crossoverPrompt(r.problem, p, r.flash.analysis, r.comprehensive), r.Temperature,
			p.better, p.worse)
	})
	if err != nil {
		return err
	}
	r.population = nil
	r.join(xs)
	return nil
}

// mutate asks several times for a variation of the elitist, which crossover may just have replaced.
// They join the population.
func (r *run) mutate(ctx context.Context) error {
	elitist := r.elitist
	if elitist == nil {
		return nil
	}
	xs, err := r.batch(ctx, int(r.MutationRate*float64(r.Population)),
		func(int) bench.Job[*Individual] {
			return r.offspring("mutation", mutationPrompt(r.problem, elitist, r.comprehensive),
				r.Temperature, elitist)
		})
	if err != nil {
		return err
	}
	r.join(xs)
	return nil
}
