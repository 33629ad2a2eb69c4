package mctsahd

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
)

// A run is the state of one search. Only the goroutine of Run changes it. Jobs read only the
// settings and the problem.
type run struct {
	*MCTSAHD
	s       *bench.Search
	problem bench.Problem
	budget  int // T
	tree    *tree
	elite   *elite
	// Random numbers are drawn in the order of the operators, independently of the proposals in
	// flight (design decision M17).
	references, partners *rand.Rand
}

// An operator is a kind of request for a program, with its name in the paper.
type operator string

const (
	i1 operator = "i1" // shows only the task
	e1 operator = "e1" // asks for a form unlike all shown; at the root
	e2 operator = "e2" // keeps the form, inspired by a program of the elite set
	m1 operator = "m1" // adds mechanisms
	m2 operator = "m2" // changes parameters
	s1 operator = "s1" // combines the programs on the path from the root
)

// leafOperators expand a leaf, in this order. e1 has the weight 0 at a leaf (LLM4AD
// llm4ad/method/mcts_ahd/mcts_ahd.py:437-438).
var leafOperators = []operator{e2, m1, m1, m2, m2, s1}

// widen gives an inner node one more child: by e1 at the root, by e2 elsewhere. A program of e2
// that equals one of the node's children is rejected.
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

// expandLeaf applies the operators to a leaf, with Window of them in flight. It settles the results
// in the operators' order, repeats a failed attempt when its turn comes, and rejects a program that
// an earlier operator of this round gave. It returns ErrSpent if nothing could be requested.
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
		// Programs in flight have reserved evaluations, so there may be none left for a retry.
		if err != nil && !errors.Is(err, bench.ErrSpent) {
			return err
		}
	}
	if settled == 0 {
		return bench.ErrSpent
	}
	return nil
}

// applicable lists the operators for a leaf. e2 needs a partner. s1 needs two distinct programs on
// the path; with fewer, it is skipped without a request (LLM4AD
// llm4ad/method/mcts_ahd/mcts_ahd.py:246).
func (r *run) applicable(leaf *node) []operator {
	return slices.DeleteFunc(slices.Clone(leafOperators), func(op operator) bool {
		return op == s1 && len(path(leaf)) < 2 || op == e2 && !r.elite.hasPartner(leaf.program)
	})
}

// settle handles the result of an expansion's first attempt, and makes further attempts until one
// gives a node or Attempts is reached. It returns the node, or nil.
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

// accept makes the program that was just evaluated a child of v. It returns nil if the program has
// no score or repeats a sibling. A program of e1 repeats a sibling if it has the same score, which
// Compat "llm4ad" allows; any other program, if it has the same code.
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
	return r.grow(v, c, op)
}

func (r *run) grow(v *node, c *Candidate, op operator) *node {
	n := Grown{Program: c.ID, Operator: string(op), Depth: v.depth + 1}
	if r.Compat == LLM4AD {
		n.Depth = 1 // the same for all nodes, so that Depth never matters (design decision M3)
	}
	if v.program != nil {
		n.Parent = v.program.ID
	}
	x := r.tree.add(v, c, n.Depth)
	r.s.Note(n)
	return x
}

// attempt chooses the programs that an operator shows at a node, and returns the job that asks for
// a program. It returns nil for e2 if the elite set has no other program.
func (r *run) attempt(op operator, v *node) bench.Job[*Candidate] {
	var shown, parents []*Candidate // parents: the shown programs, the expanded program first
	switch op {
	case e1: // one program from the subtree of every child of the root
		for _, c := range r.tree.root.children {
			shown = append(shown, c.subtree[r.references.IntN(len(c.subtree))].program)
		}
		shown = r.pick(shown)
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
		parents = append([]*Candidate{v.program},
			slices.DeleteFunc(slices.Clone(shown), v.program.same)...)
	default:
		panic("mctsahd: " + string(op) + " expands no node")
	}
	return r.offspring(op, shown, parents)
}

// pick returns all references or, with Sampled, two to five of them drawn with replacement, as in
// the official code, but at most as many as there are references.
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

// offspring makes one attempt at a program: a request for it, a request for its description, and
// its evaluation, in this order. It returns nil if the reply has no program, which costs no
// evaluation, or if the program fails, which costs one.
func (r *run) offspring(op operator, shown, parents []*Candidate) bench.Job[*Candidate] {
	m, problem, names := r.MCTSAHD, r.problem, ids(parents)
	request := llm.Request{Purpose: llm.Purpose("algorithm/" + op),
		User: llm.Text(buildPrompt(op, problem, shown))}
	return func(ctx context.Context, st *bench.Step) (*Candidate, error) {
		x, ok, err := m.Program(ctx, st, problem, request, names,
			program.Extraction{Mode: m.Parser})
		if !ok {
			return nil, err
		}
		description, err := m.align(ctx, st, problem, x)
		if err != nil {
			return nil, err
		}
		out, err := st.Evaluate(ctx, x.Program)
		if err != nil || !out.OK() {
			return nil, err
		}
		return &Candidate{
			Operator: op, Description: description, Code: x.Code, Score: out.Score,
		}, nil
	}
}

const (
	// forThought is the purpose of the request that aligns a program's description with its code.
	forThought llm.Purpose = "thought/alignment"
	// mostDescription bounds a stored description in characters. It is far above the length of the
	// requested sentences, at most two, and protects later prompts, which contain the description
	// unchanged.
	mostDescription = 2000
)

// align asks what a program does, because the sentence in its reply is rarely complete. If the
// answer is blank, the sentence is the description (design decision M15).
func (m *MCTSAHD) align(
	ctx context.Context, st *bench.Step, problem bench.Problem, x program.Extracted,
) (string, error) {
	a, err := st.Analyze(ctx, x.Code)
	if err != nil {
		return "", err
	}
	code := prompt.Documented(x.Code, a, problem.Template).As(problem.Template.Name)
	text, err := m.Ask(ctx, st, llm.Request{
		Purpose: forThought, User: llm.Text(alignmentPrompt(problem, x.Thought, code)),
	})
	if err != nil {
		return "", err
	}
	if text = program.Words(text); strings.TrimSpace(text) == "" {
		st.Note(Description{Blank: true})
		text = strings.TrimSuffix(strings.TrimPrefix(x.Thought, "{"), "}")
	}
	text, n := ask.Shortened(text, mostDescription)
	if n > mostDescription {
		st.Note(Description{Length: n})
	}
	return text, nil
}
