package pace

import (
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// An offspring is the result of a plan. If every attempt was refused, child is nil and no
// evaluation was spent.
type offspring struct {
	plan    *plan
	child   *Algorithm
	outcome bench.Outcome
}

// offspring carries out a plan: it asks, verifies the reply against the plan's contract, asks for
// repairs with the same parents and EAPs up to K attempts in all, and evaluates the accepted child.
func (m *PACE) offspring(problem bench.Problem, p *plan) bench.Job[*offspring] {
	return func(ctx context.Context, st *bench.Step) (*offspring, error) {
		st.Note(p.note())
		o := &offspring{plan: p}
		err := m.attempt(ctx, st, "algorithm", p.operator, operatorPrompt(problem, p),
			prompt.AnswerProgram(problem.Template),
			func(reply string) (refused string, again bool, err error) {
				o.child, refused, err = verify(ctx, st, problem, p, reply)
				return refused, refused != "", err
			})
		if err == nil && o.child != nil {
			o.outcome, err = st.Evaluate(ctx, o.child.Program)
		}
		return o, err
	}
}

// attempt asks for an operator's result in a role, "algorithm" or "eap". While the reply is refused
// and can be corrected, attempt asks for a repair, up to K attempts in all. form is the last block
// of the prompt, which the repair repeats.
func (m *PACE) attempt(
	ctx context.Context, st *bench.Step, role, operator, original, form string,
	read func(reply string) (refused string, again bool, err error),
) error {
	text := original
	for n := 1; ; n++ {
		reply, err := m.Ask(ctx, st,
			llm.Request{Purpose: llm.Purpose(role + "/" + operator), User: llm.Text(text)})
		if err != nil {
			return err
		}
		refused, again, err := read(reply)
		if err != nil {
			return err
		}
		st.Note(Attempt{Operator: operator, Attempt: n, Refused: refused})
		if !again || n == m.K {
			return nil
		}
		text = prompt.Repair(original, reply, refused, form)
	}
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
