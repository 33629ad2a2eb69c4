package reevo

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// A Candidate is an evaluated program. A zero Candidate is a reply that was lost.
type Candidate struct {
	ID      int         // its evaluation, from 1; known once it is registered
	Text    string      // to find duplicates: the code without the target's docstring
	Shown   prompt.Code // what prompts show: Text under the template's docstring
	Program program.Program
	Score   float64 // pop.None without a score
}

// The purposes of the requests.
const (
	forInit      llm.Purpose = "algorithm/init"
	forCrossover llm.Purpose = "algorithm/crossover"
	forMutation  llm.Purpose = "algorithm/mutation"
	forShort     llm.Purpose = "reflection/short"
	forLong      llm.Purpose = "reflection/long"
)

// improve asks for a better version of the template's own function.
func (m *ReEvo) improve(problem bench.Problem) bench.Job[Candidate] {
	return func(ctx context.Context, st *bench.Step) (Candidate, error) {
		return m.candidate(ctx, st, problem, forInit, initPrompt(problem))
	}
}

// cross lets the model compare two parents, and then write a child guided by what it found. Both
// requests are one step: the child's evaluation is reserved before the first (design decision R2).
func (m *ReEvo) cross(problem bench.Problem, worse, better Candidate) bench.Job[turn] {
	return func(ctx context.Context, st *bench.Step) (turn, error) {
		hint, err := m.reflect(ctx, st, forShort, shortPrompt(problem, worse, better))
		if err != nil {
			return turn{}, err
		}
		child, err := m.candidate(ctx, st, problem, forCrossover,
			crossoverPrompt(problem, worse, better, hint), better.ID, worse.ID)
		return turn{child: child, short: hint}, err
	}
}

// mutate varies the elite in the light of the lane's long-term reflection. Where hints are due,
// that is written first, out of them and the one before: no evaluation is spent on it, and it sees
// nothing that was not known when the block began.
func (m *ReEvo) mutate(
	problem bench.Problem, elite Candidate, due []string, long string,
) bench.Job[turn] {
	return func(ctx context.Context, st *bench.Step) (turn, error) {
		if due != nil {
			var err error
			if long, err = m.reflect(ctx, st, forLong, longPrompt(problem, long, due)); err != nil {
				return turn{}, err
			}
		}
		child, err := m.candidate(ctx, st, problem, forMutation,
			mutationPrompt(problem, elite, long), elite.ID)
		return turn{child: child, mutation: true, long: long}, err
	}
}

// request is a prompt under a role.
func (m *ReEvo) request(purpose llm.Purpose, role, text string) llm.Request {
	if m.SystemRole {
		return llm.Request{Purpose: purpose, System: role, User: llm.Text(text)}
	}
	return llm.Request{Purpose: purpose, User: llm.Text(prompt.Join(role, text))}
}

// mostReflection bounds a reflection in characters; ours, far above the 20 or 50 words asked for:
// its text goes into the next prompts as it is (design decision R10).
const mostReflection = 4000

// reflect asks for a hint and takes the reply word for word. An empty one is a hint too: the search
// goes on with an empty section (R5), and the journal says so.
func (m *ReEvo) reflect(
	ctx context.Context, st *bench.Step, purpose llm.Purpose, text string,
) (string, error) {
	hint, err := m.Ask(ctx, st, m.request(purpose, reflector, text))
	if err == nil && strings.TrimSpace(hint) == "" {
		st.Note(EmptyReflection{purpose.Operator()})
	}
	return shorten(hint, mostReflection), err
}

// shorten cuts a text after so many characters.
func shorten(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

// candidate asks once for a program and evaluates what the reply holds. A reply without a program
// costs no evaluation and is not asked for again.
func (m *ReEvo) candidate(
	ctx context.Context, st *bench.Step, problem bench.Problem, purpose llm.Purpose, text string,
	parents ...int,
) (Candidate, error) {
	note := Offspring{Operator: purpose.Operator(), Parents: parents}
	x, ok, err := m.Program(ctx, st, problem, m.request(purpose, generator, text), note,
		program.Extraction{})
	if !ok {
		return Candidate{}, err
	}
	a, err := st.Analyze(ctx, x.Code)
	if err != nil {
		return Candidate{}, err
	}
	c := Candidate{Text: x.Code, Shown: prompt.Documented(x.Code, a, problem.Template),
		Program: x.Program, Score: pop.None}
	out, err := st.Evaluate(ctx, c.Program)
	switch {
	case err != nil:
		return Candidate{}, err
	case out.OK():
		c.Score = out.Score
	case out.Fault.Kind == bench.Syntax:
		return Candidate{}, nil // free, and no program
	}
	return c, nil
}
