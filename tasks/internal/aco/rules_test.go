package aco

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
)

// square returns an array of shape (2, 2).
func square[T any](dtype string, v ...T) bench.Array {
	raw, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return bench.Array{DType: dtype, Shape: []int{2, 2}, Data: raw}
}

// shaped returns an array of zeros.
func shaped(shape ...int) bench.Array {
	size := 8
	for _, n := range shape {
		size *= n
	}
	return bench.Array{DType: "float64", Shape: shape, Data: make([]byte, size)}
}

func TestHeuristic(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	const e, most = 1e-9, math.MaxUint64
	for _, c := range []struct {
		name  string
		value bench.Value
		want  []float64 // without the floor
		fault string    // empty: no fault
	}{
		{"float64", square("float64", 1.0, 2, 3, 4), []float64{1, 2, 3, 4}, ""},
		{
			"negative entries and zeros are the floor",
			square("float64", -1, 0, math.Copysign(0, -1), -1e308), []float64{0, 0, 0, 0}, "",
		},
		{"float32", square[float32]("float32", 1, 0.5, -2, 3), []float64{1, 0.5, 0, 3}, ""},
		{"int64", square[int64]("int64", 1, -7, 1<<60, 0), []float64{1, 0, 1 << 60, 0}, ""},
		{"uint64", square[uint64]("uint64", most, 1, 0, 2), []float64{1 << 64, 1, 0, 2}, ""},
		{"int32", square[int32]("int32", -1, 1, 2, 3), []float64{0, 1, 2, 3}, ""},
		{"uint32", square[uint32]("uint32", 1, 2, 1<<31, 0), []float64{1, 2, 1 << 31, 0}, ""},
		{"int16", square[int16]("int16", 2, -2, 256, 0), []float64{2, 0, 256, 0}, ""},
		{"uint16", square[uint16]("uint16", 65535, 1, 0, 2), []float64{65535, 1, 0, 2}, ""},
		{"int8", square[int8]("int8", 1, -1, 2, 3), []float64{1, 0, 2, 3}, ""},
		{"uint8", square[uint8]("uint8", 1, 255, 2, 3), []float64{1, 255, 2, 3}, ""},
		{"bool", square("bool", true, false, false, true), []float64{1, 0, 0, 1}, ""},
		{"the largest", square("float64", 1e300, 1, 1, 1), []float64{1e300, 1, 1, 1}, ""},

		{"NaN", square("float64", nan, 1, 1, 1), nil, "nonfinite: entry [0, 0] is NaN"},
		{"infinity", square("float64", 1, inf, 1, 1), nil, "nonfinite: entry [0, 1] is +Inf"},
		{"minus", square("float64", 1, 1, -inf, 1), nil, "nonfinite: entry [1, 0] is -Inf"},
		{
			"too large", square("float64", 1, 1, 1, 1.1e300), nil,
			"invalid: entry [1, 1] is above 1e+300",
		},
		{
			"one dimension", shaped(2), nil,
			"invalid: returned an array of shape (2,), not (2, 2)",
		},
		{"other size", shaped(3, 3), nil, "invalid: returned an array of shape (3, 3), not (2, 2)"},
		{
			"another dtype", square[float64]("complex128"), nil,
			"invalid: returned an array of complex128, not of real numbers",
		},
		{
			"an object array", bench.Other{Type: "ndarray of object"}, nil,
			"invalid: returned an object of type ndarray of object, not an array of shape (2, 2)",
		},
		{"None", bench.None{}, nil, "invalid: returned None, not an array of shape (2, 2)"},
		{"a bool", bench.Bool(true), nil, "invalid: returned a bool, not an array of shape (2, 2)"},
	} {
		got, err := Heuristic(c.value, 2, 2)
		want := slices.Clone(c.want)
		for i := range want {
			want[i] += e
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s mismatch (-want +got):\n%s", c.name, diff)
		}
		var fault *bench.Fault
		if (err != nil) != (c.fault != "") ||
			err != nil && (!errors.As(err, &fault) || fault.Error() != c.fault) {
			t.Errorf("%s: %v, want fault %q", c.name, err, c.fault)
		}
	}
	_, err := Heuristic(square[uint8]("float64", 1, 2, 3), 2, 2)
	if err == nil || errors.As(err, new(*bench.Fault)) {
		t.Errorf("an array whose size is not its shape's: %v, "+
			"want an error that is not a fault", err)
	}
}
