package mles

import (
	"context"
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/pop"
)

// A Candidate is a program with the idea behind it and the evidence of how it behaved. A zero
// Candidate is a reply that was lost.
type Candidate struct {
	ID      int    // its evaluation, from 1; known once it is registered
	Thought string // in its braces
	// Shown is what prompts show and duplicates are recognised by: the code without the target's
	// docstring.
	Shown   string
	Program program.Program
	Score   float64    // pop.None without a score
	Picture *llm.Image // of its worst training episode; nil without a score
	Records string     // of the same episode; mostly empty
}

// offspring asks once, by an operator with its parents, and evaluates what the reply holds. A reply
// without a program costs a request, no evaluation, and is not asked for again.
func (m *MLES) offspring(
	problem bench.Problem, op operator, parents []Candidate) bench.Job[Candidate] {
	return func(ctx context.Context, st *bench.Step) (Candidate, error) {
		note := Offspring{Operator: op.name}
		for _, p := range parents {
			note.Parents = append(note.Parents, p.ID)
		}
		x, ok, err := m.Program(ctx, st, problem,
			llm.Request{Purpose: op.purpose(), User: m.parts(op, problem, parents)},
			note, program.Extraction{Mode: m.Parser, Analysed: op.sees})
		if !ok {
			return Candidate{}, err
		}
		out, err := st.Evaluate(ctx, x.Program)
		if err != nil || !out.OK() && out.Fault.Kind == bench.Syntax {
			return Candidate{}, err // what Python's own parser refuses is free, and no program
		}
		c := Candidate{Thought: x.Thought, Shown: x.Code, Program: x.Program, Score: pop.None}
		if !out.OK() {
			return c, nil
		}
		c.Score = out.Score
		return c, c.observe(problem, out.Evidence)
	}
}

// observe keeps the first picture and the first text of an evaluation's evidence. A program with a
// score has a picture; a task that gives none is not for MLES.
func (c *Candidate) observe(problem bench.Problem, evidence []bench.Blob) error {
	for _, b := range evidence {
		switch {
		case strings.HasPrefix(b.MediaType, "image/") && c.Picture == nil:
			c.Picture = &llm.Image{MediaType: b.MediaType, Digest: b.Digest, Data: b.Data}
		case strings.HasPrefix(b.MediaType, "text/plain") && c.Records == "":
			c.Records = strings.ToValidUTF8(string(b.Data), "\uFFFD")
		}
	}
	if c.Picture == nil {
		err := fmt.Errorf("task %s gave no picture of a program's behaviour, and mles needs one",
			problem.Name)
		return hint.Add(err, "racing-car and bipedal-walker give pictures")
	}
	return nil
}
