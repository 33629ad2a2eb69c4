package pytask

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image/png"
	"slices"
	"sync/atomic"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/python"
	"github.com/pacebench/pacebench/python/wire"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/report/film"
)

// The outcomes of an instance; scorer.py has the same constants.
const (
	scored   = 0 // value, text that is kept with it, and a trace if the job requests it
	invalid  = 1 // text
	unusable = 2 // text
	broken   = 3 // text, advice
)

// A job is an order to scorer.py.
type job struct {
	Split     string `json:"split"`
	Number    int    `json:"number"`
	Replicate int    `json:"replicate"`
	Traced    bool   `json:"traced"`
	Film      bool   `json:"film"`
}

// score implements bench.Task.Score for all tasks in Python.
func score(ctx context.Context, in bench.Instance, f bench.Target) (m bench.Measure, err error) {
	return measure(ctx, job{Traced: in.Traced, Film: in.Film != nil}, in, f)
}

// again implements bench.Rescore.Score for tasks whose scores are random.
func again(ctx context.Context, replicate int, in bench.Instance, f bench.Target) (float64, error) {
	m, err := measure(ctx, job{Replicate: replicate}, in, f)
	return m.Value, err
}

func measure(
	ctx context.Context, j job, in bench.Instance, f bench.Target,
) (m bench.Measure, err error) {
	j.Split, j.Number = in.Split, in.Number
	ctx, answered, stop := metered(ctx, in.Host, f)
	defer stop()
	list, err := call(ctx, in.Host, "score", j,
		func(ctx context.Context, list []bench.Value) ([]bench.Value, error) {
			if len(list) == 2 && in.Film != nil {
				return nil, show(in.Film, list)
			}
			answer, err := relay(ctx, f, list)
			switch {
			case err == nil:
				answered.Store(true)
			case answered.Load() && errors.Is(err, wire.ErrTooLarge):
				err = bench.Faultf(bench.Invalid, "%s%v", record.Unusable, wire.ErrTooLarge)
			}
			return answer, err
		})
	if answered.Load() {
		err = blamed(err)
	}
	if err != nil {
		return m, err
	}
	if len(list) == 1 {
		return m, fmt.Errorf("%w: %v is not a score", bench.ErrScorer, list)
	}
	value, ok := list[0].(bench.Float)
	kept, text := list[1].(bench.Array)
	if len(list) == 3 {
		trace, packed := list[2].(bench.Packed)
		m.Trace, ok = slices.Clone(trace), ok && packed
	}
	if !ok || !text || len(list) > 3 {
		return m, fmt.Errorf("%w: %v is not a score", bench.ErrScorer, list)
	}
	if m.Value = float64(value); len(kept.Data) > 0 {
		m.Kept = slices.Clone(kept.Data)
	}
	return m, nil
}

// freeTime is how much CPU time a scorer may take for one instance, in addition to the candidate's
// limit, before its time counts against that limit. A minute covers the slowest evaluators of
// LLM4AD. Tests shorten it.
var freeTime = time.Minute

// metered returns a context that ends with a timeout of the candidate when the scorer has worked on
// its answers for too long. The first answer must set answered.
func metered(ctx context.Context, h bench.Host, f bench.Target) (
	_ context.Context, answered *atomic.Bool, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	answered = new(atomic.Bool)
	limit, base := f.Limit(), h.CPU()
	unwatch := python.Watch(time.Second, func(int) bool {
		if !answered.Load() || limit == 0 {
			base = h.CPU()
			return false
		}
		own := h.CPU() - base - freeTime - limit
		over := own > 0 && own+f.CPU() > limit
		if over {
			cancel(bench.Faultf(bench.Timeout, "time limit exceeded: the task took too long "+
				"to use the answers"))
		}
		return over
	})
	return ctx, answered, func() {
		unwatch()
		cancel(nil)
	}
}

func call(ctx context.Context, h bench.Host, function string, j any,
	answer func(context.Context, []bench.Value) ([]bench.Value, error)) ([]bench.Value, error) {
	list, err := h.Call(ctx, function, j, answer)
	if errors.Is(err, bench.ErrScorer) {
		err = hint.Add(err, hintEnded)
	}
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		said, _ := list[1].(bench.Array)
		text := python.Shorten(python.OneLine(string(said.Data), '?'), maxDetail)
		switch list[0] {
		case bench.Int(scored):
			return list[1:], nil
		case bench.Int(invalid):
			return nil, bench.Faultf(bench.Invalid, "%s", text)
		case bench.Int(unusable):
			return nil, bench.Faultf(bench.Invalid, "%s%s", record.Unusable, text)
		case bench.Int(broken):
			advice := "the task file is wrong; correct it and use another --out"
			if len(list) > 2 {
				said, _ := list[2].(bench.Array)
				advice = cmp.Or(python.OneLine(string(said.Data), '?'), advice)
			}
			return nil, hint.Add(fmt.Errorf("%w: %s", bench.ErrScorer, text), advice)
		}
	}
	return nil, fmt.Errorf("%w: %v is not an answer", bench.ErrScorer, list)
}

