//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/python/wire"
)

// frame builds a reply as worker.py would.
func frame(kind, tag byte, sequence uint16, body ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	b = binary.LittleEndian.AppendUint16(append(b, kind, tag), sequence)
	return append(b, body...)
}

// receive reads what a child writes into its pipe, in two pieces, before it ends.
func receive(tb testing.TB, b []byte, cut uint16) (wire.Message, error) {
	r, w, err := os.Pipe()
	if err != nil {
		tb.Skip(err)
	}
	defer r.Close()
	at := min(int(cut), len(b))
	go func() {
		defer w.Close()
		_, _ = w.Write(b[:at])
		_, _ = w.Write(b[at:])
	}()
	return wire.NewPipe(-1, int(r.Fd()), most).Receive()
}

// decode returns the reply in a frame that answers request 9.
func decode(tb testing.TB, b []byte) (reply, error) {
	f, err := receive(tb, b, 0)
	if err != nil {
		return reply{}, err
	}
	return decodeReply(f, 9)
}

// goodReplies returns frames of every kind, and what they mean.
func goodReplies(sequence uint16) (frames [][]byte, meant []reply) {
	add := func(r reply, tag byte, body ...byte) {
		frames, meant = append(frames, frame(r.kind, tag, sequence, body...)), append(meant, r)
	}
	add(reply{kind: kindReady}, 0)
	add(reply{kind: kindHandle, value: bench.Handle(3)}, 0, 3, 0, 0, 0, 0, 0, 0, 0)
	for _, v := range []bench.Value{
		bench.Int(-5), bench.Float(0.5), bench.Bool(true), bench.None{},
		bench.Other{Type: "generator"}, ints([]int{2, 1}, 7, 8), floats([]int{1, 1}, 9),
	} {
		list := wire.Append(nil, []bench.Value{v})
		add(reply{kind: kindValue, value: v}, list[0], list[1:]...)
	}
	fault := &bench.Fault{Kind: bench.Raised, Detail: "line 1: ValueError"}
	add(reply{kind: kindFault, fault: fault}, 2, []byte(fault.Detail)...)
	add(reply{kind: kindFault, text: "ImportError"}, tagPrelude, []byte("ImportError")...)
	add(reply{kind: kindAnswer, text: "{}"}, 0, '{', '}')
	for _, first := range [][]int64{{}, {5, -7}} {
		body := binary.LittleEndian.AppendUint32(nil, uint32(len(first)))
		for _, v := range first {
			body = binary.LittleEndian.AppendUint64(body, uint64(v))
		}
		last := floats([]int{1, 1}, 9)
		list := wire.Append(nil, []bench.Value{last})
		add(reply{kind: kindAnswers, first: first, value: last}, list[0],
			append(body, list[1:]...)...)
	}
	return frames, meant
}

func TestReplies(t *testing.T) {
	frames, meant := goodReplies(9)
	for i, want := range meant {
		got, err := decode(t, frames[i])
		must.Do(t, err)
		golden.Same(t, "replies", want, got, cmp.AllowUnexported(reply{}))
	}
}

func TestBrokenReplies(t *testing.T) {
	list := wire.Append(nil, []bench.Value{ints([]int{2, 1}, 7, 8)})
	array := frame(kindValue, list[0], 9, list[1:]...)
	change := func(b []byte, at int, v byte) []byte {
		b = bytes.Clone(b)
		b[at] = v
		return b
	}
	for name, b := range map[string][]byte{
		"nothing":           nil,
		"another sequence":  frame(kindReady, 0, 8),
		"unknown kind":      frame(99, 0, 9),
		"a request":         frame(kindCall, 0, 9),
		"unknown tag":       frame(kindValue, 77, 9),
		"unknown fault":     frame(kindFault, 5, 9),
		"short integer":     frame(kindValue, wire.Int, 9, 1, 2, 3),
		"bool of two":       frame(kindValue, wire.Bool, 9, 2, 0, 0, 0, 0, 0, 0, 0),
		"none with a body":  frame(kindValue, wire.None, 9, 0, 0, 0, 0, 0, 0, 0, 1),
		"text too short":    frame(kindValue, wire.Other, 9, 2, 0, 0, 0, 0, 0, 0, 0, 'x'),
		"text too long":     frame(kindValue, wire.Other, 9, 0, 0, 0, 0, 0, 0, 0, 0, 'x'),
		"a handle":          frame(kindValue, wire.Handle, 9, make([]byte, 8)...),
		"message too long":  frame(kindFault, 0, 9, make([]byte, maxText+1)...),
		"answers, no count": frame(kindAnswers, wire.None, 9, 0, 0, 0),
		"answers, too few":  frame(kindAnswers, wire.None, 9, 1, 0, 0, 0),
		"answers, too many": frame(kindAnswers, wire.None, 9,
			append([]byte{1, 64, 0, 0}, make([]byte, 8*(maxAnswers+2))...)...),
		"answers, no last":       frame(kindAnswers, wire.Int, 9, 0, 0, 0, 0),
		"length too short":       change(frame(kindReady, 0, 9), 0, 1),
		"length too long":        change(frame(kindValue, wire.None, 9), 3, 255),
		"array without a head":   frame(kindValue, wire.Array, 9, 4),
		"array of unknown dtype": change(array, 5, wire.Nested|11<<4),
		"array of nine dims":     change(array, 8, 9),
		"array of one dimension": change(array, 8, 1),
		"array of other extent":  change(array, 16, 3),
		"array of negative size": change(array, 23, 0xFF),
		"number with a dtype":    frame(kindValue, wire.Int|1<<4, 9, make([]byte, 8)...),
	} {
		if r, err := decode(t, b); err == nil {
			t.Errorf("%s: accepted as %+v", name, r)
		}
	}
}

// FuzzReply: any bytes are a frame or an error, and any frame is a reply or an error. The next
// question detects bytes after the frame.
func FuzzReply(f *testing.F) {
	frames, _ := goodReplies(9)
	for _, b := range append(frames, []byte("\x01\x00\x00\x00\x85\x85\x85\x09\x00\x01")) {
		f.Add(b, uint16(5))
	}
	f.Fuzz(func(t *testing.T, b []byte, cut uint16) {
		got, err := receive(t, b, cut)
		if err != nil {
			return
		}
		again := frame(got.Kind, got.Tag, got.Sequence, got.Body...)
		if !bytes.HasPrefix(b, again) {
			t.Errorf("received %x of %x", again, b)
		}
		_, _ = decodeReply(got, 9)
	})
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain words", "plain words"},
		{"  two\n lines\t\x00\x1b[31m ", "two lines [31m"},
		{"<object at 0x7f0123456789>", "<object at 0x…>"},
		{"mask 0xff is not an address", "mask 0xff is not an address"},
		{"No such file: '/home/me/data/x.npy'", "No such file: '…/x.npy'"},
		{"in /a/b/c.py:3 and (/d/e)", "in …/c.py:3 and (…/e)"},
		{"a/b and 1/2 stay", "a/b and 1/2 stay"},
		{"\xff\u202eé", "??é"},
		{strings.Repeat("é", 200), strings.Repeat("é", 148) + "…"},
	} {
		if got := clean(c.in); got != c.want {
			t.Errorf("clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("/a/b 0x1234567 \n\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if len(got) > maxDetail || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\x00") {
			t.Errorf("clean(%q) = %q", s, got)
		}
	})
}
