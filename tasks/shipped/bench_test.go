package shipped

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
)

// BenchmarkTraining is one training evaluation of the template: CPU of the candidate, the scorer
// and Go.
func BenchmarkTraining(b *testing.B) {
	for _, task := range All() {
		b.Run(task.Name, func(b *testing.B) {
			e := tasktest.Control(b, task)
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
