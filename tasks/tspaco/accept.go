package tspaco

import (
	"fmt"
	"math"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// largest bounds an entry: beyond it the sum of a row could overflow.
const largest = 1e300

// accept turns what a candidate returned into the colony's heuristic, or says as a *bench.Fault why
// it cannot be one: it must convert to float64, have shape (n, n), and every entry must be finite,
// on the diagonal too, as in the public evaluators, where one NaN spoils the ant's draw. Negative
// entries and zeros are raised to the floor. Nothing is made symmetric, normalised or clipped.
func accept(v bench.Value, n int) ([]float64, error) {
	a, ok := v.(bench.Array)
	if !ok {
		return nil, bench.Faultf(bench.Invalid,
			"returned %s, not an array of shape (%d, %d)", programs.Kind(v), n, n)
	}
	if len(a.Shape) != 2 || a.Shape[0] != n || a.Shape[1] != n {
		return nil, bench.Faultf(bench.Invalid,
			"returned an array of shape %s, not (%d, %d)", shape(a.Shape), n, n)
	}
	eta, ok := a.Floats()
	switch {
	case !ok:
		return nil, bench.Faultf(bench.Invalid,
			"returned an array of %s, not of real numbers", a.DType)
	case len(eta) != n*n:
		return nil, fmt.Errorf("array of %s, shape %v, in %d bytes", a.DType, a.Shape, len(a.Data))
	}
	for i, v := range eta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, bench.Faultf(bench.NonFinite, "entry [%d, %d] is %v", i/n, i%n, v)
		}
	}
	aco.Floor(eta)
	for i, v := range eta {
		if v > largest {
			return nil, bench.Faultf(bench.Invalid, "entry [%d, %d] is above %g", i/n, i%n, largest)
		}
	}
	return eta, nil
}

// shape writes a shape as Python does.
func shape(s []int) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(s), "[]"), " ", ", ")
	if len(s) == 1 {
		text += ","
	}
	return "(" + text + ")"
}
