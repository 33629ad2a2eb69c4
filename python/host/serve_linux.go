package host

import (
	"errors"
	"fmt"
	"io"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/python/wire"
)

// Serve answers another process's questions until it closes its end. That process is a Python with
// another parent; it imports Module under the name "host", and calls host.Host().ask with
// descriptors 3 and 4, the other ends of requests and replies. An error of answer ends both sides.
func Serve(requests, replies int, answer func([]bench.Value) ([]bench.Value, error)) error {
	pipe := wire.NewPipe(requests, replies, most)
	for {
		question, err := pipe.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var list []bench.Value
		if err == nil {
			list, err = decode(question)
		}
		if err == nil && question.Kind != kindAsk {
			err = wire.ErrFrame
		}
		if err != nil {
			return fmt.Errorf("a question: %w", err)
		}
		kind := byte(kindAnswer)
		list, refused := answer(list)
		if refused != nil {
			kind, list = kindAbort, nil
		}
		pipe.Compose(kind, len(list), 0, func(b []byte) []byte { return wire.Append(b, list) })
		if err := pipe.Send(); err != nil || refused != nil {
			return errors.Join(refused, err)
		}
	}
}

// most bounds the body of a reply as a guard against nonsense: a picture has 100 kB.
func most(wire.Frame) int { return 256 << 20 }

// decode returns the values in a frame.
func decode(f wire.Frame) ([]bench.Value, error) {
	count := min(int(f.Tag), len(f.Body))
	return wire.Decode(make([]bench.Value, 0, count), f.Body[:count], f.Body[count:])
}
