package pace

import (
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/program"
)

// An Algorithm is a complete candidate program. It is immutable once committed.
type Algorithm struct {
	ID      int     // number of its evaluation, from 1
	Thought string  // the one-sentence description, including its braces; may be empty
	Shown   string  // its own code in prompts, without EAPs and the target's docstring
	Calls   []*EAP  // the call set C(A), oldest first
	Score   float64 // larger is better
	// Program is the evaluated program: imports, the definitions of exactly the EAPs called, and
	// the algorithm's own code.
	Program  program.Program
	analysis program.Analysis // of its own code, without the EAPs
}

func (a *Algorithm) statements() int {
	n := 0
	for _, f := range a.analysis.Functions {
		n += f.Statements
	}
	return n
}

// parent draws an eligible algorithm with a probability proportional to 1/(rank + n). The rank,
// from 1, is the algorithm's rank among the n members of the population that are not duplicates,
// eligible or not (design decision D6). If no algorithm is eligible, parent uses no random number
// and returns nil.
func (r *search) parent(eligible func(*Algorithm) bool) *Algorithm {
	a, _ := pop.Pick(r.selection, r.ranked(), eligible)
	return a
}

// ranked lists the algorithms of the population that can be parents, best first.
func (r *search) ranked() []*Algorithm {
	var out []*Algorithm
	for _, x := range r.population.Ranked() {
		out = append(out, x.Value)
	}
	return out
}

// initialise asks for algorithms until the population is full of valid algorithms. Proposals in
// flight at that time are registered too.
func (r *search) initialise(ctx context.Context) error {
	for child, err := range bench.Stream(ctx, r.s, r.m.Window, func() bench.Job[*offspring] {
		if len(r.population.Survivors()) >= r.m.Population {
			return nil
		}
		return r.m.offspring(r.problem, r.newPlan(I1))
	}) {
		if err != nil {
			return err
		}
		r.commit(child)
	}
	return nil
}

// commit adds an evaluated offspring to the posterior of its focus, if it has one. If the offspring
// has a score, commit also adds it to the population, and notes the population, best first. A
// refused offspring changes nothing.
func (r *search) commit(o *offspring) {
	if o.child == nil {
		return
	}
	o.child.ID = r.s.Evaluations()
	if o.plan.focus != nil {
		r.trial(o)
	}
	if !o.outcome.OK() {
		return
	}
	o.child.Score = o.outcome.Score
	if r.best == nil || o.child.Score > r.best.Score {
		r.best, r.champion = o.child, o.child
	}
	r.population.Register(o.child, o.child.Shown, o.child.Score)
	members := []Member{}
	for _, x := range r.population.Survivors() {
		members = append(members, Member{Algorithm: x.Value.ID, Calls: ids(x.Value.Calls),
			Duplicate: x.Fitness == pop.None})
	}
	r.s.Note(Population{Members: members})
}
