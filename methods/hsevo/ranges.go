package hsevo

import (
	"context"
	"encoding/json"
	"math"
	"regexp"

	"github.com/pacebench/pacebench/bench/program"
)

// rangesAssigned is where a dictionary begins to be assigned to parameter_ranges, anywhere in a
// reply.
var rangesAssigned = regexp.MustCompile(`(?m)^[ \t]*(parameter_ranges[ \t]*(?::[^=\n]*)?=[ \t]*\{)`)

const maxAssignments = 4 // of parameter_ranges that are looked at; ours

// readRanges finds the first assignment of a literal dictionary to parameter_ranges and returns
// its entries of the form name: (number, number), in their order. Others are dropped. CPython
// reads the literal (ast.literal_eval); nothing is executed.
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
