package pace

import (
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// The operators.
const (
	I1 = "I1" // a complete algorithm from the task alone
	P1 = "P1" // insertion of an EAP
	P2 = "P2" // replacement of an EAP
	P3 = "P3" // refinement that keeps the EAPs, none included
	P4 = "P4" // crossover of two parents
)

// A plan is all that is fixed about an offspring before the model is asked: parents, EAPs and
// the contract. The job that carries it out only reads it.
type plan struct {
	operator string
	parents  []*Algorithm
	focus    *EAP   // P1, P2: e+
	target   *EAP   // P2: e-
	must     []*EAP // the child calls all of these
	may      []*EAP // and any of these,
	atMost   int    // but at most so many in all,
	known    []*EAP // and nothing else of the library as it was when the plan was made
}

// shown lists the EAPs whose definitions stand in the prompt: all that the child may call, and for
// P2 the one that it may not.
func (p *plan) shown() []*EAP {
	if p.target != nil {
		return union(p.must, p.may, []*EAP{p.target})
	}
	return union(p.must, p.may)
}

// contract is what the child's calls have to keep. The prompt says it, and verify checks it.
func (p *plan) contract() program.Calls {
	return program.Calls{Must: names(p.must), May: names(p.may), AtMost: p.atMost}
}

// next plans the next offspring: by the next operator of the cycle that some parent is eligible
// for, or by I1 when there is none (design decision D5).
func (r *search) next() *plan {
	n := len(r.m.Operators)
	for i := range n {
		op := r.m.Operators[(r.turn+i)%n]
		if p := r.plan(op); p != nil {
			r.turn = (r.turn + i + 1) % n
			return p
		}
	}
	return r.newPlan(I1)
}

func (r *search) newPlan(operator string, parents ...*Algorithm) *plan {
	return &plan{operator: operator, parents: parents, known: r.library.eaps()}
}

// plan makes the plan of an operator, or returns nil when no parent is eligible for it. The
// contracts are those of the section "Primitive-Aware Operators".
func (r *search) plan(operator string) *plan {
	switch operator {
	case P1:
		a := r.parent(func(a *Algorithm) bool { return len(a.Calls) < r.m.K && r.extends(a) })
		if a == nil {
			return nil
		}
		p := r.newPlan(P1, a)
		p.focus = r.expose(a)
		p.must = union(a.Calls, []*EAP{p.focus})
		return p
	case P2:
		a := r.parent(func(a *Algorithm) bool { return len(a.Calls) > 0 && r.extends(a) })
		if a == nil {
			return nil
		}
		p := r.newPlan(P2, a)
		p.focus, p.target = r.expose(a), r.library.weakest(a)
		p.must = union(without(a.Calls, p.target), []*EAP{p.focus})
		return p
	case P3:
		a := r.parent(func(*Algorithm) bool { return true })
		if a == nil {
			return nil
		}
		p := r.newPlan(P3, a)
		p.must = a.Calls
		return p
	case P4:
		return r.crossover()
	}
	panic("pace: no operator " + operator)
}

// crossover plans P4: two different parents that both call EAPs and between them leave room for one
// of each.
func (r *search) crossover() *plan {
	ranked := r.ranked()
	mates := func(a, b *Algorithm) bool {
		return a != b && len(a.Calls) > 0 && len(b.Calls) > 0 &&
			(r.m.K > 1 || len(shared(a.Calls, b.Calls)) > 0)
	}
	a := r.parent(func(a *Algorithm) bool {
		for _, b := range ranked {
			if mates(a, b) {
				return true
			}
		}
		return false
	})
	if a == nil {
		return nil
	}
	b := r.parent(func(b *Algorithm) bool { return mates(a, b) })
	p := r.newPlan(P4, a, b)
	p.must = r.m.designate(r.thompson, r.library, a, b)
	p.may = without(union(a.Calls, b.Calls), p.must...)
	p.atMost = r.m.K
	return p
}

// parent draws an algorithm among the eligible with a probability proportional to 1/(rank + n),
// where its rank, from 1, is that among the n members that may be parents, eligible or not: all but
// duplicates (design decision D6). It returns nil, and draws nothing, when none is eligible.
func (r *search) parent(eligible func(*Algorithm) bool) *Algorithm {
	ranked := r.ranked()
	weights, any := pop.Weights(len(ranked), 1), false
	for i, a := range ranked {
		if eligible(a) {
			any = true
		} else {
			weights[i] = 0
		}
	}
	if !any {
		return nil
	}
	return ranked[pop.Draw(r.selection, weights)]
}

// ranked lists the algorithms of the population that can be parents, best first.
func (r *search) ranked() []*Algorithm {
	var out []*Algorithm
	for _, x := range r.population.Ranked() {
		out = append(out, x.Value)
	}
	return out
}

// extends reports whether the library holds an EAP that the algorithm does not call.
func (r *search) extends(a *Algorithm) bool { return len(r.library.outside(a)) > 0 }

// expose chooses the focus for a parent and counts the exposure.
func (r *search) expose(a *Algorithm) *EAP {
	arm := r.m.focus(r.thompson, r.library.outside(a))
	arm.Exposures++
	return arm.EAP
}
