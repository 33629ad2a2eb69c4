package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pacebench/pacebench/bench"
)

// The frames between Go and a child, both ways: a head of eight bytes, then the body, all
// little-endian. Requests and replies alternate strictly.
//
//	uint32 bytes of the body | uint8 kind | uint8 tag or number of arguments | uint16 sequence number
//
// worker.py has the same constants. A child's frames are the candidate's words: every length, tag
// and shape is checked before it is used, and nothing is allocated on their word.
const headSize = 8

const (
	kindLoad    = 1 // uint32 length of the function's name, the name, source
	kindUpload  = 2 // one array argument
	kindCall    = 3 // arguments
	kindText    = 4 // a text for the analyser
	kindPrepare = 5 // the prelude; always first, before anything of the candidate

	kindReady  = 16
	kindHandle = 17 // int64
	kindValue  = 18 // by tag
	kindFault  = 19 // message, by tag
	kindAnswer = 20 // JSON text
)

// Tags of values.
const (
	tagInt = iota
	tagFloat
	tagBool
	tagNone
	tagArray // reply: uint8 dtype, uint8 dimensions, 6 bytes zero, int64 extents, data
	tagOther
	tagHandle
	tagNested = tagArray | 0x40 // an argument of other than one dimension
)

// faultTags are the tags of kindFault. One more says that the prelude fails; it is believed as the
// answer to kindPrepare alone.
var faultTags = []bench.FaultKind{bench.Syntax, bench.Interface, bench.Raised, bench.Memory}

const tagPrelude = 4

const (
	maxDims  = 8
	maxReply = 64<<20 + 1024 // largest body of a reply
	maxText  = 4096          // largest message or type name
)

// dtypes are the array types that cross the border, in worker.py's order.
var dtypes = []string{
	"bool", "int8", "int16", "int32", "int64",
	"uint8", "uint16", "uint32", "uint64", "float32", "float64",
}

var itemSizes = []int{1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8}

var errFrame = errors.New("broken reply")

// arrayCode returns the code of a well-formed array's dtype. Another array is a programmer's
// mistake.
func arrayCode(a bench.Array) int {
	code := slices.Index(dtypes, a.DType)
	size, ok := 0, false
	if code >= 0 {
		size, ok = byteSize(a.Shape, itemSizes[code])
	}
	if !ok || size != len(a.Data) || len(a.Shape) > maxDims {
		panic(fmt.Sprintf("sandbox: array of %s, shape %v, with %d bytes", a.DType, a.Shape, len(a.Data)))
	}
	return code
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

// appendArguments appends the body of a call: two bytes of type for each argument, eight of
// value, and then extents and data of arrays.
func appendArguments(b []byte, args []bench.Value) []byte {
	types := len(b)
	for _, arg := range args {
		tag, detail := byte(0), byte(0)
		switch v := arg.(type) {
		case bench.Int:
			tag = tagInt
		case bench.Float:
			tag = tagFloat
		case bench.Bool:
			tag = tagBool
		case bench.None:
			tag = tagNone
		case bench.Handle:
			tag = tagHandle
		case bench.Array:
			tag, detail = tagArray, byte(arrayCode(v))
			if len(v.Shape) != 1 {
				tag = tagNested
			}
		default:
			panic(fmt.Sprintf("sandbox: a %T cannot be an argument", arg))
		}
		b = append(b, tag, detail)
	}
	values := len(b)
	b = append(b, make([]byte, 8*len(args))...)
	for i, arg := range args {
		var word uint64
		switch v := arg.(type) {
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
			if b[types+2*i] == tagArray {
				word = uint64(v.Shape[0])
			} else {
				word = uint64(len(v.Shape))
				for _, n := range v.Shape {
					b = binary.LittleEndian.AppendUint64(b, uint64(n))
				}
			}
			b = append(b, v.Data...)
		}
		binary.LittleEndian.PutUint64(b[values+8*i:], word)
	}
	return b
}

// putHead fills the head of a frame whose body follows.
func putHead(frame []byte, kind, tag byte, sequence uint16) {
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-headSize))
	frame[4], frame[5] = kind, tag
	binary.LittleEndian.PutUint16(frame[6:], sequence)
}

