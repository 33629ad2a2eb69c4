package mctsahd

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
)

// An operator is one way of asking for a program, named as in the paper.
type operator string

const (
	i1 operator = "i1" // from the task alone
	e1 operator = "e1" // of another form than all shown: new children of the root
	e2 operator = "e2" // of this program's form, inspired by one of the elite set
	m1 operator = "m1" // another mechanism
	m2 operator = "m2" // other parameters
	s1 operator = "s1" // the path from the root, summed up
)

func (o operator) purpose() llm.Purpose { return llm.Purpose("algorithm/" + string(o)) }

// attempt chooses what an operator shows at a node, and returns the job that asks for a program. It
// is nil for e2 where the elite set has no other program.
func (r *run) attempt(op operator, v *node) bench.Job[*Candidate] {
	var shown, parents []*Candidate // parents are the same, the expanded program first
	switch op {
	case e1:
		shown = r.pick(r.branches())
		parents = shown
	case e2:
		partner := r.elite.partner(r.partners, v.program)
		if partner == nil {
			return nil
		}
		shown, parents = []*Candidate{partner, v.program}, []*Candidate{v.program, partner}
	case m1, m2:
		shown = []*Candidate{v.program}
		parents = shown
	case s1:
		shown = path(v)
		parents = []*Candidate{v.program}
		for _, c := range shown {
			if !c.same(v.program) {
				parents = append(parents, c)
			}
		}
	default:
		panic("mctsahd: " + string(op) + " expands no node")
	}
	return r.offspring(op, r.problem, shown, ids(parents))
}

// branches draws one program from the subtree of every child of the root, in the order of the
// children.
func (r *run) branches() []*Candidate {
	var out []*Candidate
	for _, c := range r.tree.root.children {
		out = append(out, c.subtree[r.references.IntN(len(c.subtree))].program)
	}
	return out
}

// pick returns the references themselves, or the official code's sample of them: two to five, but
// no more than there are, drawn with replacement.
func (r *run) pick(refs []*Candidate) []*Candidate {
	if r.E1Refs == All || len(refs) == 0 {
		return refs
	}
	out := make([]*Candidate, min(2+r.references.IntN(4), len(refs)))
	for i := range out {
		out[i] = refs[r.references.IntN(len(refs))]
	}
	return out
}
