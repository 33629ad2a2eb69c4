package mctsahd

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// A Candidate is a program with a score.
type Candidate struct {
	ID          int // its evaluation, from 1; known once that is committed
	Operator    operator
	Description string  // the aligned one, as the model wrote it
	Code        string  // without the target's docstring: for prompts, and to find duplicates
	Score       float64 // larger is better
}

// same reports whether two programs have the same code.
func (c *Candidate) same(d *Candidate) bool { return c.Code == d.Code }

// ids are the names of programs in notes.
func ids(cs []*Candidate) []int {
	out := make([]int, len(cs))
	for i, c := range cs {
		out[i] = c.ID
	}
	return out
}

// forThought is the purpose of the request that aligns a program's description with its code.
const forThought llm.Purpose = "thought/alignment"

// offspring makes one attempt at a program: a request for it, one for its description, and its
// evaluation, in this order. It gives nil where the reply holds no program, which costs no
// evaluation, and where the program fails, which does.
func (m *MCTSAHD) offspring(
	op operator, problem bench.Problem, shown []*Candidate, parents []int,
) bench.Job[*Candidate] {
	text := buildPrompt(op, problem, shown)
	return func(ctx context.Context, st *bench.Step) (*Candidate, error) {
		note := Offspring{Operator: string(op), Parents: parents}
		x, ok, err := m.Program(ctx, st, problem,
			llm.Request{Purpose: op.purpose(), User: llm.Text(text)},
			note, program.Extraction{Mode: m.Parser})
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

// mostDescription bounds a stored description in characters; ours, far above the three sentences
// asked for: its text goes into later prompts as it is.
const mostDescription = 2000

// align asks what a program does, since the sentence that came with it rarely says all. A blank
// answer leaves that sentence (design decision M15).
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
	if strings.TrimSpace(text) == "" {
		st.Note(Description{Blank: true})
		text = strings.TrimSuffix(strings.TrimPrefix(x.Thought, "{"), "}")
	}
	if n := utf8.RuneCountInString(text); n > mostDescription {
		st.Note(Description{Length: n})
		text = string([]rune(text)[:mostDescription])
	}
	return text, nil
}
