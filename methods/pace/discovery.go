package pace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// The ways in which EAPs are discovered.
const (
	E1 = "E1" // several, from the task, before the first offspring
	E2 = "E2" // one, extracted from a new best algorithm
	E3 = "E3" // one, invented in view of the best EAPs
)

// A proposal is a request for EAPs: what is fixed before the model is asked.
type proposal struct {
	operator string
	source   *Algorithm // E2
	shown    []*EAP     // E3
	known    []*EAP     // the library
}

// findings is what became of a proposal. The EAPs have no ID and no birth yet.
type findings struct {
	admitted []*EAP
	refused  []Refusal
}

func (r *search) e1() *proposal { return &proposal{operator: E1, known: r.library.eaps()} }

func (r *search) e2(a *Algorithm) *proposal {
	return &proposal{operator: E2, source: a, known: r.library.eaps()}
}

func (r *search) e3() *proposal {
	return &proposal{operator: E3, shown: r.library.top(r.m.K), known: r.library.eaps()}
}

// proposed asks for EAPs. While a reply holds none that can be admitted, and what is wrong with it
// can be corrected, it asks for a repair, up to K attempts in all. A function that is
// not new ends the attempts: a repair is for broken structure.
func (m *PACE) proposed(problem bench.Problem, p *proposal) bench.Job[findings] {
	return func(ctx context.Context, st *bench.Step) (findings, error) {
		original := discoveryPrompt(problem, p)
		text := original
		for attempt := 1; ; attempt++ {
			reply, err := m.ask(ctx, st, "eap", p.operator, text)
			if err != nil {
				return findings{}, err
			}
			found, correctable, err := inspect(ctx, st, problem, p, reply)
			if err != nil {
				return findings{}, err
			}
			reason := reasons(found.refused)
			st.Note(Attempt{Operator: p.operator, Attempt: attempt, Refused: reason})
			if len(found.admitted) > 0 || !correctable || attempt == m.K {
				return found, nil
			}
			text = prompt.Repair(original, reply, reason, p.form())
		}
	}
}

// inspect decides on every function of a reply by itself. correctable tells that a repair may help.
func inspect(
	ctx context.Context, an program.Analyzer, problem bench.Problem, p *proposal, reply string,
) (f findings, correctable bool, err error) {
	functions, err := program.ExtractFunctions(ctx, an, reply)
	refusal, ok := program.Refused(err)
	switch {
	case ok:
		return findings{refused: []Refusal{{Origin: p.operator, Reason: refusal.Reason}}}, true, nil
	case err != nil:
		return findings{}, false, err
	case len(functions) > 1 && p.operator != E1:
		reason := fmt.Sprintf("the reply defines %d functions, and exactly one is asked for",
			len(functions))
		return findings{refused: []Refusal{{Origin: p.operator, Reason: reason}}}, true, nil
	}
	imported, err := program.Imported(ctx, an, problem.Imports)
	if err != nil {
		return findings{}, false, err
	}
	known := slices.Clone(p.known)
	for _, d := range functions {
		reason := p.violation(problem, imported, d, functions)
		if reason != "" {
			correctable = true
		} else if twin := twinOf(d, known); twin != nil {
			reason = "it equals the known `" + twin.Name + "` up to names and constants"
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

// reasons joins the refusals of one reply into one line.
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

func twinOf(d program.Definition, known []*EAP) *EAP {
	for _, e := range known {
		if e.Fingerprint == d.Func.Fingerprint {
			return e
		}
	}
	return nil
}
