package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/py/wire"
)

// Serve answers another process's questions until it closes its end: a Python that was started by
// somebody else, imports Module under the name "host", and calls host.Host().ask with descriptors 3
// and 4. The descriptors here are the other ends of those two. An error of answer ends both sides.
func Serve(requests, replies int, answer func([]bench.Value) ([]bench.Value, error)) error {
	in := make([]byte, 64<<10)
	var out []byte
	for {
		frame, err := wire.ReadFrame(replies, &in, bodySize)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("a question: %w", err)
		}
		list, err := wire.Decode(frame[wire.HeadSize:], int(frame[5]))
		if err != nil || frame[4] != kindAsk {
			return fmt.Errorf("a question: %w", wire.ErrFrame)
		}
		kind := byte(kindAnswer)
		list, refused := answer(list)
		if refused != nil {
			kind, list = kindAbort, nil
		}
		out = seal(wire.Append(head(out), list), kind, len(list))
		if err := wire.WriteFrame(requests, out); err != nil || refused != nil {
			return errors.Join(refused, err)
		}
	}
}

// head is the beginning of a frame, in the memory of an older one.
func head(b []byte) []byte { return append(b[:0], make([]byte, wire.HeadSize)...) }

// seal writes a frame's head.
func seal(frame []byte, kind byte, count int) []byte {
	if count > math.MaxUint8 || len(frame) > math.MaxUint32 {
		panic(fmt.Sprintf("host: %d values in %d bytes", count, len(frame)))
	}
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-wire.HeadSize))
	frame[4], frame[5] = kind, byte(count)
	return frame
}
