package tasks_test

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks"
)

// BenchmarkTraining measures the CPU time of all processes for a training evaluation of each field
// task's template.
func BenchmarkTraining(b *testing.B) {
	for _, task := range tasks.All()[len(tasks.Paper()):] {
		b.Run(task.Name, func(b *testing.B) {
			e := &bench.TaskEvaluator{Task: task}
			if task.Scorer != nil {
				e = tasktest.Control(b, task)
			} else {
				e.Loader = tasktest.Workers(b)
			}
			p := program.Program{Source: strings.Join(task.Imports, "\n") + "\n" +
				task.Template.Header() + "\n    " +
				strings.ReplaceAll(task.Template.Body, "\n", "\n    ") + "\n"}
			var spent float64
			for b.Loop() {
				o, err := e.Evaluate(b.Context(), p)
				if err != nil || !o.OK() {
					b.Fatal(o.Fault, err)
				}
				spent += o.Spent.CPU.Seconds()
			}
			b.ReportMetric(spent/float64(b.N), "cpu-s/op")
		})
	}
}
