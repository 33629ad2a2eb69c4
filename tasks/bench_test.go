package tasks_test

import (
	"testing"

	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks"
)

// BenchmarkTraining measures the CPU time of all processes for a training evaluation of each field
// task's template.
func BenchmarkTraining(b *testing.B) {
	for _, task := range tasks.All()[len(tasks.Paper()):] {
		b.Run(task.Name, func(b *testing.B) {
			e := evaluator(b, task.Name)
			e.Task = task
			p := program.Program{Source: newMeter(b, task.Name, anchored{}).code}
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
