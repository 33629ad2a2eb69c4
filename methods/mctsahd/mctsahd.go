// Package mctsahd implements MCTS-AHD (Zheng et al., ICML 2025): programs become nodes of a tree
// and stay there. A walk by UCT chooses the node to expand, a fixed list of prompts expands it, and
// after each program a second request aligns its one-sentence idea with its code. It follows the
// port in LLM4AD (llm4ad/method/mcts_ahd at e8d848f) that the PACE paper ran, with that paper's
// baseline settings; docs/methods/mcts-ahd.md lists the differences and their reasons. Start at
// MCTSAHD and New; the tree and its formulas are in tree.go.
package mctsahd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/record/note"
)

// MCTSAHD is a configuration of Monte Carlo tree search for automatic heuristic design.
type MCTSAHD struct {
	// Elite is the size of the set from which e2 draws its first reference; 20, the PACE paper's
	// "candidate pool" (appendix, baseline settings). The official code has 10.
	Elite int `json:"elite"`
	// Initial is the number of programs with different scores that become the root's first
	// children; 4 (LLM4AD llm4ad/method/mcts_ahd/mcts_ahd.py:52, and the official code).
	Initial int `json:"initial"`
	// Parents is the number of such programs that the initialisation needs before it may end at its
	// cap of 10 × Initial evaluations; 2, the paper's "parent selection", which the port uses for
	// nothing else.
	Parents int `json:"parents"`
	// Alpha is the exponent of progressive widening: a node with at least floor(visits^alpha)
	// children gets no further child; 0.5 (PACE paper).
	Alpha float64 `json:"alpha"`
	// Lambda is the weight of exploration at the beginning, which falls to 0 over the budget; 0.1
	// (PACE paper).
	Lambda float64 `json:"lambda"`
	// Depth is the largest depth of a walk, with the root at 0; 10 (LLM4AD
	// llm4ad/method/mcts_ahd/mcts.py:52).
	Depth int `json:"depth"`
	// Attempts bounds the attempts of an expansion by e2, m1, m2 or s1 to make a node; 3 (LLM4AD
	// llm4ad/method/mcts_ahd/mcts_ahd.py:250-316). An expansion by e1 has one attempt.
	Attempts int `json:"attempts"`
	// Window is the number of expansions of one leaf in flight; 4, the paper's "samplers", which
	// have no effect in the port. The prompts of these expansions are independent.
	Window int `json:"window"`
	// E1Refs selects the programs that e1 shows: "all", as in the port, or "sampled", two to five
	// of them drawn with replacement, as in the official code.
	E1Refs References `json:"e1-refs"`
	// Compat "llm4ad" restores three defects of the port together: a child made by widening is
	// entered twice, depths are not counted, and e1 may repeat a score of a child of the root.
	// Default: "none".
	Compat Compat `json:"compat"`
	ask.Parsing
}

// References selects the programs that e1 shows.
type References string

const (
	All     References = "all"     // one from the subtree of each child of the root
	Sampled References = "sampled" // two to five drawn from these
)

// Compat names the implementation whose defects are restored.
type Compat string

const (
	NoCompat Compat = "none"
	LLM4AD   Compat = "llm4ad"
)

// New returns MCTS-AHD with the settings of the PACE paper.
func New() *MCTSAHD {
	return &MCTSAHD{
		Elite: 20, Initial: 4, Parents: 2, Alpha: 0.5, Lambda: 0.1, Depth: 10,
		Attempts: 3, Window: 4,
		E1Refs: All, Compat: NoCompat, Parsing: ask.Shared(),
	}
}

// Name is "mcts-ahd".
func (m *MCTSAHD) Name() string { return "mcts-ahd" }

// Scheduled is true: exploration fades over the budget.
func (m *MCTSAHD) Scheduled() bool { return true }

// Label describes the method for tables and figures.
func (m *MCTSAHD) Label() bench.Label { return bench.Label{Title: "MCTS-AHD", Style: 4} }

// Check reports the first setting that cannot be used.
func (m *MCTSAHD) Check() error {
	if err := ask.AtLeast("initial", m.Initial, 1, "programs"); err != nil {
		return err
	}
	switch {
	case m.Elite < m.Initial:
		return fmt.Errorf("elite: %d programs, want at least %d, the value of initial",
			m.Elite, m.Initial)
	case m.Parents < 1 || m.Parents > m.Initial:
		return fmt.Errorf("parents: %d programs, want 1 to %d, the value of initial",
			m.Parents, m.Initial)
	}
	return cmp.Or(
		ask.Within("alpha", m.Alpha, 1),
		ask.Within("lambda", m.Lambda, maxLambda),
		ask.AtLeast("depth", m.Depth, 1),
		ask.AtLeast("attempts", m.Attempts, 1),
		ask.AtLeast("window", m.Window, 1, "expansions in flight"),
		ask.OneOf("e1-refs", m.E1Refs, All, Sampled),
		ask.OneOf("compat", m.Compat, NoCompat, LLM4AD),
		m.Parsing.Check(),
	)
}

