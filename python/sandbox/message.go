package sandbox

import (
	"encoding/binary"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/python"
	"github.com/pacebench/pacebench/python/wire"
)

// The kinds of messages between Go and a child, in both directions; worker.py has the same
// constants. A candidate may have written a child's messages: every length, tag and shape is
// checked before use, and no memory is allocated before the check.
const (
	kindLoad    = 1 // uint32 length of the function's name, the name, source
	kindUpload  = 2 // one array argument
	kindCall    = 3 // arguments
	kindText    = 4 // a text for the analyser
	kindPrepare = 5 // the prelude; always the first message
	kindLoop    = 6 // arguments of the prelude's questions
	kindApply   = 7 // a bench.Packed: the arguments of a call for a task in Python

	kindReady  = 16
	kindHandle = 17 // int64
	kindValue  = 18 // a list of one value, whose first byte is the message's tag
	kindFault  = 19 // text of the fault; the tag is its kind
	kindAnswer = 20 // JSON text
	// uint32 count, int64 for each answer except the last one, which is encoded as in kindValue
	kindAnswers = 21
)

// faultTags are the kinds of faults by the tag of kindFault. One more tag, tagPrelude, means that
// the prelude failed; only a reply to kindPrepare may have it.
var faultTags = []bench.FaultKind{bench.Syntax, bench.Interface, bench.Raised, bench.Memory}

const tagPrelude = 4

const (
	maxReply = 64<<20 + 1024 // largest body of a reply
	maxText  = 4096          // longest text of a fault, or type name, in bytes

	maxAnswers = 1 << 14 // of one loop, without the last answer; no tour is as long
)

// most bounds the body of a reply by its kind.
func most(head wire.Message) int {
	kind, tag := head.Kind, wire.Tag(head.Tag)
	switch {
	case kind == kindAnswer, kind == kindValue && tag == wire.Packed,
		(kind == kindValue || kind == kindAnswers) && (tag == wire.Array || tag == wire.Nested):
		return maxReply
	case kind == kindValue:
		return 8 + maxText
	case kind == kindAnswers:
		return 4 + 8*maxAnswers + 8 + maxText
	}
	return maxText
}

// A reply is a decoded message of a child. A bench.Packed in it shares the message's bytes.
type reply struct {
	kind  byte
	value bench.Value  // kindValue, kindHandle; the last answer of kindAnswers
	first []int64      // kindAnswers: the other answers
	fault *bench.Fault // kindFault; nil if the prelude is broken
	text  string       // kindAnswer; the message of a broken prelude
}

func decodeReply(message wire.Message, sequence uint16) (reply, error) {
	if message.Sequence != sequence {
		return reply{}, wire.ErrMessage
	}
	tag, body := message.Tag, message.Body
	r := reply{kind: message.Kind}
	switch r.kind {
	case kindReady:
		if tag != 0 || len(body) != 0 {
			return reply{}, wire.ErrMessage
		}
	case kindHandle:
		if tag != 0 || len(body) != 8 {
			return reply{}, wire.ErrMessage
		}
		r.value = bench.Handle(binary.LittleEndian.Uint64(body))
	case kindAnswers:
		if len(body) < 4 {
			return reply{}, wire.ErrMessage
		}
		count := int(binary.LittleEndian.Uint32(body))
		if body = body[4:]; count > maxAnswers || len(body) < 8*count {
			return reply{}, wire.ErrMessage
		}
		r.first = make([]int64, count)
		for i := range r.first {
			r.first[i] = int64(binary.LittleEndian.Uint64(body[8*i:]))
		}
		body = body[8*count:]
		fallthrough
	case kindValue:
		var one [1]bench.Value
		list, err := wire.Decode(one[:0], []byte{tag}, body)
		if err != nil {
			return reply{}, err
		}
		r.value = list[0]
		switch v := r.value.(type) {
		case bench.Other:
			r.value = bench.Other{Type: clean(v.Type)}
		case bench.Packed:
			switch err := wire.Check(v, 0); {
			case err == wire.ErrTooLarge:
				r.value = bench.Other{Type: err.Error()}
			case err != nil || r.kind == kindAnswers:
				return reply{}, wire.ErrMessage
			}
		}
	case kindAnswer:
		if tag != 0 {
			return reply{}, wire.ErrMessage
		}
		r.text = string(body)
	case kindFault:
		switch {
		case tag == tagPrelude:
			r.text = clean(string(body))
		case int(tag) < len(faultTags):
			r.fault = &bench.Fault{Kind: faultTags[tag], Detail: clean(string(body))}
		default:
			return reply{}, wire.ErrMessage
		}
	default:
		return reply{}, wire.ErrMessage
	}
	return r, nil
}

// maxDetail is the longest Fault.Detail in bytes.
const maxDetail = 300

var (
	// An address differs from run to run.
	address = regexp.MustCompile(`0x[0-9a-fA-F]{4,}`)
	// A path differs from machine to machine; its last element stays, because it may matter.
	path = regexp.MustCompile(`(^|[\s'"(=:\[,])/(?:[^\s'"/:()]+/)+([^\s'"/:()]*)`)
)

// clean makes a child's text suitable for a journal: one line of at most maxDetail bytes, valid
// UTF-8, printable, without addresses and paths, so that it is the same in every run.
func clean(s string) string {
	s = python.OneLine(strings.ReplaceAll(s, string(utf8.RuneError), "?"), '?')
	s = address.ReplaceAllString(s, "0x…")
	return python.Shorten(path.ReplaceAllString(s, "${1}…/$2"), maxDetail)
}
