package pace

import (
	"context"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
)

// verify takes the child out of a reply and holds it against its plan's contract. A refusal is one
// line that says what is wrong.
func verify(
	ctx context.Context, an program.Analyzer, problem bench.Problem, p *plan, reply string,
) (child *Algorithm, refused string, err error) {
	var given []program.Given
	for _, e := range p.shown() {
		given = append(given, program.Given{Name: e.Name, Source: e.Source})
	}
	x, err := program.Extract(ctx, an, reply, problem.Template, program.Extraction{
		Imports: problem.Imports, Modules: problem.Modules, Given: given,
	})
	if err == nil {
		err = p.check(x.Analysis, problem.Template)
	}
	if refusal, ok := program.Refused(err); ok {
		return nil, refusal.Reason, nil
	}
	if err != nil {
		return nil, "", err
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

// calls is the call set C(A) of a child, over the whole library as the plan knew it. A name of an
// EAP that the child did not see and that it defines itself is its own.
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
