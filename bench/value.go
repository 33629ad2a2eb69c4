package bench

import (
	"encoding/binary"
	"math"
)

// A Value crosses the border to a candidate: Int, Float, Bool, None, Array, Handle, Other, Packed.
type Value interface{ isValue() }

type (
	// Int is a Python int, or on the way back anything that operator.index accepts except bool
	// (NumPy integers, 0-d integer arrays).
	Int int64
	// Float is a Python float or NumPy floating scalar.
	Float float64
	// Bool is a bool. On the way back it is kept apart from Int.
	Bool bool
	// None is Python's None.
	None struct{}
	// Array is a NumPy array, raw little-endian bytes in C order. An argument without dimensions
	// arrives as a NumPy scalar.
	Array struct {
		DType string // NumPy's name: "float64", "int64", "bool", ...
		Shape []int
		Data  []byte
	}
	// Handle names an uploaded array.
	Handle int
	// Other is a returned object that is none of the above: its type, named for the fault's detail.
	Other struct{ Type string }
	// Packed is what a task in Python and a candidate exchange, any of Python's plain values: bytes
	// that Go checks and hands on unread. As the only argument of a call it stands for all of its
	// arguments, and the answer is Packed, or Other. The bytes are good until the process that they
	// came from sends more.
	Packed []byte
)

func (Int) isValue()    {}
func (Float) isValue()  {}
func (Bool) isValue()   {}
func (None) isValue()   {}
func (Array) isValue()  {}
func (Handle) isValue() {}
func (Other) isValue()  {}
func (Packed) isValue() {}

// A DType is a type of the numbers in an Array.
type DType struct {
	Name string // NumPy's
	Size int    // of one number, in bytes
	// float converts the number that begins the bytes.
	float func([]byte) float64
}

// DTypes are the types that cross the border to Python, in the order of their codes there.
var DTypes = []DType{
	{"bool", 1, func(b []byte) float64 { return float64(b[0]) }},
	{"int8", 1, func(b []byte) float64 { return float64(int8(b[0])) }},
	{"int16", 2, func(b []byte) float64 { return float64(int16(le.Uint16(b))) }},
	{"int32", 4, func(b []byte) float64 { return float64(int32(le.Uint32(b))) }},
	{"int64", 8, func(b []byte) float64 { return float64(int64(le.Uint64(b))) }},
	{"uint8", 1, func(b []byte) float64 { return float64(b[0]) }},
	{"uint16", 2, func(b []byte) float64 { return float64(le.Uint16(b)) }},
	{"uint32", 4, func(b []byte) float64 { return float64(le.Uint32(b)) }},
	{"uint64", 8, func(b []byte) float64 { return float64(le.Uint64(b)) }},
	{"float32", 4, func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }},
	{"float64", 8, func(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }},
}

var le = binary.LittleEndian // of all numbers in arrays

// Type returns the type of the array's numbers and its place in DTypes, which is -1 for one that
// does not cross the border.
func (a Array) Type() (DType, int) {
	for code, t := range DTypes {
		if t.Name == a.DType {
			return t, code
		}
	}
	return DType{}, -1
}

// Floats converts the array's numbers as numpy.asarray(a, dtype=float64).ravel() does. It reports
// false where they are of no type that crosses the border.
func (a Array) Floats() ([]float64, bool) {
	t, code := a.Type()
	if code < 0 {
		return nil, false
	}
	out := make([]float64, len(a.Data)/t.Size)
	for i := range out {
		out[i] = t.float(a.Data[i*t.Size:])
	}
	return out, true
}
