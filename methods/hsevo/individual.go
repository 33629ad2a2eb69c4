package hsevo

import (
	"context"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/methods/internal/prompt"
)

// An Individual is a proposal with its objective. What never became a program that runs is one too:
// it takes a place in its generation.
type Individual struct {
	ID         int    // place in the order of birth, from 0
	Evaluation int    // from 1; 0 when none was spent
	Code       string // as written, comments and docstrings included, without the task's imports
	Obj        float64
	Tried      bool // harmony search has looked at it, or made it

	shown   prompt.Code // Code, as crossover and mutation show it
	charged bool        // an evaluation was spent; Evaluation is set when it is committed
}

// valid reports whether the individual has an objective. It is minus the score, and +Inf without
// one.
func (x *Individual) valid() bool { return !math.IsInf(x.Obj, 1) }

// lost is what a reply without a program leaves.
func lost() *Individual { return &Individual{Obj: math.Inf(1)} }

// offspring asks once for a program and evaluates what the reply holds.
func (r *run) offspring(
	operator string, q question, temperature float64, parents ...*Individual,
) bench.Job[*Individual] {
	note := Offspring{Operator: operator, Parents: evaluations(parents)}
	return func(ctx context.Context, st *bench.Step) (*Individual, error) {
		x, ok, err := r.at(temperature).Program(ctx, st, r.problem,
			q.request("algorithm/"+operator), note, program.Extraction{})
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return lost(), nil
		}
		return evaluate(ctx, st, r.problem, x.Kept)
	}
}

// evaluation evaluates a program that no request is needed for.
func (r *run) evaluation(note Offspring, code string) bench.Job[*Individual] {
	problem := r.problem
	return func(ctx context.Context, st *bench.Step) (*Individual, error) {
		st.Note(note)
		return evaluate(ctx, st, problem, code)
	}
}

// evaluate makes an individual of code that parses, and scores it.
func evaluate(
	ctx context.Context, st *bench.Step, problem bench.Problem, code string,
) (*Individual, error) {
	shown, err := show(ctx, st, code, problem.Template.Name)
	if err != nil {
		return nil, err
	}
	x := lost()
	x.Code, x.shown = code, shown
	out, err := st.Evaluate(ctx, program.Assemble(problem.Imports, nil, code))
	if err != nil {
		return nil, err
	}
	if out.OK() {
		x.Obj = -out.Score
	}
	x.charged = out.OK() || out.Fault.Kind != bench.Syntax
	return x, nil
}

// show prepares the listing of a program: the function with its own parameters and defaults, so
// that tuned values are seen (design decision H11), its helpers in full, and the imports that they
// need. Children repeat what they see: without the imports they fail with a NameError.
func show(ctx context.Context, an program.Analyzer, code, name string) (prompt.Code, error) {
	a, err := an.Analyze(ctx, code)
	if err != nil {
		return prompt.Code{}, err
	}
	return prompt.Numbered(code, a, name), nil
}
