package pace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
)

// The ways in which EAPs are discovered.
const (
	E1 = "E1" // several EAPs, from the task, after the initialisation
	E2 = "E2" // one EAP, extracted from a new best algorithm
	E3 = "E3" // one EAP, invented after seeing the best EAPs
)

// A proposal holds everything about a request for EAPs that is fixed before the model is asked.
type proposal struct {
	operator string
	source   *Algorithm // E2
	shown    []*EAP     // E3
	known    []*EAP     // the library
}

// findings is the result of a proposal. The EAPs have no ID yet.
type findings struct {
	admitted []*EAP
	refused  []Refusal
}

func (r *search) proposal(operator string) *proposal {
	return &proposal{operator: operator, known: r.library.eaps()}
}

// proposed asks for EAPs. If a reply has no admissible EAP but an error that can be corrected,
// proposed asks for a repair, up to K attempts in all. A repair can only correct the structure of a
// function, so a reply in which all functions are well-formed but not new ends the attempts.
func (m *PACE) proposed(problem bench.Problem, p *proposal) bench.Job[findings] {
	return func(ctx context.Context, st *bench.Step) (findings, error) {
		var found findings
		err := m.attempt(ctx, st, "eap", p.operator, discoveryPrompt(problem, p), p.form(),
			func(reply string) (refused string, again bool, err error) {
				found, again, err = inspect(ctx, st, problem, p, reply)
				return reasons(found.refused), again && len(found.admitted) == 0, err
			})
		return found, err
	}
}

// inspect decides on each function of a reply separately. correctable means that a repair may help.
func inspect(
	ctx context.Context, an program.Analyzer, problem bench.Problem, p *proposal, reply string,
) (f findings, correctable bool, err error) {
	functions, err := program.ExtractFunctions(ctx, an, reply)
	whole := "" // why the reply is refused as a whole
	if refusal, ok := program.Refused(err); ok {
		whole = refusal.Reason
	} else if err != nil {
		return findings{}, false, err
	} else if len(functions) > 1 && p.operator != E1 {
		whole = fmt.Sprintf("the reply defines %d functions, and exactly one is asked for",
			len(functions))
	}
	if whole != "" {
		return findings{refused: []Refusal{{Origin: p.operator, Reason: whole}}}, true, nil
	}
	imported, err := program.Imported(ctx, an, problem.Imports)
	if err != nil {
		return findings{}, false, err
	}
	known := slices.Clone(p.known)
	for _, d := range functions {
		reason := p.violation(problem, imported, d, functions)
		twin := slices.IndexFunc(known,
			func(e *EAP) bool { return e.Fingerprint == d.Func.Fingerprint })
		if reason != "" {
			correctable = true
		} else if twin >= 0 {
			reason = "it equals the known `" + known[twin].Name + "` up to names and constants"
		}
		if reason != "" {
			f.refused = append(f.refused, Refusal{p.operator, d.Name, reason})
			continue
		}
		e, err := newEAP(ctx, an, problem, imported, p, d, known)
		if err != nil {
			return findings{}, false, err
		}
		known, f.admitted = append(known, e), append(f.admitted, e)
	}
	return f, correctable, nil
}

func reasons(refused []Refusal) string {
	lines := make([]string, len(refused))
	for i, r := range refused {
		lines[i] = r.Reason
		if r.Name != "" {
			lines[i] = "`" + r.Name + "`: " + r.Reason
		}
	}
	return strings.Join(lines, "; ")
}

// violation returns the reason why the structure of a proposed function rules it out as an EAP, or
// "". It does not check whether the function is new.
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

// newEAP makes an EAP of an accepted function. If the name is taken, newEAP adds a number to it.
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

// freeName adds a number to a name that an EAP, an input of the target, an import or a builtin
// already has.
func freeName(
	ctx context.Context, an program.Analyzer, name string, taken []string,
) (string, error) {
	// Ask the interpreter that will run the programs whether the name is a builtin.
	a, err := an.Analyze(ctx, "def _():\n    return "+name+"\n")
	if err != nil {
		return "", err
	}
	f, ok := a.Func("_")
	builtin := ok && len(f.Free) == 0
	if !builtin && !slices.Contains(taken, name) {
		return name, nil
	}
	for n := 2; ; n++ {
		if numbered := fmt.Sprintf("%s_%d", name, n); !slices.Contains(taken, numbered) {
			return numbered, nil
		}
	}
}
