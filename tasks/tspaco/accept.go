package tspaco

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/internal/aco"
)

// largest bounds an entry: beyond it the sum of a row could overflow.
const largest = 1e300

// accept turns what a candidate returned into the colony's heuristic, or says as a
// *bench.Fault why it cannot be one: it must convert to float64, have shape (n, n), and every entry
// must be finite, on the diagonal too, as in the public evaluators, where one NaN spoils the ant's draw. Negative entries
// and zeros are raised to the floor. Nothing is made symmetric, normalised or clipped.
func accept(v bench.Value, n int) ([]float64, error) {
	a, ok := v.(bench.Array)
	if !ok {
		return nil, bench.Faultf(bench.Invalid, "returned %s, not an array of shape (%d, %d)", kind(v), n, n)
	}
	if len(a.Shape) != 2 || a.Shape[0] != n || a.Shape[1] != n {
		return nil, bench.Faultf(bench.Invalid, "returned an array of shape %s, not (%d, %d)", shape(a.Shape), n, n)
	}
	eta, err := floats(a)
	if err != nil {
		return nil, err
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

// floats converts an array as numpy.asarray(a, dtype=float64) does.
func floats(a bench.Array) ([]float64, error) {
	var size int
	var number func([]byte) float64
	le := binary.LittleEndian
	switch a.DType {
	case "float64":
		size, number = 8, func(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }
	case "float32":
		size, number = 4, func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }
	case "int64":
		size, number = 8, func(b []byte) float64 { return float64(int64(le.Uint64(b))) }
	case "int32":
		size, number = 4, func(b []byte) float64 { return float64(int32(le.Uint32(b))) }
	case "int16":
		size, number = 2, func(b []byte) float64 { return float64(int16(le.Uint16(b))) }
	case "int8":
		size, number = 1, func(b []byte) float64 { return float64(int8(b[0])) }
	case "uint64":
		size, number = 8, func(b []byte) float64 { return float64(le.Uint64(b)) }
	case "uint32":
		size, number = 4, func(b []byte) float64 { return float64(le.Uint32(b)) }
	case "uint16":
		size, number = 2, func(b []byte) float64 { return float64(le.Uint16(b)) }
	case "uint8", "bool":
		size, number = 1, func(b []byte) float64 { return float64(b[0]) }
	default:
		return nil, bench.Faultf(bench.Invalid, "returned an array of %s, not of real numbers", a.DType)
	}
	count := a.Shape[0] * a.Shape[1]
	if len(a.Data) != size*count {
		return nil, fmt.Errorf("array of %s, shape %v, in %d bytes", a.DType, a.Shape, len(a.Data))
	}
	out := make([]float64, count)
	for i := range out {
		out[i] = number(a.Data[i*size:])
	}
	return out, nil
}

// shape writes a shape as Python does.
func shape(s []int) string {
	text := "("
	for i, n := range s {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	if len(s) == 1 {
		text += ","
	}
	return text + ")"
}

// kind says what a candidate returned in place of an array.
func kind(v bench.Value) string {
	switch v := v.(type) {
	case bench.Int:
		return "an int"
	case bench.Float:
		return "a float"
	case bench.Bool:
		return "a bool"
	case bench.None:
		return "None"
	case bench.Other:
		return "an object of type " + v.Type
	}
	return fmt.Sprintf("%T", v)
}
