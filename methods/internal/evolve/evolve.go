// Package evolve contains the code that EoH, MLES and ReEvo share: candidates, the operators that
// ask for them, and a population that is renewed when its buffer is full. Start at Population.
package evolve

import (
	"context"
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
)

// A Candidate is an evaluated program with the idea behind it.
type Candidate struct {
	ID      int    // number of its evaluation, from 1; set on registration
	Thought string // including its braces
	// Shown is the code without the target's docstring, for prompts and for finding duplicates.
	Shown      string
	Documented prompt.Code // ReEvo: Shown with the template's docstring
	Score      float64     // pop.None without a score
	Picture    *llm.Image  // MLES: its worst training episode; nil without a score
	Records    string      // MLES: the records of that episode; may be empty
}

// An Operator is a kind of request for a program.
type Operator struct {
	Name  string // as in the paper
	Pairs bool   // shows several parents; otherwise one, or none for the first population
	Sees  bool   // MLES: shows one parent with its picture
	Goal  string
	Steps []string
}

// Purpose returns the purpose of the operator's requests in the journal.
func (o Operator) Purpose() llm.Purpose { return llm.Purpose("algorithm/" + o.Name) }

// Parents returns the block of a prompt that shows several parents, in the order in which they were
// drawn.
func Parents(parents []Candidate) string {
	blocks := []string{fmt.Sprintf(
		"There are %d existing algorithms, given with their ideas and their code.", len(parents))}
	for i, c := range parents {
		label := fmt.Sprintf("Algorithm %d, its idea and its code:", i+1)
		blocks = append(blocks, prompt.Listing(label, c.Thought, c.Shown))
	}
	return prompt.Join(blocks...)
}

// Try asks once for a program and evaluates the program in the reply. It returns nil if the reply
// has no program or Python's parser refuses the code. Neither case costs an evaluation, and Try
// does not ask again.
func Try(
	ctx context.Context, st *bench.Step, s ask.Settings, problem bench.Problem, r llm.Request,
	how program.Extraction, parents ...Candidate,
) (*Candidate, bench.Outcome, error) {
	var ids []int
	for _, p := range parents {
		ids = append(ids, p.ID)
	}
	x, ok, err := s.Program(ctx, st, problem, r, ids, how)
	if !ok {
		return nil, bench.Outcome{}, err
	}
	out, err := st.Evaluate(ctx, x.Program)
	if err != nil || !out.OK() && out.Fault.Kind == bench.Syntax {
		return nil, out, err
	}
	c := &Candidate{Thought: x.Thought, Shown: x.Code, Score: pop.None}
	if out.OK() {
		c.Score = out.Score
	}
	return c, out, nil
}

// A Population is renewed when its buffer is full, and notes each renewal.
type Population struct {
	*pop.Population[Candidate]
	// Demoted, if not nil, is called for a candidate that has a score but cannot be a parent,
	// because it has the text or the score of an earlier candidate.
	Demoted func(Candidate)

	s *bench.Search
}

// New returns an empty population of a search.
func New(s *bench.Search, size int) *Population {
	return &Population{Population: pop.New[Candidate](size, size), s: s}
}

// Breed keeps window proposals in flight until next returns nil, and enters the results in the
// order of the proposals.
func (p *Population) Breed(
	ctx context.Context, window int, next func() bench.Job[*Candidate],
) error {
	for c, err := range bench.Stream(ctx, p.s, window, next) {
		if err != nil {
			return err
		}
		p.Enter(c)
	}
	return nil
}

// Enter registers the candidate that was just evaluated, unless it is nil. If this renews the
// population, Enter notes the survivors.
func (p *Population) Enter(c *Candidate) {
	if c == nil {
		return
	}
	c.ID = p.s.Evaluations()
	before := p.Generation()
	x := p.Register(*c, c.Shown, c.Score)
	if p.Demoted != nil && x != nil && x.Score != pop.None && x.Fitness == pop.None {
		p.Demoted(*c)
	}
	if p.Generation() > before {
		p.Note()
	}
}

// Note notes the survivors, fittest first.
func (p *Population) Note() {
	n := note.Survivors{Generation: p.Generation(), Members: []note.Survivor{}}
	for _, x := range p.Survivors() {
		n.Members = append(n.Members,
			note.Survivor{Program: x.Value.ID, Filler: x.Fitness == pop.None})
	}
	p.s.Note(n)
}
