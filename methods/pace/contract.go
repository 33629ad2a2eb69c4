package pace

import (
	"context"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/program"
)

// contract returns the contract on the child's calls. The prompt states it, and verify checks it.
func (p *plan) contract() program.Calls {
	return program.Calls{Must: names(p.must), May: names(p.may), AtMost: p.atMost}
}

// shown lists the EAPs whose definitions are in the prompt: all EAPs that the child may call, and
// for P2 also the EAP to be replaced.
func (p *plan) shown() []*EAP {
	if p.target != nil {
		return union(p.must, p.may, []*EAP{p.target})
	}
	return union(p.must, p.may)
}

// verify extracts the child from a reply and checks it against its plan's contract. refused is one
// line that says what is wrong, or empty.
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

// calls returns the call set C(A) of a child, over the whole library at the time of the plan. If
// the child defines a function with the name of an EAP that it did not see, calls of that name do
// not count.
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
