package mctsahd

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
)

// MCTSAHD is Monte Carlo tree search for automatic heuristic design. A value is its configuration.
type MCTSAHD struct {
	// Elite is the number of programs in the set from which e2 draws its first reference; 20, the
	// "candidate pool" of the PACE paper (appendix, baseline settings). The official code has 10.
	Elite int `json:"elite"`
	// Initial is the number of programs with different scores that become the root's first
	// children; 4 (LLM4AD llm4ad/method/mcts_ahd/mcts_ahd.py:52, and the official code).
	Initial int `json:"initial"`
	// Parents is the number of such programs below which the initialisation goes on past its cap of
	// 10 × Initial evaluations; 2, the paper's "parent selection", which the port uses for nothing
	// else.
	Parents int `json:"parents"`
	// Alpha is the exponent of progressive widening: a node with more than its floor(visits^alpha)
	// children gets no further one; 0.5 (PACE paper).
	Alpha float64 `json:"alpha"`
	// Lambda is the weight of exploration at the beginning, which falls to 0 over the budget; 0.1
	// (PACE paper).
	Lambda float64 `json:"lambda"`
	// Depth is where a walk ends at the latest, the root being at 0; 10 (LLM4AD
	// llm4ad/method/mcts_ahd/mcts.py:52).
	Depth int `json:"depth"`
	// Attempts is how often an expansion by e2, m1, m2 or s1 is tried until it gives a node; 3
	// (LLM4AD llm4ad/method/mcts_ahd/mcts_ahd.py:250-316). An expansion by e1 is tried once.
	Attempts int `json:"attempts"`
	// Window is the number of expansions of one leaf in flight. Their prompts do not depend on one
	// another; 4, the paper's "samplers", which do nothing in the port.
	Window int `json:"window"`
	// E1Refs is which programs e1 shows: "all", as the port, or "sampled", two to five of them
	// drawn with replacement, as the official code.
	E1Refs References `json:"e1-refs"`
	// Compat "llm4ad" restores three defects of the port together: a child made by widening is
	// entered twice, depths are not counted, and e1 may repeat a score that a child of the root
	// has. "none" by default.
	Compat Compat `json:"compat"`
	ask.Parsing
}

// References says which programs e1 shows.
type References string

const (
	All     References = "all"     // one of each child of the root
	Sampled References = "sampled" // two to five drawn from these
)

// Compat names a code whose defects are restored.
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

var (
	_ bench.Method  = (*MCTSAHD)(nil)
	_ bench.Checker = (*MCTSAHD)(nil)
)

// Name is "mcts-ahd".
func (m *MCTSAHD) Name() string { return "mcts-ahd" }

// Label says how tables and figures show it.
func (m *MCTSAHD) Label() bench.Label { return bench.Label{Title: "MCTS-AHD", Style: 4} }

// Check reports the first setting that cannot be used.
func (m *MCTSAHD) Check() error {
	if err := ask.AtLeast("initial", m.Initial, 1, "programs"); err != nil {
		return err
	}
	switch {
	case m.Elite < m.Initial:
		return fmt.Errorf("elite: %d programs, want at least the %d of initial", m.Elite, m.Initial)
	case m.Parents < 1 || m.Parents > m.Initial:
		return fmt.Errorf("parents: %d programs, want 1 to the %d of initial", m.Parents, m.Initial)
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
	maxLambda = 1000 // ours: scores are normalised to 0..1, so more is pure exploration
	// capFactor × Initial evaluations end the initialisation (LLM4AD
	// llm4ad/method/mcts_ahd/mcts_ahd.py:121-124).
	capFactor = 10
)

// Run searches until the budget is spent.
func (m *MCTSAHD) Run(ctx context.Context, s *bench.Search) error {
	r := m.begin(s)
	err := r.initialise(ctx)
	for err == nil {
		err = r.iterate(ctx)
	}
	if errors.Is(err, bench.ErrSpent) {
		return nil
	}
	return err
}

// initialise asks for programs one after the other until Initial of them have different scores, and
// makes them the root's children, best first. It gives up after its cap, unless fewer than Parents
// were found: the port would then end the whole run (design decision M14).
func (r *run) initialise(ctx context.Context) error {
	for len(r.elite.members) == 0 {
		if err := r.initialAttempt(ctx, i1); err != nil {
			return err
		}
	}
	found := func() int { return len(r.elite.members) }
	for found() < r.Initial && (found() < r.Parents || r.s.Evaluations() < capFactor*r.Initial) {
		if err := r.initialAttempt(ctx, e1); err != nil {
			return err
		}
	}
	for _, c := range r.elite.members {
		r.grow(r.tree.root, c, string(c.Operator))
	}
	return nil
}

// iterate walks from the root to a leaf, expands it by every operator, and renews the elite set.
func (r *run) iterate(ctx context.Context) error {
	leaf, err := r.descend(ctx)
	if err != nil {
		return err
	}
	if err := r.expandLeaf(ctx, leaf); err != nil {
		return err
	}
	r.survive()
	return nil
}

// descend follows the best child by UCT until a node has none or lies deep enough. A node on the
// way that was visited often enough gets one more child, after the step from it was chosen: no walk
// goes straight into a node that it made.
func (r *run) descend(ctx context.Context) (*node, error) {
	v := r.tree.root
	for len(v.children) > 0 && v.depth < r.Depth {
		next := r.tree.best(v, r.lambda(r.s.Evaluations()))
		if r.mayWiden(v) {
			if err := r.widen(ctx, v); err != nil {
				return nil, err
			}
		}
		v = next
	}
	return v, nil
}
