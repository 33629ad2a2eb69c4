package pace

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/program"
)

// The operators.
const (
	I1 = "I1" // a complete algorithm from only the task
	P1 = "P1" // insertion of an EAP
	P2 = "P2" // replacement of an EAP
	P3 = "P3" // refinement that keeps the EAPs, none included
	P4 = "P4" // crossover of two parents
)

// A plan fixes an offspring before the model is asked: parents, EAPs and the contract. The job that
// carries it out only reads it.
type plan struct {
	operator string
	parents  []*Algorithm
	focus    *EAP   // P1, P2: e+
	target   *EAP   // P2: e-
	must     []*EAP // the child must call all of these
	may      []*EAP // may call any of these
	atMost   int    // may call at most this many in all
	known    []*EAP // may call no others of the library at the time of the plan
}

// shown lists the EAPs whose definitions are in the prompt: all that the child may call, and for P2
// the EAP that it must not call.
func (p *plan) shown() []*EAP {
	if p.target != nil {
		return union(p.must, p.may, []*EAP{p.target})
	}
	return union(p.must, p.may)
}

// contract is the contract on the child's calls. The prompt states it, and verify checks it.
func (p *plan) contract() program.Calls {
	return program.Calls{Must: names(p.must), May: names(p.may), AtMost: p.atMost}
}

// next plans the next offspring: by the next operator of the cycle with an eligible parent, or else
// by I1 (design decision D5).
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

// plan makes the plan of an operator, or returns nil if no parent is eligible for it. The section
// "Primitive-Aware Operators" has the contracts. A crossover has two different parents that both
// call EAPs, and K leaves room for one EAP of each.
func (r *search) plan(operator string) *plan {
	extends := func(a *Algorithm) bool { return len(r.library.outside(a)) > 0 }
	mates := func(a, b *Algorithm) bool {
		return a != b && len(a.Calls) > 0 && len(b.Calls) > 0 &&
			(r.m.K > 1 || len(shared(a.Calls, b.Calls)) > 0)
	}
	a := r.parent(func(a *Algorithm) bool {
		switch operator {
		case P1:
			return len(a.Calls) < r.m.K && extends(a)
		case P2:
			return len(a.Calls) > 0 && extends(a)
		case P4:
			return slices.ContainsFunc(r.ranked(), func(b *Algorithm) bool { return mates(a, b) })
		}
		return true
	})
	if a == nil {
		return nil
	}
	p := r.newPlan(operator, a)
	switch operator {
	case P1:
		p.focus = r.expose(a)
		p.must = union(a.Calls, []*EAP{p.focus})
	case P2:
		p.focus, p.target = r.expose(a), r.library.weakest(a)
		p.must = union(without(a.Calls, p.target), []*EAP{p.focus})
	case P3:
		p.must = a.Calls
	case P4:
		b := r.parent(func(b *Algorithm) bool { return mates(a, b) })
		p.parents = append(p.parents, b)
		p.must = r.m.designate(r.thompson, r.library, a, b)
		p.may = without(union(a.Calls, b.Calls), p.must...)
		p.atMost = r.m.K
	}
	return p
}

// parent draws an algorithm among the eligible with a probability proportional to 1/(rank + n). The
// rank, from 1, is the algorithm's rank among the n members that may be parents, eligible or not:
// all except duplicates (design decision D6). If none is eligible, it draws nothing and returns
// nil.
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

// expose chooses the focus for a parent and counts the exposure.
func (r *search) expose(a *Algorithm) *EAP {
	arm := r.m.focus(r.thompson, r.library.outside(a))
	arm.Exposures++
	return arm.EAP
}

// focus chooses the EAP to pass on among the arms (section "Adaptive EAP Selection"): the oldest
// EAP in its warm-up; otherwise the EAP with the largest draw from its posterior, or, without
// Thompson sampling, any with equal probability. There must be an arm.
func (m *PACE) focus(r *rand.Rand, arms []*Arm) *Arm {
	for _, a := range arms {
		if a.Exposures < m.Warmup {
			return a
		}
	}
	if !m.TS {
		return arms[r.IntN(len(arms))]
	}
	return arms[floats.MaxIdx(m.beliefs(r, arms))] // the first of equals
}

// designate chooses the EAPs that a crossover must call: each parent's EAP with the highest draw
// (design decision D7). There is one draw for each EAP, so the two may be the same. With k = 1 they
// must be: it is then the best EAP that the parents share.
func (m *PACE) designate(r *rand.Rand, l *library, a, b *Algorithm) []*EAP {
	arms := l.of(union(a.Calls, b.Calls))
	draws := m.beliefs(r, arms)
	best := func(calls []*EAP) *EAP {
		var of []*Arm
		var their []float64
		for i, arm := range arms {
			if slices.Contains(calls, arm.EAP) {
				of, their = append(of, arm), append(their, draws[i])
			}
		}
		return of[floats.MaxIdx(their)].EAP
	}
	if m.K == 1 {
		return []*EAP{best(shared(a.Calls, b.Calls))}
	}
	return union([]*EAP{best(a.Calls), best(b.Calls)})
}

// beliefs draws one number per arm: from its posterior, or uniformly without Thompson sampling.
func (m *PACE) beliefs(r *rand.Rand, arms []*Arm) []float64 {
	draws := make([]float64, len(arms))
	for i, a := range arms {
		if m.TS {
			draws[i] = distuv.Beta{Alpha: a.Alpha, Beta: a.Beta, Src: r}.Rand()
		} else {
			draws[i] = r.Float64()
		}
	}
	return draws
}