const (
	// maxLambda bounds Lambda: scores are normalised to 0..1, so a larger value is pure
	// exploration.
	maxLambda = 1000
	// capFactor × Initial is the cap on the evaluations of the initialisation (LLM4AD
	// llm4ad/method/mcts_ahd/mcts_ahd.py:121-124).
	capFactor = 10
)

// Notes returns the types of MCTS-AHD's notes in the journal. Programs and their nodes are named by
// the evaluation that scored them, from 1. The parents of an offspring are the programs in its
// prompt, with the expanded program first.
func (m *MCTSAHD) Notes() []note.Note {
	return []note.Note{note.Offspring{}, Description{}, Grown{}, Rejected{}, Elite{}}
}

// Parts returns the operators that expand the tree.
func (m *MCTSAHD) Parts() []note.Part { return note.Operators("e1", "e2", "m1", "m2", "s1") }

type (
	// Description records a change to a program's aligned description: it was blank and replaced,
	// or too long and cut.
	Description struct {
		Blank  bool `json:"blank,omitempty"`
		Length int  `json:"length,omitempty"` // in characters, before the cut
	}
	// Grown records a new node. A parent of 0 is the root.
	Grown struct {
		Program  int    `json:"program"`
		Operator string `json:"operator"`
		Parent   int    `json:"parent"`
		Depth    int    `json:"depth"`
	}
	// Rejected records a program with a score that did not become a node, and the program that it
	// repeats.
	Rejected struct {
		Program  int    `json:"program"`
		Operator string `json:"operator"`
		Reason   string `json:"reason"`
		Of       int    `json:"of"`
	}
	// Elite lists the elite set after a survival, best first.
	Elite struct {
		Members []int `json:"members"`
	}
)

// The kinds, as the journal names them.
func (Description) Kind() string { return "description" }
func (Grown) Kind() string       { return "node" }
func (Rejected) Kind() string    { return "rejected" }
func (Elite) Kind() string       { return "elite" }

// Parents returns the elite set. Other nodes of the tree may also be parents.
func (n Elite) Parents() []int { return n.Members }

// Run searches until the budget is spent.
func (m *MCTSAHD) Run(ctx context.Context, s *bench.Search) error {
	r := &run{
		MCTSAHD: m, s: s, problem: s.Problem(), budget: s.Left(),
		tree: newTree(), elite: &elite{size: m.Elite},
		references: s.Rand("e1 references"), partners: s.Rand("e2 partners"),
	}
	err := r.initialise(ctx)
	for err == nil {
		err = r.iterate(ctx)
	}
	if errors.Is(err, bench.ErrSpent) {
		return nil
	}
	return err
}

// initialise asks for programs one by one until Initial of them have different scores, and makes
// them the root's children, best first. Each attempt shows programs found so far, as E1Refs selects
// them, and a program with a new score joins the elite set immediately. initialise stops at its
// cap, unless it has fewer than Parents programs; in that case, the port would end the whole run
// (design decision M14).
func (r *run) initialise(ctx context.Context) error {
	for {
		found, op := len(r.elite.members), e1
		if found == 0 {
			op = i1
		} else if found >= r.Initial ||
			found >= r.Parents && r.s.Evaluations() >= capFactor*r.Initial {
			break
		}
		shown := r.pick(slices.Clone(r.elite.members))
		c, err := bench.Do(ctx, r.s, r.offspring(op, shown, shown))
		if err != nil {
			return err
		}
		if c != nil {
			c.ID = r.s.Evaluations()
			r.elite.add(c)
			r.survive()
		}
	}
	for _, c := range r.elite.members {
		r.grow(r.tree.root, c, c.Operator)
	}
	return nil
}

// iterate walks from the root to a leaf, expands it by every operator, and renews the elite set.
// The walk follows the best child by UCT until a node without children or at the depth limit. A
// node on the way that was visited often enough gets one more child. The walk chooses its next step
// before that, so no walk enters a node that it made.
func (r *run) iterate(ctx context.Context) error {
	v := r.tree.root
	for len(v.children) > 0 && v.depth < r.Depth {
		next := r.tree.best(v, r.lambda(r.s.Evaluations()))
		if r.mayWiden(v) {
			if err := r.widen(ctx, v); err != nil {
				return err
			}
		}
		v = next
	}
	if err := r.expandLeaf(ctx, v); err != nil {
		return err
	}
	r.survive()
	return nil
}

// survive renews the elite set and notes it, if there are new programs.
func (r *run) survive() {
	if len(r.elite.buffer) == 0 {
		return
	}
	r.elite.survive()
	r.s.Note(Elite{ids(r.elite.members)})
}
