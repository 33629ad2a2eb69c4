package bench

import (
	"encoding/binary"
	"math"
)

// A Value is data that Go and Python exchange: Int, Float, Bool, None, Array, Handle, Other,
// Packed.
type Value interface{ isValue() }

type (
	// Int is a Python int. In an answer, it is any object that operator.index accepts (NumPy
	// integers, 0-d integer arrays), except a bool.
	Int int64
	// Float is a Python float or NumPy floating scalar.
	Float float64
	// Bool is a Python bool or NumPy bool. An answer that is a bool is never an Int.
	Bool bool
	// None is Python's None.
	None struct{}
	// Array is a NumPy array: raw little-endian bytes in C order. An argument without dimensions
	// arrives as a NumPy scalar.
	Array struct {
		DType string // NumPy's name: "float64", "int64", "bool", ...
		Shape []int
		Data  []byte
	}
	// Handle names an uploaded array.
	Handle int
	// Other is a returned object of any other type. Type is the name of its type, for the detail of
	// a fault.
	Other struct{ Type string }
	// Packed is any plain Python value that a task in Python and a candidate exchange. Go checks
	// that the bytes are well formed, but does not decode them. As the only argument of a call,
	// Packed contains all arguments; the answer is then Packed or Other. The bytes are valid until
	// the process that sent them sends more.
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
	Name string // NumPy's name
	Size int    // of one number, in bytes
	// float converts the first number of the bytes.
	float func([]byte) float64
}

// DTypes are the types of numbers in arrays that Go and Python exchange, in the order of their
// codes in Python.
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

var le = binary.LittleEndian // byte order of all numbers in arrays

// Type returns the type of the array's numbers and its index in DTypes, or -1 for a type outside of
// DTypes.
func (a Array) Type() (DType, int) {
	for code, t := range DTypes {
		if t.Name == a.DType {
			return t, code
		}
	}
	return DType{}, -1
}

// Floats converts the array's numbers as numpy.asarray(a, dtype=float64).ravel() does. It returns
// false for a type outside of DTypes.
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
