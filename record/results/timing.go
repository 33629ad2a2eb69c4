package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// An evaluation is doubtful if it took, or would have taken, from doubtfulFrom to doubtfulTo times
// its limit of CPU time: another machine might have decided differently.
const doubtfulFrom, doubtfulTo = 0.8, 1.25

// doubtful reports whether the i-th evaluation of a step is doubtful.
func doubtful(t record.Timing, i int) bool {
	return i < len(t.LimitShare) && t.LimitShare[i] >= doubtfulFrom && t.LimitShare[i] <= doubtfulTo
}

// maxTimingLine bounds the length of a line of timing.jsonl, in bytes. A line with a thousand
// requests is shorter.
const maxTimingLine = 1 << 20

// Times reads the times of a run's steps from timing.jsonl. If a step has several lines, the last
// line is from its commit. Times skips lines that it cannot read, because times are not results.
func Times(dir string) (out []record.Timing) {
	data, err := journal.ReadFile(filepath.Join(dir, "timing.jsonl"))
	if err != nil {
		return nil
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxTimingLine)
	for lines.Scan() {
		var t record.Timing
		if json.Unmarshal(lines.Bytes(), &t) == nil {
			out = append(out, t)
		}
	}
	return out
}

// A clock has the times of a run's evaluations from timing.jsonl. The file may lack lines, for
// example if the run was killed.
type clock struct {
	cpu     bool            // the times are CPU time, otherwise wall time
	seconds map[int]float64 // by step
	mean    float64         // mean time of the known steps, in seconds
	known   bool

	doubtful int // evaluations near their time limit
}

// enoughTimings is the share of the steps with evaluations whose times must be known. Each other
// step counts as the mean of the known times.
const enoughTimings = 0.95

// newClock adds up the times of the steps with evaluations.
func newClock(times map[int]record.Timing, l *record.Loaded) clock {
	c := clock{cpu: true, seconds: map[int]float64{}}
	evaluated := 0
	var steps []int // with evaluations and a line of times
	for s := range l.Steps() {
		if len(s.Evaluations) == 0 {
			continue
		}
		evaluated++
		if t, ok := times[s.Number]; ok {
			steps = append(steps, s.Number)
			c.cpu = c.cpu && len(t.CPUMS) == len(t.EvaluateMS)
		}
	}
	if len(steps) == 0 {
		return clock{}
	}
	slices.Sort(steps) // so that equal files give equal sums
	total := 0.0
	for _, step := range slices.Compact(steps) {
		t := times[step]
		for i := range t.LimitShare {
			if doubtful(t, i) {
				c.doubtful++
			}
		}
		all := t.EvaluateMS
		if c.cpu {
			all = t.CPUMS
		}
		sum := 0.0
		for _, ms := range all {
			sum += max(0, ms) / 1000
		}
		c.seconds[step], total = sum, total+sum
	}
	c.mean = total / float64(len(c.seconds))
	c.known = float64(len(c.seconds)) >= enoughTimings*float64(evaluated)
	return c
}

// of returns the time of a step's evaluations in seconds, or the mean if the time is unknown.
func (c clock) of(step int) float64 {
	if s, ok := c.seconds[step]; ok {
		return s
	}
	return c.mean
}
