package bipedal

import (
	_ "embed"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

//go:embed testdata/loop.py
var loop string

// BenchmarkTraining compares a training evaluation with a plain loop.
func BenchmarkTraining(b *testing.B) {
	scorer := &bench.Scorer{
		Packages: "control", Modules: map[string]string{"loop": loop}, Main: "loop",
	}
	tasktest.AgainstLoops(b, Task(), scorer, "lst:app-best-bipedal", 0, 1, 2, 3, 4)
}

// BenchmarkMemory runs a program whose robot falls immediately.
func BenchmarkMemory(b *testing.B) {
	tasktest.Memory(b, tasktest.Control(b, Task()), head+"return np.zeros(4)\n")
}
