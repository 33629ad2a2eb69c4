package reevo

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
)

// A lane is one sampler of the port: its position in the cycle and its own chain of reflections.
type lane struct {
	selection  *rand.Rand
	hints      []string // the newest short-term reflections, oldest first
	long       string   // the newest long-term reflection; empty before the first
	crossovers int
	mutations  int // remaining in this block
	// due is the input of the next mutation's long-term reflection: the hints at the end of the
	// crossovers, or nil.
	due []string
}

// lanes returns new lanes, each with its own random numbers for selection (design decision R14).
func (m *ReEvo) lanes(s *bench.Search) []*lane {
	lanes := make([]*lane, m.Window)
	for i := range lanes {
		lanes[i] = &lane{selection: s.Rand("selection/" + strconv.Itoa(i))}
	}
	return lanes
}

// A turn is the result of one proposal of a lane.
type turn struct {
	child    *evolve.Candidate // nil for a reply without a program
	mutation bool
	short    string // a crossover's short-term reflection
	long     string // a mutation's long-term reflection, from this or an earlier turn
}

// advance moves a lane to its next turn. A crossover counts even if its reply has no program. After
// every Population crossovers, a block of mutations follows, which begins with a long-term
// reflection.
func (m *ReEvo) advance(l *lane, t turn) {
	if t.mutation {
		l.mutations--
		l.long, l.due = t.long, nil
		return
	}
	l.hints = append(l.hints, t.short)
	l.hints = l.hints[max(0, len(l.hints)-m.Hints):]
	l.crossovers++
	if block := int(m.MutationRate * float64(m.Population)); block > 0 &&
		l.crossovers%m.Population == 0 {
		l.mutations, l.due = block, slices.Clone(l.hints)
	}
}

// improve asks for a better version of the template's own function.
func (m *ReEvo) improve(problem bench.Problem) bench.Job[*evolve.Candidate] {
	return func(ctx context.Context, st *bench.Step) (*evolve.Candidate, error) {
		return m.candidate(ctx, st, problem, "algorithm/init", initPrompt(problem))
	}
}

// cross asks for a comparison of two parents, and then for a child guided by the comparison. Both
// requests are in one step, which reserves the child's evaluation before the first request (design
// decision R2).
func (m *ReEvo) cross(problem bench.Problem, worse, better evolve.Candidate) bench.Job[turn] {
	return func(ctx context.Context, st *bench.Step) (turn, error) {
		hint, err := m.reflect(ctx, st, "reflection/short", shortPrompt(problem, worse, better))
		if err != nil {
			return turn{}, err
		}
		child, err := m.candidate(ctx, st, problem, "algorithm/crossover",
			crossoverPrompt(problem, worse, better, hint), better, worse)
		return turn{child: child, short: hint}, err
	}
}

// mutate varies the elite, guided by the lane's long-term reflection. If hints are due, mutate
// first asks for a new version of the reflection, from these hints and the previous version. This
// request spends no evaluation, and it uses only what was known when the block began.
func (m *ReEvo) mutate(
	problem bench.Problem, elite evolve.Candidate, due []string, long string,
) bench.Job[turn] {
	return func(ctx context.Context, st *bench.Step) (turn, error) {
		if due != nil {
			var err error
			long, err = m.reflect(ctx, st, "reflection/long", longPrompt(problem, long, due))
			if err != nil {
				return turn{}, err
			}
		}
		child, err := m.candidate(ctx, st, problem, "algorithm/mutation",
			mutationPrompt(problem, elite, long), elite)
		return turn{child: child, mutation: true, long: long}, err
	}
}

// request returns a request with a role, in the system message or as the first paragraph.
func (m *ReEvo) request(purpose llm.Purpose, role, text string) llm.Request {
	if m.SystemRole {
		return llm.Request{Purpose: purpose, System: role, User: llm.Text(text)}
	}
	return llm.Request{Purpose: purpose, User: llm.Text(prompt.Join(role, text))}
}

// mostReflection bounds a reflection in characters. It is far above the length of the requested
// text, fewer than 20 or 50 words, and protects later prompts, which contain the text unchanged
// (design decision R10).
const mostReflection = 4000

// reflect asks for a hint and returns the answer without the model's thinking. An empty answer is
// also a hint: the search continues with an empty section (R5), and a note records it.
func (m *ReEvo) reflect(
	ctx context.Context, st *bench.Step, purpose llm.Purpose, text string,
) (string, error) {
	reply, err := m.Ask(ctx, st, m.request(purpose, reflector, text))
	hint := program.Words(reply)
	if err == nil && strings.TrimSpace(hint) == "" {
		st.Note(EmptyReflection{purpose.Operator()})
	}
	hint, _ = ask.Shortened(hint, mostReflection)
	return hint, err
}

// candidate asks once for a program and evaluates the program in the reply.
func (m *ReEvo) candidate(
	ctx context.Context, st *bench.Step, problem bench.Problem, purpose llm.Purpose, text string,
	parents ...evolve.Candidate,
) (*evolve.Candidate, error) {
	c, _, err := evolve.Try(ctx, st, m.Settings, problem, m.request(purpose, generator, text),
		program.Extraction{}, parents...)
	if c == nil || err != nil {
		return nil, err
	}
	a, err := st.Analyze(ctx, c.Shown)
	c.Documented = prompt.Documented(c.Shown, a, problem.Template)
	return c, err
}
