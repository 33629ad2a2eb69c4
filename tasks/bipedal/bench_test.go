package bipedal

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

//go:embed testdata/loop.py
var loop string

// BenchmarkTraining is a training evaluation next to a plain loop.
func BenchmarkTraining(b *testing.B) {
	task := Task()
	e := tasktest.Control(b, task)
	scorer := &bench.Scorer{
		Packages: "control", Modules: map[string]string{"loop": loop}, Main: "loop",
	}
	programs := map[string]func(*testing.B) string{
		"printed": func(b *testing.B) string {
			const paper = "../../../shared/paper/pace.tex"
			return tasktest.Printed(b, task, paper, "lst:app-best-bipedal")
		},
	}
	for _, r := range task.References {
		programs[r.Name] = func(*testing.B) string { return r.Source }
	}
	for name, source := range programs {
		b.Run(name, func(b *testing.B) {
			job := map[string]any{
				"source": strings.Join(task.Imports, "\n") + "\n" + source(b),
				"seeds":  []int{0, 1, 2, 3, 4},
			}
			tasktest.AgainstLoop(b, e, source(b), func() (result []bench.Value, err error) {
				err = e.Hosts.Lend(b.Context(), scorer, func(h bench.Host) (err error) {
					result, err = h.Call(b.Context(), "loop", job, nil)
					return err
				})
				return result, err
			})
		})
	}
}

// BenchmarkMemory has a program that falls immediately.
func BenchmarkMemory(b *testing.B) {
	tasktest.Memory(b, tasktest.Control(b, Task()), head+"return np.zeros(4)\n")
}
