package sandbox

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
)

// speedSource is a fixed, trusted loop that runs in the process of a candidate.
//
//go:embed speed.py
var speedSource string

// ReferenceMS is the loop's time in milliseconds on machine A of docs/performance.md, for which
// tasks state their limits.
const ReferenceMS = 6.0

// muchSlower is how many times slower than the reference a machine must be before a time scale is
// recommended. The speed of machine A itself varies by this factor.
const muchSlower = 1.5

// LoopMS returns the CPU time of the loop on this machine, in milliseconds: the shortest of all
// rounds in one second of CPU time. It is for information only.
func (p *Workers) LoopMS(ctx context.Context) (float64, error) {
	t, err := p.Load(ctx, speedSource, "", "least", bench.Limits{})
	if err != nil {
		return 0, fmt.Errorf("measuring speed: %w", err)
	}
	v, err := t.Call(ctx)
	if err := errors.Join(err, t.Close()); err != nil {
		return 0, fmt.Errorf("measuring speed: %w", err)
	}
	ms, ok := v.(bench.Float)
	if !ok || !(ms > 0) {
		return 0, fmt.Errorf("measuring speed: a loop took %v ms", v)
	}
	return float64(ms), nil
}

// TimeScale returns the recommended factor on time limits for a machine on which the loop takes
// loopMS milliseconds; 1 means no factor.
func TimeScale(loopMS float64) float64 {
	ratio := loopMS / ReferenceMS
	if ratio <= muchSlower {
		return 1
	}
	return min(math.Ceil(10*ratio)/10, record.MaxTimeScale)
}
