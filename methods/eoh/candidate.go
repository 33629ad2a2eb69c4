package eoh

import (
	"context"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// A Candidate is a program with the idea behind it. A zero Candidate is a reply that was lost.
type Candidate struct {
	ID       int    // its evaluation, from 1; known once it is registered
	Operator string // i1, e1, e2, m1, m2
	Thought  string // in its braces
	Shown    string // the code without the target's docstring: for prompts, and to find duplicates
	Program  program.Program
	Score    float64 // pop.None without a score
}

// offspring asks once, by an operator with its parents, and evaluates what the reply holds. A reply
// without a program costs no evaluation and is not asked for again.
func (m *EoH) offspring(
	problem bench.Problem, op operator, parents []Candidate,
) bench.Job[Candidate] {
	return func(ctx context.Context, st *bench.Step) (Candidate, error) {
		note := Offspring{Operator: op.name}
		for _, p := range parents {
			note.Parents = append(note.Parents, p.ID)
		}
		x, ok, err := m.Program(ctx, st, problem, llm.Request{
			Purpose: op.purpose(), User: llm.Text(buildPrompt(op, problem, parents)),
		}, note, program.Extraction{Mode: m.Parser})
		if !ok {
			return Candidate{}, err
		}
		out, err := st.Evaluate(ctx, x.Program)
		if err != nil || !out.OK() && out.Fault.Kind == bench.Syntax {
			return Candidate{}, err // what Python's own parser refuses is free, and no program
		}
		c := Candidate{Operator: op.name, Thought: x.Thought, Shown: x.Code, Program: x.Program,
			Score: pop.None}
		if out.OK() {
			c.Score = out.Score
		}
		return c, nil
	}
}
