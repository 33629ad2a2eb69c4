package racingcar

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

// BenchmarkTraining is a training evaluation next to a plain loop with the stock drawing.
func BenchmarkTraining(b *testing.B) {
	task := Task()
	e := tasktest.Control(b, task)
	programs := map[string]func(*testing.B) string{
		"printed": func(b *testing.B) string {
			const paper = "../../../shared/paper/pace.tex"
			return tasktest.Printed(b, task, paper, "lst:app-best-Racing Car")
		},
	}
	for _, r := range task.References {
		programs[r.Name] = func(*testing.B) string { return r.Source }
	}
	for name, source := range programs {
		b.Run(name, func(b *testing.B) {
			job := map[string]any{
				"source": strings.Join(task.Imports, "\n") + "\n" + source(b),
				"seeds":  []int{1, 2, 3, 4},
			}
			tasktest.AgainstLoop(b, e, source(b), func() (result []bench.Value, err error) {
				err = e.Hosts.Lend(b.Context(), driver, func(h bench.Host) (err error) {
					result, err = h.Call(b.Context(), "loop", job, nil)
					return err
				})
				return result, err
			})
		})
	}
}

// BenchmarkMemory has a program that soon fails, so that making and closing environments is most of
// the cost.
func BenchmarkMemory(b *testing.B) {
	tasktest.Memory(b, tasktest.Control(b, Task()), "calls = 0\n"+head+`global calls
 calls += 1
 assert calls < 20
 return np.zeros(3)
`)
}
