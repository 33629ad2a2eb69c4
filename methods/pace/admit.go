package pace

import (
	"context"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
)

// violation says why a proposed function may not become an EAP, or "" when it may as far as
// structure goes. Whether it is new is not asked here.
func (p *proposal) violation(
	problem bench.Problem, imported []string, d program.Definition, together []program.Definition,
) string {
	others := names(p.known)
	for _, o := range together {
		if o.Name != d.Name {
			others = append(others, o.Name)
		}
	}
	target := problem.Template.Name
	switch {
	case d.Name == target:
		return "it has the name of the function to design"
	case slices.Contains(d.Func.Loads, target):
		return "it uses `" + target + "`, the function to design"
	case d.Func.Async:
		return "it is defined with async def, and def is asked for"
	case d.Func.Doc == "":
		return "it has no docstring that says what it computes"
	case p.source != nil && d.Func.Statements >= p.source.statements():
		return fmt.Sprintf("it has %d statements, and the algorithm that it is taken from only %d",
			d.Func.Statements, p.source.statements())
	}
	for _, name := range d.Func.Loads {
		if slices.Contains(others, name) && slices.Contains(d.Func.Free, name) {
			return "it calls `" + name + "`, another helper function"
		}
	}
	if refusal, ok := program.Refused(
		program.CheckSelfContained(d, imported, problem.Modules)); ok {
		return refusal.Reason
	}
	return ""
}

// newEAP makes an EAP of a function that passed, under a name of its own.
func newEAP(
	ctx context.Context, an program.Analyzer, problem bench.Problem, imported []string, p *proposal,
	d program.Definition, known []*EAP,
) (*EAP, error) {
	taken := append(names(known), imported...)
	for _, param := range problem.Template.Params {
		taken = append(taken, param.Name)
	}
	name, err := freeName(ctx, an, d.Name, taken)
	if err != nil {
		return nil, err
	}
	e := &EAP{Name: name, Source: d.Renamed(name), Fingerprint: d.Func.Fingerprint,
		Origin: p.operator}
	for _, i := range d.Imports {
		if !slices.Contains(problem.Imports, i.Source) {
			e.Imports = append(e.Imports, i.Source)
		}
	}
	if p.source != nil {
		e.From = p.source.ID
	}
	return e, nil
}

// freeName gives a name a number when it is taken: when an EAP has it, or when programs mean
// something else by it, an input of the target, an import, a builtin.
func freeName(
	ctx context.Context, an program.Analyzer, name string, taken []string,
) (string, error) {
	builtin, err := isBuiltin(ctx, an, name)
	if err != nil {
		return "", err
	}
	if !builtin && !slices.Contains(taken, name) {
		return name, nil
	}
	for n := 2; ; n++ {
		if numbered := fmt.Sprintf("%s_%d", name, n); !slices.Contains(taken, numbered) {
			return numbered, nil
		}
	}
}

// isBuiltin asks the interpreter that will run the programs whether it knows a name by itself.
func isBuiltin(ctx context.Context, an program.Analyzer, name string) (bool, error) {
	a, err := an.Analyze(ctx, "def _():\n    return "+name+"\n")
	if err != nil {
		return false, err
	}
	f, ok := a.Func("_")
	return ok && len(f.Free) == 0, nil
}
