package hsevo

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/program"
)

// A Parameter is a constant of a program that harmony search may change, with its range.
type Parameter struct {
	Name string  `json:"name"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// parameterised is a program whose constants are now defaults of its function's parameters.
type parameterised struct {
	refused    string // why the reply has no such program; then the other fields are empty
	code       string
	parameters []Parameter    // in the order of the ranges
	defaults   []program.Span // positions of their defaults in code, in the same order
}

// readParameterised reads a parameterised program and its ranges from a reply. The official code
// executes the ranges and finds the parameters by regular expressions; readParameterised parses
// both (design decision H9).
func readParameterised(
	ctx context.Context, an program.Analyzer, reply string, problem bench.Problem,
) (parameterised, error) {
	refuse := func(format string, args ...any) (parameterised, error) {
		return parameterised{refused: fmt.Sprintf(format, args...)}, nil
	}
	name, first := problem.Template.Name, len(problem.Template.Params)
	x, refused, err := ask.Extract(ctx, an, problem, reply, program.Extraction{})
	if err != nil || refused != "" {
		return parameterised{refused: refused}, err
	}
	ranges, err := readRanges(ctx, an, reply)
	if err != nil {
		return parameterised{}, err
	}
	if len(ranges) == 0 {
		return refuse("the reply holds no ranges of numbers")
	}
	a, err := an.Analyze(ctx, x.Kept)
	if err != nil {
		return parameterised{}, err
	}
	f, _ := a.Func(name)
	if f.MinArgs < 0 || f.MinArgs > first || f.MaxArgs >= 0 && f.MaxArgs < first {
		return refuse("`%s` cannot be called with %d arguments", name, first)
	}
	p := parameterised{code: x.Kept}
	for _, q := range ranges {
		i := slices.Index(f.Params, q.Name)
		if i < first || f.Defaults == nil || f.Defaults[i] == (program.Span{}) {
			continue // not a new parameter with a default
		}
		p.parameters = append(p.parameters, q)
		p.defaults = append(p.defaults, f.Defaults[i])
	}
	if len(p.parameters) == 0 {
		return refuse("no range belongs to a parameter with a default after the first %d", first)
	}
	return p, nil
}

// rangesAssigned matches the start of a line that assigns a dictionary to parameter_ranges.
var rangesAssigned = regexp.MustCompile(`(?m)^[ \t]*(parameter_ranges[ \t]*(?::[^=\n]*)?=[ \t]*\{)`)

const maxAssignments = 4 // bounds the assignments to parameter_ranges that are read

// readRanges finds the first assignment of a literal dictionary to parameter_ranges and returns its
// entries of the form name: (number, number), in their order. It drops other entries. CPython reads
// the literal (ast.literal_eval); nothing is executed.
func readRanges(ctx context.Context, an program.Analyzer, reply string) ([]Parameter, error) {
	for _, at := range rangesAssigned.FindAllStringSubmatchIndex(reply, maxAssignments) {
		literal, err := program.Literal(ctx, an, reply[at[2]:])
		if err != nil {
			return nil, err
		}
		var entries [][2]any
		if json.Unmarshal(literal, &entries) != nil {
			continue
		}
		var out []Parameter
		for _, e := range entries {
			name, _ := e[0].(string)
			bounds, _ := e[1].([]any)
			if len(bounds) != 2 {
				continue
			}
			a, ok1 := bounds[0].(float64)
			b, ok2 := bounds[1].(float64)
			if ok1 && ok2 && !math.IsInf(a-b, 0) {
				out = append(out, Parameter{name, min(a, b), max(a, b)})
			}
		}
		return out, nil
	}
	return nil, nil
}

// bind returns the program with values instead of the defaults. The rest of the text does not
// change. Values are floats even if the constant was an integer (design decision H17).
func (p parameterised) bind(values []float64) string {
	var edits []program.Edit
	for i, at := range p.defaults {
		edits = append(edits,
			program.Edit{Start: at[0], End: at[1], Text: program.Decimal(values[i])})
	}
	return program.Edited(p.code, edits...)
}
