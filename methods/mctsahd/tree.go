package mctsahd

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/methods/internal/pop"
)

// A Candidate is a program with a score.
type Candidate struct {
	ID          int // number of its evaluation, from 1; set when it is committed
	Operator    operator
	Description string  // the aligned description, verbatim
	Code        string  // without the target's docstring, for prompts and finding duplicates
	Score       float64 // larger is better
}

func (c *Candidate) same(d *Candidate) bool { return c.Code == d.Code }

func bestFirst(a, b *Candidate) int { return cmp.Compare(b.Score, a.Score) }

func ids(cs []*Candidate) []int {
	out := make([]int, len(cs))
	for i, c := range cs {
		out[i] = c.ID
	}
	return out
}

// A node is a program in the tree. The root has no program.
type node struct {
	program  *Candidate // nil for the root
	parent   *node
	children []*node // in the order of birth
	depth    int     // 0 for the root
	visits   int     // N: number of programs in its subtree, including its own
	value    float64 // Q: the best value of its children; without children, its score
	// subtree lists a child of the root and all nodes below it, in the order of birth; nil for
	// other nodes.
	subtree []*node
}

// A tree is the search's memory: it keeps every program that became a node.
type tree struct {
	root *node
	// min and max bound the programs' scores. min starts at 0, as in the port, so positive scores
	// are normalised to value/max. max starts at −Inf (design decision M9).
	min, max float64
}

func newTree() *tree {
	return &tree{root: &node{}, max: math.Inf(-1)}
}

// add makes a program the newest child of a node, and passes its score up to the root (LLM4AD
// llm4ad/method/mcts_ahd/mcts.py:67-80, with γ = 1). The value of an inner node is the best value
// of its children. It ignores the node's own score, so it can fall.
func (t *tree) add(parent *node, c *Candidate, depth int) *node {
	x := &node{program: c, parent: parent, depth: depth, visits: 1, value: c.Score}
	if parent == t.root {
		x.subtree = []*node{x}
	}
	parent.children = append(parent.children, x)
	t.min, t.max = min(t.min, x.value), max(t.max, x.value)
	for p := x.parent; p != nil; p = p.parent {
		p.value = slices.MaxFunc(p.children, byValue).value
		p.visits++
		if p.parent == t.root {
			p.subtree = append(p.subtree, x)
		}
	}
	return x
}

func byValue(a, b *node) int { return cmp.Compare(a.value, b.value) }

// uct returns the priority of a child when a walk is at its parent: its normalised value, plus
// lambda times a term that is larger the less often the child was visited (LLM4AD
// llm4ad/method/mcts_ahd/mcts.py:82-86).
func (t *tree) uct(c *node, lambda float64) float64 {
	normal := 0.0
	if t.max > t.min {
		normal = (c.value - t.min) / (t.max - t.min)
	}
	return normal + lambda*math.Sqrt(math.Log(float64(c.parent.visits)+1)/float64(c.visits))
}

func (t *tree) best(v *node, lambda float64) *node {
	return slices.MaxFunc(v.children, func(a, b *node) int {
		return cmp.Compare(t.uct(a, lambda), t.uct(b, lambda))
	})
}

// lambda returns the weight of exploration after a number of evaluations. The weight falls linearly
// from Lambda to 0.
func (r *run) lambda(evaluations int) float64 {
	return r.Lambda * max(1-float64(evaluations)/float64(r.budget), 0)
}

// mayWiden reports whether a node's visits allow one more child: whether floor(N^alpha) exceeds the
// number of its children.
func (r *run) mayWiden(v *node) bool {
	return math.Floor(math.Pow(float64(v.visits), r.Alpha)) > float64(len(v.children))
}

// path lists the programs from the root's child down to a node, each code once, best first. If
// codes are equal, it lists the older program.
func path(v *node) []*Candidate {
	var all []*Candidate
	for ; v.program != nil; v = v.parent {
		all = append(all, v.program)
	}
	slices.Reverse(all)
	var out []*Candidate
	for _, c := range all {
		if !slices.ContainsFunc(out, c.same) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, bestFirst)
	return out
}

// An elite is the set of the best programs with different scores. New programs wait in a buffer
// until the next survival. Unless the buffer fills up, e2 sees no program of its own iteration.
type elite struct {
	size    int
	members []*Candidate // best first
	buffer  []*Candidate
}

// add puts a program into the buffer, and calls survive if the buffer is then as large as the set
// may be (LLM4AD llm4ad/method/mcts_ahd/population.py:101).
func (e *elite) add(c *Candidate) {
	e.buffer = append(e.buffer, c)
	if len(e.buffer) >= e.size {
		e.survive()
	}
}

// survive keeps the best programs of members and buffer, but of several programs with equal scores
// only the oldest.
func (e *elite) survive() {
	all := slices.Concat(e.members, e.buffer)
	slices.SortStableFunc(all, bestFirst)
	all = slices.CompactFunc(all, func(a, b *Candidate) bool { return a.Score == b.Score })
	e.members, e.buffer = all[:min(e.size, len(all))], nil
}

// partner draws a member whose code differs from the code of current. Ranks count from 1, and a
// rank's probability is proportional to 1/(rank + members) (LLM4AD
// llm4ad/method/mcts_ahd/population.py:119-127). It returns nil if all members have that code. The
// port would draw forever (design decision M12).
func (e *elite) partner(r *rand.Rand, current *Candidate) *Candidate {
	c, _ := pop.Pick(r, e.members, func(c *Candidate) bool { return !c.same(current) })
	return c
}

func (e *elite) hasPartner(current *Candidate) bool {
	return slices.ContainsFunc(e.members, func(c *Candidate) bool { return !c.same(current) })
}
