package pace

import "slices"

// The operators.
const (
	I1 = "I1" // initialisation: shows only the task
	P1 = "P1" // insertion of an EAP
	P2 = "P2" // replacement of an EAP
	P3 = "P3" // refinement that keeps the called EAPs, if any
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
	may      []*EAP // the child may call any of these
	atMost   int    // P4: the child may call at most this many in all
	known    []*EAP // the library at the time of the plan, to find calls of other EAPs
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

// plan makes the plan of an operator, or returns nil if no parent is eligible for it. The paper's
// section "Primitive-Aware Operators" has the contracts. A crossover has two different parents that
// both call EAPs; if K is 1, the parents must share an EAP.
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
