// Package wire defines how Go and its Python processes communicate: Message and Pipe transport
// values, and Append and Decode define their bytes. The Python side is wire.py, which
// sandbox/worker.py (for candidates) and host/host.py (for scorers) include.
//
// The bytes of a list of values, all little-endian, are
//
//	for each value: uint8 tag in the low four bits, an array's dtype in the high ones
//	for each value: 8 bytes: an int64 or a float64, 0 or 1 for Bool, 0 for None, the number of a
//	    Handle, the length of a flat array, the number of dimensions of another array, or the
//	    length of the text of Other or of the bytes of Packed
//	for each value with a length: the extents of an array unless it is flat, int64 each; then
//	    data or text
//
// pacebench/values.py describes the bytes of a bench.Packed. Go walks through them (Check) and
// passes them on.
package wire

import (
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/python"
)

//go:embed wire.py
var source string

// Python returns the text of a Python program with its import of wire replaced by wire.py.
func Python(program string) string {
	return strings.Replace(program, "from wire import *", source, 1)
}

// PythonWithValues does the same as Python, and sets the program's VALUES to the text of
// pacebench/values.py.
func PythonWithValues(program string) string {
	text, err := json.Marshal(python.Values) // Python reads a JSON string as a literal
	if err != nil {
		panic("wire: values.py does not encode: " + err.Error())
	}
	return strings.Replace(Python(program), `VALUES = ""`, "VALUES = "+string(text), 1)
}

// ErrMessage means that a process wrote something that is not a message, or a message without a
// request.
var ErrMessage = errors.New("a broken reply")

// headSize is the number of bytes before the body of a message, all little-endian:
//
//	uint32 bytes of the body | uint8 kind | uint8 tag or number of values | uint16 sequence
const headSize = 8

// A Message is the unit of communication between Go and a Python process. Each kind of process has
// its own kinds of messages.
type Message struct {
	Kind, Tag byte
	Sequence  uint16 // in a candidate's reply, the number of the request
	Body      []byte
}

// Tags of values.
const (
	Int = iota
	Float
	Bool
	None
	Array // with one dimension
	Other
	Handle
	Nested // an array with another number of dimensions
	Packed
)

// maxDims is the largest number of dimensions of an array.
const maxDims = 8

// Tag returns the tag in the first byte of a value.
func Tag(kind byte) byte { return kind & 15 }

// kindOf returns the first byte of an array. It panics if the array is malformed.
func kindOf(a bench.Array) byte {
	dtype, code := a.Type()
	size, ok := byteSize(a.Shape, dtype.Size)
	if code < 0 || !ok || size != len(a.Data) || len(a.Shape) > maxDims {
		panic(fmt.Sprintf("wire: array of %s, shape %v, with %d bytes",
			a.DType, a.Shape, len(a.Data)))
	}
	if len(a.Shape) != 1 {
		return Nested | byte(code)<<4
	}
	return Array | byte(code)<<4
}

// byteSize returns the number of bytes of an array. ok is false if an extent is negative, or if the
// array is larger than any message.
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
	kinds := len(b)
	words := kinds + len(list)
	b = append(b, make([]byte, 9*len(list))...)
	for i, value := range list {
		var word uint64
		switch v := value.(type) {
		case bench.Int:
			b[kinds+i], word = Int, uint64(v)
		case bench.Float:
			b[kinds+i], word = Float, math.Float64bits(float64(v))
		case bench.Bool:
			if b[kinds+i] = Bool; v {
				word = 1
			}
		case bench.None:
			b[kinds+i] = None
		case bench.Handle:
			b[kinds+i], word = Handle, uint64(v)
		case bench.Other:
			b[kinds+i], word = Other, uint64(len(v.Type))
			b = append(b, v.Type...)
		case bench.Packed:
			b[kinds+i], word = Packed, uint64(len(v))
			b = append(b, v...)
		case bench.Array:
			b[kinds+i] = kindOf(v)
			if len(v.Shape) == 1 {
				word = uint64(v.Shape[0])
			} else {
				word = uint64(len(v.Shape))
				for _, n := range v.Shape {
					b = binary.LittleEndian.AppendUint64(b, uint64(n))
				}
			}
			b = append(b, v.Data...)
		default:
			panic(fmt.Sprintf("wire: a %T cannot be sent", value))
		}
		binary.LittleEndian.PutUint64(b[words+8*i:], word)
	}
	return b
}

// Decode decodes b, which holds values of the given kinds and nothing else, and appends them to a
// list. A bench.Packed is a part of b; the other values share no bytes with b.
func Decode(list []bench.Value, kinds, b []byte) ([]bench.Value, error) {
	if len(b) < 8*len(kinds) {
		return nil, ErrMessage
	}
	words, rest := b[:8*len(kinds)], b[8*len(kinds):]
	for i, kind := range kinds {
		extents := words[8*i : 8*i+8]
		word := binary.LittleEndian.Uint64(extents)
		switch tag := Tag(kind); {
		case tag == Nested && word != 1 && word <= maxDims && 8*word <= uint64(len(rest)):
			extents, rest = rest[:8*word], rest[8*word:]
			fallthrough
		case tag == Array:
			a, err := takeArray(kind>>4, extents, &rest)
			if err != nil {
				return nil, err
			}
			list = append(list, a)
		case kind == Int:
			list = append(list, bench.Int(word))
		case kind == Float:
			list = append(list, bench.Float(math.Float64frombits(word)))
		case kind == Bool && word <= 1:
			list = append(list, bench.Bool(word == 1))
		case kind == None && word == 0:
			list = append(list, bench.None{})
		case kind == Other && word <= uint64(len(rest)):
			list = append(list, bench.Other{Type: string(rest[:word])})
			rest = rest[word:]
		case kind == Packed && word <= uint64(len(rest)):
			list = append(list, bench.Packed(rest[:word:word]))
			rest = rest[word:]
		default:
			return nil, ErrMessage
		}
	}
	if len(rest) > 0 {
		return nil, ErrMessage
	}
	return list, nil
}

func takeArray(code byte, extents []byte, rest *[]byte) (a bench.Array, err error) {
	if int(code) >= len(bench.DTypes) {
		return a, ErrMessage
	}
	shape := make([]int, len(extents)/8)
	for i := range shape {
		n := binary.LittleEndian.Uint64(extents[8*i:])
		if n > math.MaxInt32 {
			return a, ErrMessage
		}
		shape[i] = int(n)
	}
	dtype := bench.DTypes[code]
	size, ok := byteSize(shape, dtype.Size)
	if !ok || size > len(*rest) {
		return a, ErrMessage
	}
	a = bench.Array{DType: dtype.Name, Shape: shape, Data: slices.Clone((*rest)[:size])}
	*rest = (*rest)[size:]
	return a, nil
}
