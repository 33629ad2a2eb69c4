package pace

import (
	"context"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/internal/prompt"
	"github.com/pacebench/pacebench/program"
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
// and can be corrected, it asks for a repair in the form of the answer, up to K attempts in all.
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

// verify extracts the child from a reply and checks it against its plan's contract. A refusal is
// one line that says what is wrong.
func verify(
	ctx context.Context, an program.Analyzer, problem bench.Problem, p *plan, reply string,
) (child *Algorithm, refused string, err error) {
	var given []program.Given
	for _, e := range p.shown() {
		given = append(given, program.Given{Name: e.Name, Source: e.Source})
	}
	x, refused, err := ask.Extract(ctx, an, problem, reply, program.Extraction{Given: given})
	if err != nil || refused != "" {
		return nil, refused, err
	}
	if refusal, ok := program.Refused(p.check(x.Analysis, problem.Template)); ok {
		return nil, refusal.Reason, nil
	}
	calls := p.calls(x.Analysis, problem.Template.Name)
	imports, helpers := slices.Clone(problem.Imports), []string(nil)
	for _, e := range calls {
		imports, helpers = append(imports, e.Imports...), append(helpers, e.Source)
	}
	return &Algorithm{
		Thought: x.Thought, Shown: x.Code, Calls: calls,
		Program: program.Assemble(imports, helpers, x.Kept), analysis: x.Analysis,
	}, "", nil
}

// check refuses a child that breaks the structural contract of its plan.
func (p *plan) check(a program.Analysis, target program.Function) error {
	if err := program.CheckTarget(a, target, false); err != nil {
		return err
	}
	if err := program.CheckRebinds(a, names(p.shown())); err != nil {
		return err
	}
	if err := p.contract().Check(names(p.calls(a, target.Name))); err != nil {
		return err
	}
	if p.operator == P1 {
		return program.CheckWraps(p.parents[0].analysis, a, target.Name, p.focus.Name)
	}
	return nil
}

// calls is the call set C(A) of a child, over the whole library at the time of the plan. If the
// child defines a function with the name of an EAP that it did not see, the function is its own.
func (p *plan) calls(a program.Analysis, target string) []*EAP {
	called := program.CallSet(a, target, names(p.known))
	var out []*EAP
	for _, e := range p.known {
		own := slices.Contains(a.Binds, e.Name) && !slices.Contains(p.shown(), e)
		if slices.Contains(called, e.Name) && !own {
			out = append(out, e)
		}
	}
	return out
}
