package sandbox

import (
	_ "embed"
	"fmt"
	"math"
)

// A Calibration says how fast a machine runs Python, and what that makes of limits of time.
type Calibration struct {
	LoopMS float64 `json:"loop_ms"` // CPU time of a fixed loop, in milliseconds
	Limits float64 `json:"limits"`  // the factor on CPU and wall limits
}

// calibrationSource is the loop, trusted, which runs where candidates do.
//
//go:embed calibrate.py
var calibrationSource string

// referenceMS is the loop's time on the machine for which the limits are stated: A in
// docs/performance.md. There it takes 4.5 to 8.4 ms, from one minute to the next.
const referenceMS = 6.0

// A factor is a power of two, and 1 where the loop takes from 0.6 to 1.7 times the reference, so
// that machines of one kind, and one machine on a good and on a bad day, have the same limits.
// Beyond 1/4 and 16 something else is wrong. Ours.
const (
	leastLimits, mostLimits = 0.25, 16
	sameFrom, sameTo        = 0.6, 1.7
)

// calibrate returns the calibration of a machine on which the loop takes that many milliseconds.
func calibrate(ms float64) Calibration {
	c := Calibration{LoopMS: math.Round(10*ms) / 10, Limits: 1}
	if ratio := ms / referenceMS; ratio < sameFrom || ratio > sameTo {
		c.Limits = min(max(math.Exp2(math.Round(math.Log2(ratio))), leastLimits), mostLimits)
	}
	return c
}

func (c Calibration) String() string {
	return fmt.Sprintf("limits of time × %g: a fixed loop takes %.1f ms, %.1f ms where they are stated",
		c.Limits, c.LoopMS, referenceMS)
}