// hintEnded is for a scorer that ended or gives no answer.
const hintEnded = "the task's own code ended its process or did not answer, or memory ran out; " +
	"to debug it, " +
	"add task.main() as the last line and run python3 FILE.py"

func show(to *bench.Film, list []bench.Value) error {
	pixels, ok := list[0].(bench.Array)
	title, also := list[1].(bench.Array)
	if !ok || !also {
		return fmt.Errorf("%w: %v is not a picture", bench.ErrScorer, list)
	}
	text := python.Shorten(python.OneLine(string(title.Data), '?'), maxDetail)
	return to.Show(bench.Picture{Title: text, Pixels: pixels})
}

// blamed attributes the end of the scorer's process to an answer.
func blamed(err error) error {
	if errors.Is(err, bench.ErrScorerEnded) {
		err = &bench.UnusableError{Err: err, Fault: bench.Faultf(bench.Invalid,
			"%sthe task's process ended or fell silent", record.Unusable)}
	}
	return err
}

// evidence implements bench.Task.Evidence for tasks that have evidence.
func evidence(ctx context.Context, in bench.Instance, trace []byte) (
	blobs []bench.Blob, err error) {
	list, err := call(ctx, in.Host, "evidence", job{Split: in.Split, Number: in.Number},
		func(context.Context, []bench.Value) ([]bench.Value, error) {
			return []bench.Value{bench.Packed(trace)}, nil
		})
	if err != nil {
		return nil, blamed(err)
	}
	for _, v := range list {
		piece, _ := v.(bench.Array)
		if len(piece.Shape) == 1 {
			blobs = append(blobs, bench.Blob{MediaType: "text/plain", Data: piece.Data})
			continue
		}
		var data bytes.Buffer
		picture, err := film.Image(piece, 0)
		if err == nil {
			err = png.Encode(&data, picture)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", bench.ErrScorer, err)
		}
		blobs = append(blobs, bench.Blob{MediaType: "image/png", Data: data.Bytes()})
	}
	return blobs, nil
}

// maxDetail is the longest detail of a fault in bytes, as in the sandbox.
const maxDetail = 300

// relay passes a call to the candidate, and its answer back. A single array stays with the
// candidate.
func relay(ctx context.Context, f bench.Target, list []bench.Value) ([]bench.Value, error) {
	if len(list) != 1 {
		return nil, fmt.Errorf("%w: a question of %d values", bench.ErrScorer, len(list))
	}
	switch v := list[0].(type) {
	case bench.Packed:
		answer, err := f.Call(ctx, v)
		if other, ok := answer.(bench.Other); ok {
			err = bench.Faultf(bench.Invalid, "returned %s", other.Type)
		}
		return []bench.Value{answer}, err
	case bench.Array:
		kept, err := f.Upload(ctx, v)
		return []bench.Value{bench.Int(kept)}, err
	}
	return nil, fmt.Errorf("%w: a question of a %T", bench.ErrScorer, list[0])
}

// seeding is the end of a stateless task's prelude. It sets the global generators to the same state
// before each call. If the prelude has defined an adapter, seeding applies it as well.
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

// repeat implements bench.Task.Repeat for stateless tasks. The scorer has recorded its questions.
// The program and its answers determine which questions are repeated, and in which order.
func repeat(ctx context.Context, h bench.Host, source string) (
	func(ctx context.Context, f bench.Target) error, error) {
	program := sha256.Sum256([]byte(source))
	list, err := h.Call(ctx, "replay", hex.EncodeToString(program[:]), nil)
	if err != nil {
		return nil, err
	}
	wrong := fmt.Errorf("%w: these are not recorded calls", bench.ErrScorer)
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

// digested is the first byte of the short form of a long answer; no packed value begins with it.
const digested = 0xff

// brief returns an answer, or the length and the digest of a long answer, like Asked.keep in
// pacebench/task.py.
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
