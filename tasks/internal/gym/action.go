package gym

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// An Action defines the actions of an environment.
type Action struct {
	// Discrete is the number n of actions 0…n-1. If it is 0, an action is an array within Low and
	// High.
	Discrete int
	// DType is "float32" or "float64"; a returned array is converted to it.
	DType     string
	Low, High []float64 // one bound per number; the environment gets the clipped action
	// If Unclipped is true, the policy's LastAction is the array that it returned, converted to
	// DType. Otherwise it is the clipped array.
	Unclipped bool
}

// taken converts a returned value to the environment's action and the policy's LastAction. An
// invalid value gives a fault that describes the value.
func (a Action) taken(v bench.Value) (given, last bench.Value, fault *bench.Fault) {
	if a.Discrete > 0 {
		n, ok := v.(bench.Int)
		if !ok || n < 0 || int(n) >= a.Discrete {
			return nil, nil, bench.Faultf(bench.Interface,
				"returned %s, not one of the actions 0 to %d", described(v), a.Discrete-1)
		}
		return n, n, nil
	}
	numbers, ok := numbersOf(v)
	if !ok || len(numbers) != len(a.Low) {
		return nil, nil, bench.Faultf(bench.Interface,
			"returned %s, not an array of %d numbers", described(v), len(a.Low))
	}
	clipped := make([]float64, len(numbers))
	for i, x := range numbers {
		if a.DType == "float32" {
			x = float64(float32(x)) // values beyond the range of float32 become infinite
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, nil, bench.Faultf(bench.NonFinite, "entry %d of the action is %v", i, x)
		}
		numbers[i], clipped[i] = x, min(max(x, a.Low[i]), a.High[i])
	}
	given = a.array(clipped)
	if a.Unclipped {
		return given, a.array(numbers), nil
	}
	return given, given, nil
}

// fixed returns an action that the protocol fixes, such as the opening; nil means zeros.
func (a Action) fixed(numbers []float64) bench.Value {
	if numbers == nil {
		numbers = make([]float64, max(len(a.Low), 1))
	}
	if a.Discrete > 0 {
		return bench.Int(numbers[0])
	}
	return a.array(numbers)
}

func (a Action) array(numbers []float64) bench.Array {
	out := bench.Array{DType: a.DType, Shape: []int{len(numbers)}}
	for _, x := range numbers {
		if a.DType == "float32" {
			out.Data = binary.LittleEndian.AppendUint32(out.Data, math.Float32bits(float32(x)))
		} else {
			out.Data = binary.LittleEndian.AppendUint64(out.Data, math.Float64bits(x))
		}
	}
	return out
}

// most is the size in bytes of the largest array that numbersOf reads; every action is smaller.
const most = 8 << 10

// numbersOf returns np.asarray(v, dtype=float64).reshape(-1) for a value of few numbers.
func numbersOf(v bench.Value) ([]float64, bool) {
	switch v := v.(type) {
	case bench.Int:
		return []float64{float64(v)}, true
	case bench.Float:
		return []float64{float64(v)}, true
	case bench.Bool:
		if v {
			return []float64{1}, true
		}
		return []float64{0}, true
	case bench.Array:
		if len(v.Data) <= most {
			return v.Floats()
		}
	}
	return nil, false
}

// described describes a returned value for a fault's detail.
func described(v bench.Value) string {
	if n, ok := v.(bench.Int); ok {
		return fmt.Sprint(int64(n))
	}
	return programs.Kind(v)
}
