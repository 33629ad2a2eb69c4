package mctsahd

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/bench"
)

// A run is the state of one search. Only the run's goroutine touches it; jobs get what they need.
type run struct {
	*MCTSAHD
	s       *bench.Search
	problem bench.Problem
	budget  int // T
	tree    *tree
	elite   *elite
	// Randomness is drawn in the order of the operators, whatever is in flight (design decision
	// M17).
	references, partners *rand.Rand
}

func (m *MCTSAHD) begin(s *bench.Search) *run {
	return &run{
		MCTSAHD: m, s: s, problem: s.Problem(), budget: s.Left(),
		tree: newTree(), elite: &elite{size: m.Elite},
		references: s.Rand("e1 references"), partners: s.Rand("e2 partners"),
	}
}

// leafOperators expand a leaf, in this order; e1 has the weight 0 there (LLM4AD
// llm4ad/method/mcts_ahd/mcts_ahd.py:437-438).
var leafOperators = []operator{e2, m1, m1, m2, m2, s1}

// initialAttempt makes one attempt of the initialisation, which shows all programs found so far.
// What has a new score joins the elite set at once.
func (r *run) initialAttempt(ctx context.Context, op operator) error {
	shown := r.pick(slices.Clone(r.elite.members))
	c, err := bench.Do(ctx, r.s, r.offspring(op, r.problem, shown, ids(shown)))
	if err != nil {
		return err
	}
	if c != nil {
		c.ID = r.s.Evaluations()
		r.elite.add(c)
		r.survive()
	}
	return nil
}

// widen gives an inner node one more child: by e1 at the root, by e2 elsewhere. There, a program
// that one of its children has already is not a success.
func (r *run) widen(ctx context.Context, v *node) error {
	op := e2
	if v == r.tree.root {
		op = e1
	}
	job := r.attempt(op, v)
	if job == nil {
		return nil
	}
	c, err := bench.Do(ctx, r.s, job)
	if err != nil {
		return err
	}
	x, err := r.settle(ctx, op, v, v.children, c)
	if x != nil && r.Compat == LLM4AD {
		v.children = append(v.children, x) // the port enters it twice (design decision M2)
	}
	return err
}

// expandLeaf applies the operators to a leaf, Window of them in flight. Their outcomes are settled
// in the operators' order, a failed attempt is made again at its place, and a program that an
// earlier operator of this wave gave is not a success. It returns ErrSpent when nothing could be
// asked.
func (r *run) expandLeaf(ctx context.Context, leaf *node) error {
	ops := r.applicable(leaf)
	var wave []*node
	proposed, settled := 0, 0
	for c, err := range bench.Stream(ctx, r.s, r.Window, func() bench.Job[*Candidate] {
		if proposed == len(ops) {
			return nil
		}
		proposed++
		return r.attempt(ops[proposed-1], leaf)
	}) {
		if err != nil {
			return err
		}
		x, err := r.settle(ctx, ops[settled], leaf, wave, c)
		settled++
		if x != nil {
			wave = append(wave, x)
		}
		// Nothing may be left for a retry while programs are in flight: they count all the same.
		if err != nil && !errors.Is(err, bench.ErrSpent) {
			return err
		}
	}
	if settled == 0 {
		return bench.ErrSpent
	}
	return nil
}

// applicable lists the operators for a leaf. e2 needs a partner, and s1 two distinct programs on
// the path: with fewer, s1 is passed over without a request (LLM4AD
// llm4ad/method/mcts_ahd/mcts_ahd.py:246).
func (r *run) applicable(leaf *node) []operator {
	return slices.DeleteFunc(slices.Clone(leafOperators), func(op operator) bool {
		return op == s1 && len(path(leaf)) < 2 || op == e2 && !r.elite.hasPartner(leaf.program)
	})
}

// settle decides on the outcome of an expansion's first attempt, and makes further ones until one
// gives a node or there have been enough. It returns that node, or nil.
func (r *run) settle(
	ctx context.Context, op operator, v *node, siblings []*node, c *Candidate,
) (*node, error) {
	for attempt := 1; ; attempt++ {
		if x := r.accept(op, v, siblings, c); x != nil {
			return x, nil
		}
		if op == e1 || attempt == r.Attempts {
			return nil, nil
		}
		job := r.attempt(op, v)
		if job == nil {
			return nil, nil
		}
		var err error
		if c, err = bench.Do(ctx, r.s, job); err != nil {
			return nil, err
		}
	}
}

// accept makes the program of the evaluation just committed a child of v, unless it has no score,
// repeats the code of a sibling, or is e1's and repeats the score of a child of the root.
func (r *run) accept(op operator, v *node, siblings []*node, c *Candidate) *node {
	if c == nil {
		return nil
	}
	c.ID = r.s.Evaluations()
	for _, x := range siblings {
		switch {
		case op != e1 && c.same(x.program):
			r.s.Note(Rejected{c.ID, string(op), "the code of a sibling", x.program.ID})
			return nil
		case op == e1 && c.Score == x.program.Score && r.Compat != LLM4AD:
			r.s.Note(Rejected{c.ID, string(op), "the score of a child of the root", x.program.ID})
			return nil
		}
	}
	r.elite.add(c)
	return r.grow(v, c, string(op))
}

// grow adds a program to the tree and notes it.
func (r *run) grow(v *node, c *Candidate, op string) *node {
	depth := v.depth + 1
	if r.Compat == LLM4AD {
		depth = 1 // for all nodes, so that Depth never binds (design decision M3)
	}
	x := r.tree.add(v, c, depth)
	n := Grown{Program: c.ID, Operator: op, Depth: depth}
	if v.program != nil {
		n.Parent = v.program.ID
	}
	r.s.Note(n)
	return x
}

// survive renews the elite set, and notes it where there are newcomers.
func (r *run) survive() {
	if len(r.elite.buffer) == 0 {
		return
	}
	r.elite.survive()
	r.s.Note(Elite{ids(r.elite.members)})
}
