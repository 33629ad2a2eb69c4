//go:build linux

package pytask

import (
	"fmt"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
)

// asks is a task that repeats a question with one argument.
const asks = `"""Answer."""
import numpy as np
from pacebench.task import Task

task = Task(goal="maximize", splits={"train": 1}, cpu=600)

@task.template
def answer(x: object) -> int:
    """Answer.

    Args:
        x: anything.

    Returns:
        An int.
    """
    return 1

@task.score
def asked(number, answer):
    x = %s
    return sum(answer(x) for _ in range(%d))
`

// BenchmarkBorder is an evaluation of 10,000 calls, including the start of its processes.
func BenchmarkBorder(b *testing.B) {
	const calls = 10000
	for _, c := range []struct {
		name, argument string
	}{
		{"int", "7"},
		{"small", "(7, 0.5, [1, 2, 3], 'word')"},
		{"64kB", "np.zeros(8192)"},
		{"tuples", "[(i, i + 1, i + 2) for i in range(500)]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := tasks(b)(fmt.Sprintf(asks, c.argument, calls))
			p := program.Program{Source: e.Task.Default()}
			var spent bench.Spent
			for b.Loop() {
				o, err := e.Evaluate(b.Context(), p)
				if err != nil || !o.OK() || o.Score != calls {
					b.Fatal(o, err)
				}
				spent.Busy += o.Spent.Busy
				spent.CPU += o.Spent.CPU
			}
			per := 1e6 / float64(b.N*calls)
			b.ReportMetric(spent.Busy.Seconds()*per, "µs/call")
			b.ReportMetric(spent.CPU.Seconds()*per, "cpu-µs/call")
		})
	}
}

// BenchmarkPacking is a training evaluation of the online bin packing in docs/your-task.md: 25,000
// calls.
func BenchmarkPacking(b *testing.B) {
	e := tasks(b)(examples(b)["online_bin_packing.py"])
	p := program.Program{Source: e.Task.Default()}
	for b.Loop() {
		if o, err := e.Evaluate(b.Context(), p); err != nil || !o.OK() {
			b.Fatal(o, err)
		}
	}
}
