package sandbox

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/py/wire"
)

// The frames between Go and a child, both ways: a head of eight bytes, then the body, all
// little-endian. Requests and replies alternate strictly.
//
//	uint32 bytes of the body | uint8 kind | uint8 tag or number of arguments | uint16 sequence
//
// worker.py has the same constants. A child's frames are the candidate's words: every length, tag
// and shape is checked before it is used, and nothing is allocated on their word.
const (
	kindLoad    = 1 // uint32 length of the function's name, the name, source
	kindUpload  = 2 // one array argument
	kindCall    = 3 // arguments
	kindText    = 4 // a text for the analyser
	kindPrepare = 5 // the prelude; always first, before anything of the candidate
	kindLoop    = 6 // arguments of the prelude's questions

	kindReady  = 16
	kindHandle = 17 // int64
	kindValue  = 18 // by tag, which is one of package values
	kindFault  = 19 // message, by tag
	kindAnswer = 20 // JSON text
	// uint32 count, int64 for each answer but the last, and that one as in kindValue, by tag
	kindAnswers = 21
)

// faultTags are the tags of kindFault. One more says that the prelude fails; it is believed as the
// answer to kindPrepare alone.
var faultTags = []bench.FaultKind{bench.Syntax, bench.Interface, bench.Raised, bench.Memory}

const tagPrelude = 4

const (
	maxReply = 64<<20 + 1024 // largest body of a reply
	maxText  = 4096          // largest message or type name

	maxAnswers = 1 << 14 // of one loop, the last one apart; ours, no tour is as long
)

// putHead fills the head of a frame whose body follows.
func putHead(frame []byte, kind, tag byte, sequence uint16) {
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-wire.HeadSize))
	frame[4], frame[5] = kind, tag
	binary.LittleEndian.PutUint16(frame[6:], sequence)
}

// bodySize reads a reply's length, refusing what is longer than its kind may be.
func bodySize(head []byte) (int, error) {
	size := binary.LittleEndian.Uint32(head)
	limit, kind := uint32(maxText), head[4]
	switch {
	case (kind == kindValue || kind == kindAnswers) && head[5] == wire.Array, kind == kindAnswer:
		limit = maxReply
	case kind == kindAnswers:
		limit += 4 + 8*maxAnswers
	}
	if size > limit {
		return 0, wire.ErrFrame
	}
	return int(size), nil
}

// A reply is a decoded frame of a child. Its value refers to none of the frame's bytes.
type reply struct {
	kind  byte
	value bench.Value  // kindValue, kindHandle; the last one of kindAnswers
	first []int64      // kindAnswers: the others
	fault *bench.Fault // kindFault; nil with a broken prelude
	text  string       // kindAnswer, and a broken prelude's message
}

// decodeReply decodes one whole frame that must answer the given request.
func decodeReply(frame []byte, sequence uint16) (reply, error) {
	if len(frame) < wire.HeadSize || binary.LittleEndian.Uint16(frame[6:]) != sequence {
		return reply{}, wire.ErrFrame
	}
	if size, err := bodySize(frame); err != nil || size != len(frame)-wire.HeadSize {
		return reply{}, wire.ErrFrame
	}
	tag, body := frame[5], frame[wire.HeadSize:]
	r := reply{kind: frame[4]}
	switch r.kind {
	case kindReady:
		if tag != 0 || len(body) != 0 {
			return reply{}, wire.ErrFrame
		}
	case kindHandle:
		if tag != 0 || len(body) != 8 {
			return reply{}, wire.ErrFrame
		}
		r.value = bench.Handle(binary.LittleEndian.Uint64(body))
	case kindValue:
		v, err := decodeValue(tag, body)
		if err != nil {
			return reply{}, err
		}
		r.value = v
	case kindAnswers:
		if len(body) < 4 {
			return reply{}, wire.ErrFrame
		}
		count := int(binary.LittleEndian.Uint32(body))
		if body = body[4:]; count > maxAnswers || len(body) < 8*count {
			return reply{}, wire.ErrFrame
		}
		r.first = make([]int64, count)
		for i := range r.first {
			r.first[i] = int64(binary.LittleEndian.Uint64(body[8*i:]))
		}
		v, err := decodeValue(tag, body[8*count:])
		if err != nil {
			return reply{}, err
		}
		r.value = v
	case kindAnswer:
		if tag != 0 {
			return reply{}, wire.ErrFrame
		}
		r.text = string(body)
	case kindFault:
		switch {
		case tag == tagPrelude:
			r.text = clean(string(body))
		case int(tag) < len(faultTags):
			r.fault = &bench.Fault{Kind: faultTags[tag], Detail: clean(string(body))}
		default:
			return reply{}, wire.ErrFrame
		}
	default:
		return reply{}, wire.ErrFrame
	}
	return r, nil
}

func decodeValue(tag byte, body []byte) (bench.Value, error) {
	switch {
	case tag == wire.Int && len(body) == 8:
		return bench.Int(binary.LittleEndian.Uint64(body)), nil
	case tag == wire.Float && len(body) == 8:
		return bench.Float(math.Float64frombits(binary.LittleEndian.Uint64(body))), nil
	case tag == wire.Bool && len(body) == 1 && body[0] <= 1:
		return bench.Bool(body[0] == 1), nil
	case tag == wire.None && len(body) == 0:
		return bench.None{}, nil
	case tag == wire.Other:
		return bench.Other{Type: clean(string(body))}, nil
	case tag == wire.Array:
		return decodeArray(body)
	}
	return nil, wire.ErrFrame
}

// decodeArray decodes uint8 dtype, uint8 dimensions, 6 bytes zero, int64 extents, and the data.
func decodeArray(body []byte) (bench.Value, error) {
	if len(body) < 8 || binary.LittleEndian.Uint64(body)>>16 != 0 {
		return nil, wire.ErrFrame
	}
	extents := 8 * int(body[1])
	if len(body) < 8+extents {
		return nil, wire.ErrFrame
	}
	data := body[8+extents:]
	a, err := wire.NewArray(body[0], body[8:8+extents], &data)
	if err != nil || len(data) > 0 {
		return nil, wire.ErrFrame
	}
	a.Data = slices.Clone(a.Data)
	return a, nil
}

func appendUint32(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }
