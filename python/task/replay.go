package pytask

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/python/wire"
)

// seeding is the part of a stateless task's prelude that sets the global generators to one state
// before each call. It keeps an adapter that the prelude defines before it.
const seeding = `
import random
import numpy as np


def seeded(function, inner=globals().get("adapter"), first=np.random.seed, second=random.seed):
    function = inner(function) if inner else function

    def call(*arguments, **keywords):
        first(2024)
        second(2024)
        return function(*arguments, **keywords)

    return call


adapter = seeded
`

// replay implements bench.Task.Replay for stateless tasks. The scorer has recorded its questions.
// The program and its answers determine which of them are repeated, and in which order.
func replay(ctx context.Context, h bench.Host, source string) (
	func(ctx context.Context, f bench.Target) error, error) {
	program := sha256.Sum256([]byte(source))
	list, err := h.Call(ctx, "replay", hex.EncodeToString(program[:]), nil)
	if err != nil {
		return nil, err
	}
	wrong := fmt.Errorf("%w: this is nothing to replay", bench.ErrScorer)
	if len(list) != 2 {
		return nil, wrong
	}
	sizes, _ := list[0].(bench.Array)
	all, _ := list[1].(bench.Array)
	var parts [][]byte
	for at, rest := sizes.Data, all.Data; len(at) >= 8; at = at[8:] {
		size := binary.LittleEndian.Uint64(at)
		if size > uint64(len(rest)) {
			return nil, wrong
		}
		parts, rest = append(parts, rest[:size:size]), rest[size:]
	}
	return func(ctx context.Context, f bench.Target) error {
		for len(parts) >= 2 {
			question, was := parts[0], parts[1]
			parts = parts[2:]
			answer, err := f.Call(ctx, bench.Packed(question))
			var fault *bench.Fault
			if errors.As(err, &fault) && fault.Kind == bench.Raised {
				return stateful("raised "+fault.Detail, was)
			}
			if err != nil {
				return err
			}
			if now, _ := answer.(bench.Packed); !bytes.Equal(brief(now), was) {
				return stateful("answered "+wire.Told(now), was)
			}
		}
		return nil
	}, nil
}

// digested is the first byte of a long answer in brief; no value has it.
const digested = 0xff

// brief returns an answer, or the length and the digest of a long one. scorer.py has the same
// function.
func brief(answer []byte) []byte {
	if len(answer) <= 64 {
		return answer
	}
	sum := sha256.Sum256(answer)
	return append(binary.LittleEndian.AppendUint64([]byte{digested}, uint64(len(answer))),
		sum[:]...)
}

func stateful(now string, was []byte) error {
	told := wire.Told(was)
	if len(was) > 9 && was[0] == digested {
		told = fmt.Sprintf("a value of %d bytes", binary.LittleEndian.Uint64(was[1:]))
	}
	return bench.Faultf(bench.Stateful,
		"asked the same again, in another order and a new process, it %s; at first it answered %s",
		now, told)
}
