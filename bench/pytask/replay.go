package pytask

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/py/wire"
)

// seeding is the part of a stateless task's prelude that brings the global generators into one
// state before each call; whatever adapter stands before it is kept.
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

// replay is the bench.Task.Replay of stateless tasks: the scorer has kept what it asked, and says
// in which order it is asked again.
func replay(ctx context.Context, h bench.Host) (
	func(ctx context.Context, f bench.Target) error, error) {
	list, err := h.Call(ctx, "replay", nil, nil)
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
			if now, _ := answer.(bench.Packed); !bytes.Equal(now, was) {
				return stateful("answered "+wire.Told(now), was)
			}
		}
		return nil
	}, nil
}

func stateful(now string, was []byte) error {
	return bench.Faultf(bench.Stateful,
		"asked the same again, in another order and a new process, it %s; at first it answered %s",
		now, wire.Told(was))
}
