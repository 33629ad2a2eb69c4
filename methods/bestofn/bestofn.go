// Package bestofn implements sequential best-of-N, which only asks for new versions of the best
// program so far. Other settings give (1+1)-EPS, HillClimb, ε-greedy and top-K from the literature:
// greedy controls that a search should beat. docs/methods/bestofn.md lists these settings. Start at
// BestOfN and New.
package bestofn

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// A Start names the source of the first programs.
type Start string

const (
	I1       Start = "i1"       // requests that show only the task, as in random sampling
	Template Start = "template" // the task's default body, which is evaluated first
)

// BestOfN is a configuration of sequential best-of-N.
type BestOfN struct {
	// Children is N, the number of proposals for each parent. The default is 4, as in llm-eps.
	Children int `json:"children"`
	// Top is the number of best programs from which a parent is drawn. The default is 1.
	Top int `json:"top"`
	// Epsilon is the probability that a parent is drawn from all programs with a score. The default
	// is 0.
	Epsilon float64 `json:"epsilon"`
	Start   Start   `json:"start"`  // i1
	Window  int     `json:"window"` // proposals in flight, all for one parent; 4
	ask.Settings
}

// New returns best-of-N with its defaults.
func New() *BestOfN {
	return &BestOfN{Children: 4, Top: 1, Start: I1, Window: 4, Settings: ask.Default()}
}

// Name is "bestofn".
func (m *BestOfN) Name() string { return "bestofn" }

// Label describes the method for tables and figures.
func (m *BestOfN) Label() bench.Label {
	return bench.Label{Title: "Best-of-N", Style: 9, Control: true, Variants: []bench.Variant{
		{Name: "children=1", Title: "N = 1"},
		{Name: "children=16", Title: "N = 16"},
		{Name: "epsilon=0.2", Title: "ε = 0.2"},
		{Name: "start=template", Title: "from the template"},
	}}
}

// Check reports the first setting that cannot be used.
func (m *BestOfN) Check() error {
	return cmp.Or(
		ask.AtLeast("children", m.Children, 1, "proposals"),
		ask.AtLeast("top", m.Top, 1, "programs"),
		ask.Within("epsilon", m.Epsilon, 1),
		ask.OneOf("start", m.Start, I1, Template),
		ask.AtLeast("window", m.Window, 1, "proposals in flight"),
		m.Settings.Check(),
	)
}

// Notes returns the types of notes in the journal.
func (m *BestOfN) Notes() []note.Note { return []note.Note{note.Offspring{}, note.Failure{}} }

// Parts returns the children of the best program.
func (m *BestOfN) Parts() []note.Part {
	return []note.Part{{Title: "children of the best program", Operator: "C"}}
}

// A scored is a program with a score.
type scored struct {
	evaluation int // number of its evaluation, from 1
	id         string
	shown      string // the code that prompts show
	score      float64
}

// Run searches until the budget is spent. Each batch is a separate Stream: Run chooses the next
// parent when all children of the previous parent are finished.
func (m *BestOfN) Run(ctx context.Context, s *bench.Search) error {
	var history []scored
	if m.Start == Template {
		first, err := bench.Do(ctx, s, m.template(s.Problem()))
		if err != nil {
			return err
		}
		if first == nil {
			s.Note(note.Failure{Reason: "the template has no score"})
			return nil
		}
		first.evaluation = s.Evaluations()
		history = append(history, *first)
	}
	for {
		parent, proposed := m.choose(s.Rand("parent"), history), 0
		for child, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[*scored] {
			if proposed == m.Children {
				return nil
			}
			proposed++
			return m.child(s.Problem(), parent)
		}) {
			if err != nil {
				return err
			}
			if child != nil {
				child.evaluation = s.Evaluations()
				history = append(history, *child)
			}
		}
		if proposed == 0 {
			return nil // no evaluations or no requests are left
		}
	}
}

// choose returns the parent of the next batch, or nil if no program has a score yet.
func (m *BestOfN) choose(r *rand.Rand, history []scored) *scored {
	if len(history) == 0 {
		return nil
	}
	if m.Epsilon > 0 && r.Float64() < m.Epsilon {
		return &history[r.IntN(len(history))]
	}
	best := slices.Clone(history)
	slices.SortStableFunc(best, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	if m.Top == 1 {
		return &best[0]
	}
	seen := map[string]bool{}
	best = slices.DeleteFunc(best, func(x scored) bool {
		again := seen[x.id]
		seen[x.id] = true
		return again
	})
	return &best[r.IntN(min(m.Top, len(best)))]
}

// child asks for a new version of the parent and evaluates the program in the reply. Without a
// parent, the request shows only the task. child returns nil if the reply has no program or the
// program fails.
func (m *BestOfN) child(problem bench.Problem, parent *scored) bench.Job[*scored] {
	r, parents := llm.Request{Purpose: "algorithm/I1", User: llm.Text(prompt.FromTask(problem))},
		[]int(nil)
	if parent != nil {
		r = llm.Request{Purpose: "algorithm/C", User: llm.Text(version(problem, parent.shown))}
		parents = []int{parent.evaluation}
	}
	return func(ctx context.Context, st *bench.Step) (*scored, error) {
		x, ok, err := m.Program(ctx, st, problem, r, parents, program.Extraction{})
		if !ok {
			return nil, err
		}
		return evaluate(ctx, st, x.Program, x.Code)
	}
}

// template evaluates the task's default body.
func (m *BestOfN) template(problem bench.Problem) bench.Job[*scored] {
	return func(ctx context.Context, st *bench.Step) (*scored, error) {
		st.Note(note.Offspring{Operator: "template"})
		code := prompt.Default(problem.Template)
		return evaluate(ctx, st, program.Assemble(problem.Imports, nil, code), code)
	}
}

func evaluate(
	ctx context.Context, st *bench.Step, p program.Program, shown string,
) (*scored, error) {
	out, err := st.Evaluate(ctx, p)
	if err != nil || !out.OK() {
		return nil, err
	}
	return &scored{id: p.ID(), shown: shown, score: out.Score}, nil
}

// version returns the prompt for a new version of a program. It shows neither score nor history.
func version(p bench.Problem, code string) string {
	return prompt.Join(
		prompt.Task(p),
		prompt.Listing("There is one existing algorithm. Its code:", "", code),
		prompt.Goal("write a new version of this function that scores better. "+
			"Small and large changes are allowed. %s", prompt.WholeFunction),
		prompt.Target(p),
		prompt.AnswerCode(p.Template),
	)
}
