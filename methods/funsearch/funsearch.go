// Package funsearch implements FunSearch (Romera-Paredes et al., Nature 625, 2024): islands of
// programs in clusters of equal score. A prompt shows some programs of one island as versions of
// one function, in ascending order of score, and asks for the next version. It follows
// llm4ad/method/funsearch of LLM4AD at e8d848f, and google-deepmind/funsearch at cc53f27 for
// details that LLM4AD leaves out. docs/methods/funsearch.md lists the differences and their
// reasons. Start at FunSearch and New.
package funsearch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// A Signature defines which programs of an island form a cluster.
type Signature string

const (
	ByScore  Signature = "score"  // equal scores, as in LLM4AD
	ByValues Signature = "values" // equal values on every instance, as in the paper's code
)

// FunSearch is a configuration of the method. Unless a comment names another source, the values
// come from llm4ad/method/funsearch/config.py:19-23 and funsearch.py:46-48 of LLM4AD.
type FunSearch struct {
	Islands            int     `json:"islands"`             // 10
	Shown              int     `json:"shown"`               // programs in a prompt; 2
	Samples            int     `json:"samples"`             // answers to one prompt; 4
	ClusterTemperature float64 `json:"cluster-temperature"` // 0.1
	ClusterPeriod      int     `json:"cluster-period"`      // registrations per cooling; 30 000
	// Reset is the number of evaluations between resets of the worse islands; 0: never. The sources
	// reset every four hours, after more than 1000 evaluations.
	Reset int `json:"reset"`
	// Normalise divides the scores of clusters by the largest absolute score if that is above 1
	// (LLM4AD programs_database.py:211-213); true.
	Normalise bool      `json:"normalise"`
	Signature Signature `json:"signature"` // score
	// Description puts the task's text above the code; true. LLM4AD's prompts have no such text.
	Description bool `json:"description"`
	Window      int  `json:"window"` // proposals in flight; 4
	ask.Settings
}

// New returns FunSearch with its defaults.
func New() *FunSearch {
	return &FunSearch{
		Islands: 10, Shown: 2, Samples: 4, ClusterTemperature: 0.1, ClusterPeriod: 30_000,
		Normalise: true, Signature: ByScore, Description: true, Window: 4, Settings: ask.Default(),
	}
}

// Name is "funsearch".
func (m *FunSearch) Name() string { return "funsearch" }

// Label describes the method for tables and figures.
func (m *FunSearch) Label() bench.Label {
	return bench.Label{Title: "FunSearch", Style: 10, Variants: []bench.Variant{
		{Name: "reset=200", Title: "reset after 200"},
		{Name: "normalise=false", Title: "raw scores"},
		{Name: "description=false", Title: "w/o the task's text"},
	}}
}

// Check reports the first setting that cannot be used.
func (m *FunSearch) Check() error {
	var temperature, reset error
	if !(m.ClusterTemperature > 0) {
		temperature = fmt.Errorf("cluster-temperature: %g, want more than 0", m.ClusterTemperature)
	}
	if m.Reset < 0 {
		reset = fmt.Errorf("reset: %d evaluations, want at least 1, or 0 for never", m.Reset)
	}
	return cmp.Or(
		ask.AtLeast("islands", m.Islands, 1),
		ask.AtLeast("shown", m.Shown, 1, "programs"),
		ask.AtLeast("samples", m.Samples, 1, "answers"),
		temperature,
		ask.AtLeast("cluster-period", m.ClusterPeriod, 1, "registrations"),
		reset,
		ask.OneOf("signature", m.Signature, ByScore, ByValues),
		ask.AtLeast("window", m.Window, 1, "proposals in flight"),
		m.Settings.Check(),
	)
}

// Notes returns the types of FunSearch's notes in the journal.
func (m *FunSearch) Notes() []note.Note {
	return []note.Note{note.Offspring{}, Islands{}, Reset{}, note.Failure{}}
}

// Parts returns the operator, and the reset of islands if it is on.
func (m *FunSearch) Parts() []note.Part {
	parts := note.Operators("f")
	if m.Reset > 0 {
		parts = append(parts, note.Part{Title: "the reset of islands", Kind: Reset{}.Kind()})
	}
	return parts
}

// Islands records the state of the database, and all programs that a prompt may show.
type Islands struct {
	Islands []Island `json:"islands"`
	Members []int    `json:"members"`
}

// Island describes one island: its size, and the evaluation of its best program.
type Island struct {
	Clusters int `json:"clusters"`
	Programs int `json:"programs"` // registered since it was founded
	Best     int `json:"best"`
}

// Kind is "islands".
func (Islands) Kind() string { return "islands" }

// Parents returns the programs that a prompt may show.
func (n Islands) Parents() []int { return n.Members }

