package pytask

import (
	"context"
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/py"
	"github.com/pacebench/pacebench/bench/record"
)

// What comes of an instance; scorer.py has the same constants.
const (
	scored   = 0 // value, text that is kept with it
	invalid  = 1 // text
	unusable = 2 // text
	broken   = 3 // text
)

// A job is what scorer.py is asked to do.
type job struct {
	Split  string `json:"split"`
	Number int    `json:"number"`
}

// score is the bench.Task.Score of all tasks in Python.
func score(ctx context.Context, in bench.Instance, f bench.Target) (m bench.Measure, err error) {
	list, err := in.Host.Call(ctx, "score", job{in.Split, in.Number},
		func(ctx context.Context, list []bench.Value) ([]bench.Value, error) {
			return relay(ctx, f, list)
		})
	if err != nil {
		return m, err
	}
	if len(list) == 3 {
		value, ok := list[1].(bench.Float)
		kept, text := list[2].(bench.Array)
		if ok && text && list[0] == bench.Int(scored) {
			m.Value = float64(value)
			if len(kept.Data) > 0 {
				m.Kept = slices.Clone(kept.Data)
			}
			return m, nil
		}
	}
	if len(list) == 2 {
		said, _ := list[1].(bench.Array)
		text := py.Shorten(py.OneLine(string(said.Data), '?'), maxDetail)
		switch list[0] {
		case bench.Int(invalid):
			return m, bench.Faultf(bench.Invalid, "%s", text)
		case bench.Int(unusable):
			return m, bench.Faultf(bench.Invalid, "%s%s", record.Unusable, text)
		case bench.Int(broken):
			return m, hint.Add(fmt.Errorf("%w: %s", bench.ErrScorer, text),
				"the task file is wrong; corrected, it is another task: begin its runs anew")
		}
	}
	return m, fmt.Errorf("%w: %v is no score", bench.ErrScorer, list)
}

// maxDetail is the longest detail of a fault in bytes, as the sandbox's own.
const maxDetail = 300

// relay hands a call on to the candidate, and its answer back. An array that comes alone stays with
// the candidate.
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
