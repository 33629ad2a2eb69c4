package pace

import (
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// An offspring is what became of a plan. child is nil when every attempt was refused; then no
// evaluation was spent.
type offspring struct {
	plan    *plan
	child   *Algorithm
	outcome bench.Outcome
}

// offspring carries out a plan: it asks, verifies the reply against the plan's contract, asks for
// repairs with the same parents and EAPs up to K attempts in all, and evaluates what passes.
func (m *PACE) offspring(problem bench.Problem, p *plan) bench.Job[*offspring] {
	return func(ctx context.Context, st *bench.Step) (*offspring, error) {
		st.Note(p.note())
		original := operatorPrompt(problem, p)
		text := original
		for attempt := 1; attempt <= m.K; attempt++ {
			reply, err := m.ask(ctx, st, "algorithm", p.operator, text)
			if err != nil {
				return nil, err
			}
			child, refused, err := verify(ctx, st, problem, p, reply)
			if err != nil {
				return nil, err
			}
			st.Note(Attempt{Operator: p.operator, Attempt: attempt, Refused: refused})
			if refused == "" {
				outcome, err := st.Evaluate(ctx, child.Program)
				if err != nil {
					return nil, err
				}
				return &offspring{p, child, outcome}, nil
			}
			text = prompt.Repair(original, reply, refused,
				prompt.AnswerProgram(problem.Template))
		}
		return &offspring{plan: p}, nil
	}
}

// ask makes a request of a role, "algorithm" or "eap", for an operator.
func (m *PACE) ask(
	ctx context.Context, st *bench.Step, role, operator, text string,
) (string, error) {
	return m.Ask(ctx, st,
		llm.Request{Purpose: llm.Purpose(role + "/" + operator), User: llm.Text(text)})
}

func (p *plan) note() Offspring {
	n := Offspring{Operator: p.operator, Must: ids(p.must), May: ids(p.may),
		Names: names(union(p.must, p.may))}
	for _, a := range p.parents {
		n.Parents = append(n.Parents, a.ID)
	}
	if p.focus != nil {
		n.Focus = &p.focus.ID
	}
	if p.target != nil {
		n.Target = &p.target.ID
	}
	return n
}