// Reset records the islands that were emptied, and the programs with which they restarted.
type Reset struct {
	Emptied  []int `json:"emptied"`
	Founders []int `json:"founders"`
}

// Kind is "reset".
func (Reset) Kind() string { return "reset" }

// between is the number of evaluations between two notes of the islands.
const between = 50

// Run searches until the budget is spent. It ends immediately if the task's default body has no
// score.
func (m *FunSearch) Run(ctx context.Context, s *bench.Search) error {
	problem := s.Problem()
	first, err := bench.Do(ctx, s, m.template(problem))
	if err != nil {
		return err
	}
	if first == nil {
		s.Note(note.Failure{Reason: "the template has no score"})
		return nil
	}
	d := m.database(s, *first.at(s))
	lastReset, lastNote := 0, 0
	var g group // of the current prompt
	proposals := 0
	for c, err := range bench.Stream(ctx, s, m.Window, func() bench.Job[*child] {
		if proposals%m.Samples == 0 {
			g = d.prompt(problem)
		}
		proposals++
		return m.child(problem, g)
	}) {
		if err != nil {
			return err
		}
		if c != nil {
			d.islands[c.island].register(*c.at(s))
		}
		n := s.Evaluations()
		if m.Reset > 0 && n-lastReset >= m.Reset {
			s.Note(d.reset(s.Rand("reset")))
			lastReset = n
		}
		if n%between == 0 && n > lastNote {
			s.Note(d.note())
			lastNote = n
		}
	}
	return nil
}

// A group is the state that the proposals of one prompt share.
type group struct {
	island  int
	parents []int // evaluations of the shown programs, best first
	text    string
}

// A child is a program with a score, and the island whose prompt it answers.
type child struct {
	member
	island int
}

// at gives the child the number of its evaluation, which was just committed.
func (c *child) at(s *bench.Search) *member {
	c.evaluation = s.Evaluations()
	return &c.member
}

// child sends a group's prompt and evaluates the program in the reply. It returns nil if the reply
// has no program or the program fails.
func (m *FunSearch) child(problem bench.Problem, g group) bench.Job[*child] {
	return func(ctx context.Context, st *bench.Step) (*child, error) {
		x, ok, err := m.Program(ctx, st, problem,
			llm.Request{Purpose: "algorithm/f", User: llm.Text(g.text)}, g.parents,
			program.Extraction{})
		if !ok {
			return nil, err
		}
		return m.evaluate(ctx, st, problem, x.Program, x.Code, g.island)
	}
}

// template evaluates the task's default body, with which all islands start.
func (m *FunSearch) template(problem bench.Problem) bench.Job[*child] {
	return func(ctx context.Context, st *bench.Step) (*child, error) {
		st.Note(note.Offspring{Operator: "template"})
		p := program.Assemble(problem.Imports, nil, prompt.Default(problem.Template))
		return m.evaluate(ctx, st, problem, p, prompt.Bare(problem.Template), 0)
	}
}

// evaluate scores a program. code is the program without its docstring, for prompts.
func (m *FunSearch) evaluate(
	ctx context.Context, st *bench.Step, problem bench.Problem, p program.Program, code string,
	island int,
) (*child, error) {
	a, err := st.Analyze(ctx, code)
	if err != nil {
		return nil, err
	}
	out, err := st.Evaluate(ctx, p)
	if err != nil || !out.OK() {
		return nil, err
	}
	versions := prompt.VersionsOf(code, a, problem.Template.Name)
	c := &child{island: island, member: member{
		versions: versions, score: out.Score, signature: fmt.Sprint(out.Score),
		length: utf8.RuneCountInString(versions.As(problem.Template)),
	}}
	if m.Signature == ByValues {
		c.signature = fmt.Sprint(out.Values)
	}
	return c, nil
}

// prompt draws an island and the programs that its prompt shows.
func (d *database) prompt(problem bench.Problem) group {
	g := group{island: d.s.Rand("island").IntN(len(d.islands))}
	shown := d.choose(d.islands[g.island])
	blocks, name := slices.Clone(problem.Imports), problem.Template.Name
	target := problem.Template
	for i, x := range shown {
		target.Name = prompt.Version(name, i)
		blocks = append(blocks, x.versions.As(target))
		g.parents = append([]int{x.evaluation}, g.parents...)
		target.Doc = "Improved version of " + target.Name + "."
	}
	target.Name = prompt.Version(name, len(shown))
	text := ""
	if d.m.Description {
		text = prompt.Task(problem)
	}
	g.text = prompt.Join(text, prompt.Join(append(blocks, prompt.Template(target))...),
		prompt.Environment(problem),
		prompt.Goal("write %s, the last version of the function, complete.", target.Name),
		prompt.AnswerCode(target))
	return g
}
