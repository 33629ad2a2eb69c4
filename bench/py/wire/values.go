// Package wire says how bench.Values look as bytes in a pipe to Python: Append and Decode. The
// Python side of candidates is in sandbox/worker.py, that of scorers in host/host.py.
//
// A list of values is, all little-endian,
//
//	for each value: uint8 tag, uint8 dtype of an array
//	for each value: 8 bytes, int64 or float64; of a flat array its length, of another one its
//	    dimensions
//	for each array: unless it is flat its extents, int64 each; then its data
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pacebench/pacebench/bench"
)

// HeadSize is the number of bytes before the body of a frame, the unit in which Go and a Python
// process talk. The body's length is in the head.
const HeadSize = 8

// ErrFrame means that a process wrote something that is not a frame, or a frame that nobody asked
// for.
var ErrFrame = errors.New("a broken reply")

// Tags of values.
const (
	Int = iota
	Float
	Bool
	None
	Array // in a list: of one dimension
	Other
	Handle
	nested = Array | 0x40 // in a list: an array of other than one dimension
)

// maxDims is the largest number of an array's dimensions.
const maxDims = 8

// dtypes are the array types that cross the border, in the order that Python has too.
var dtypes = []string{
	"bool", "int8", "int16", "int32", "int64",
	"uint8", "uint16", "uint32", "uint64", "float32", "float64",
}

var itemSizes = []int{1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8}

// ErrBroken means that bytes are not what they should be.
var ErrBroken = errors.New("broken values")

// Code returns the code of a well-formed array's dtype. Another array is a programmer's mistake.
func Code(a bench.Array) byte {
	code := slices.Index(dtypes, a.DType)
	size, ok := 0, false
	if code >= 0 {
		size, ok = byteSize(a.Shape, itemSizes[code])
	}
	if !ok || size != len(a.Data) || len(a.Shape) > maxDims {
		panic(fmt.Sprintf("wire: array of %s, shape %v, with %d bytes",
			a.DType, a.Shape, len(a.Data)))
	}
	return byte(code)
}

// byteSize multiplies; ok is false on a negative extent or a product beyond any frame.
func byteSize(shape []int, item int) (size int, ok bool) {
	size = item
	for _, n := range shape {
		if n < 0 {
			return 0, false
		}
		if n > 0 && size > math.MaxInt32/n {
			return 0, false
		}
		size *= n
	}
	return size, true
}

// Append appends a list of values.
func Append(b []byte, list []bench.Value) []byte {
	types := len(b)
	for _, value := range list {
		tag, detail := byte(0), byte(0)
		switch v := value.(type) {
		case bench.Int:
			tag = Int
		case bench.Float:
			tag = Float
		case bench.Bool:
			tag = Bool
		case bench.None:
			tag = None
		case bench.Handle:
			tag = Handle
		case bench.Array:
			tag, detail = Array, Code(v)
			if len(v.Shape) != 1 {
				tag = nested
			}
		default:
			panic(fmt.Sprintf("wire: a %T cannot be sent", value))
		}
		b = append(b, tag, detail)
	}
	words := len(b)
	b = append(b, make([]byte, 8*len(list))...)
	for i, value := range list {
		var word uint64
		switch v := value.(type) {
		case bench.Int:
			word = uint64(v)
		case bench.Float:
			word = math.Float64bits(float64(v))
		case bench.Bool:
			if v {
				word = 1
			}
		case bench.Handle:
			word = uint64(v)
		case bench.Array:
			if b[types+2*i] == Array {
				word = uint64(v.Shape[0])
			} else {
				word = uint64(len(v.Shape))
				for _, n := range v.Shape {
					b = binary.LittleEndian.AppendUint64(b, uint64(n))
				}
			}
			b = append(b, v.Data...)
		}
		binary.LittleEndian.PutUint64(b[words+8*i:], word)
	}
	return b
}

// Decode returns the list of count values that b holds and nothing else. They refer to none of its
// bytes.
func Decode(b []byte, count int) ([]bench.Value, error) {
	if len(b) < 10*count {
		return nil, ErrBroken
	}
	types, words, rest := b[:2*count], b[2*count:10*count], slices.Clone(b[10*count:])
	list := make([]bench.Value, count)
	for i := range list {
		word := binary.LittleEndian.Uint64(words[8*i:])
		switch tag := types[2*i]; tag {
		case Int:
			list[i] = bench.Int(word)
		case Float:
			list[i] = bench.Float(math.Float64frombits(word))
		case Bool:
			list[i] = bench.Bool(word != 0)
		case None:
			list[i] = bench.None{}
		case Array, nested:
			extents := words[8*i : 8*i+8]
			if tag == nested {
				if word > maxDims || uint64(len(rest)) < 8*word {
					return nil, ErrBroken
				}
				extents, rest = rest[:8*word], rest[8*word:]
			}
			a, err := NewArray(types[2*i+1], extents, &rest)
			if err != nil {
				return nil, err
			}
			list[i] = a
		default:
			return nil, ErrBroken
		}
	}
	if len(rest) > 0 {
		return nil, ErrBroken
	}
	return list, nil
}

// NewArray takes an array's data from the beginning of rest, and refers to them.
func NewArray(code byte, extents []byte, rest *[]byte) (a bench.Array, err error) {
	if int(code) >= len(dtypes) || len(extents) > 8*maxDims {
		return a, ErrBroken
	}
	shape := make([]int, len(extents)/8)
	for i := range shape {
		n := binary.LittleEndian.Uint64(extents[8*i:])
		if n > math.MaxInt32 {
			return a, ErrBroken
		}
		shape[i] = int(n)
	}
	size, ok := byteSize(shape, itemSizes[code])
	if !ok || size > len(*rest) {
		return a, ErrBroken
	}
	a = bench.Array{DType: dtypes[code], Shape: shape, Data: (*rest)[:size:size]}
	*rest = (*rest)[size:]
	return a, nil
}