// bodySize reads a reply's length, refusing what is longer than its kind may be.
func bodySize(head []byte) (int, error) {
	size := binary.LittleEndian.Uint32(head)
	limit := uint32(maxText)
	if head[4] == kindValue && head[5] == tagArray || head[4] == kindAnswer {
		limit = maxReply
	}
	if size > limit {
		return 0, errFrame
	}
	return int(size), nil
}

// A reply is a decoded frame of a child. Its value refers to none of the frame's bytes.
type reply struct {
	kind  byte
	value bench.Value  // kindValue, kindHandle
	fault *bench.Fault // kindFault; nil with a broken prelude
	text  string       // kindAnswer, and a broken prelude's message
}

// decodeReply decodes one whole frame that must answer the given request.
func decodeReply(frame []byte, sequence uint16) (reply, error) {
	if len(frame) < headSize || binary.LittleEndian.Uint16(frame[6:]) != sequence {
		return reply{}, errFrame
	}
	if size, err := bodySize(frame); err != nil || size != len(frame)-headSize {
		return reply{}, errFrame
	}
	tag, body := frame[5], frame[headSize:]
	r := reply{kind: frame[4]}
	switch r.kind {
	case kindReady:
		if tag != 0 || len(body) != 0 {
			return reply{}, errFrame
		}
	case kindHandle:
		if tag != 0 || len(body) != 8 {
			return reply{}, errFrame
		}
		r.value = bench.Handle(binary.LittleEndian.Uint64(body))
	case kindValue:
		v, err := decodeValue(tag, body)
		if err != nil {
			return reply{}, err
		}
		r.value = v
	case kindAnswer:
		if tag != 0 {
			return reply{}, errFrame
		}
		r.text = string(body)
	case kindFault:
		switch {
		case tag == tagPrelude:
			r.text = clean(string(body))
		case int(tag) < len(faultTags):
			r.fault = &bench.Fault{Kind: faultTags[tag], Detail: clean(string(body))}
		default:
			return reply{}, errFrame
		}
	default:
		return reply{}, errFrame
	}
	return r, nil
}

func decodeValue(tag byte, body []byte) (bench.Value, error) {
	switch {
	case tag == tagInt && len(body) == 8:
		return bench.Int(binary.LittleEndian.Uint64(body)), nil
	case tag == tagFloat && len(body) == 8:
		return bench.Float(math.Float64frombits(binary.LittleEndian.Uint64(body))), nil
	case tag == tagBool && len(body) == 1 && body[0] <= 1:
		return bench.Bool(body[0] == 1), nil
	case tag == tagNone && len(body) == 0:
		return bench.None{}, nil
	case tag == tagOther:
		return bench.Other{Type: clean(string(body))}, nil
	case tag == tagArray:
		return decodeArray(body)
	}
	return nil, errFrame
}

func decodeArray(body []byte) (bench.Value, error) {
	if len(body) < 8 || int(body[0]) >= len(dtypes) || body[1] > maxDims {
		return nil, errFrame
	}
	if binary.LittleEndian.Uint64(body)>>16 != 0 {
		return nil, errFrame
	}
	code, dims := int(body[0]), int(body[1])
	data := body[8:]
	if len(data) < 8*dims {
		return nil, errFrame
	}
	shape := make([]int, dims)
	for i := range shape {
		n := binary.LittleEndian.Uint64(data[8*i:])
		if n > maxReply {
			return nil, errFrame
		}
		shape[i] = int(n)
	}
	data = data[8*dims:]
	if size, ok := byteSize(shape, itemSizes[code]); !ok || size != len(data) {
		return nil, errFrame
	}
	return bench.Array{DType: dtypes[code], Shape: shape, Data: slices.Clone(data)}, nil
}

func appendUint32(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }
