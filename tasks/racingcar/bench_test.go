package racingcar

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/tasktest"
)

// BenchmarkTraining compares a training evaluation with a plain loop that uses the stock drawing.
func BenchmarkTraining(b *testing.B) {
	tasktest.AgainstLoops(b, Task(), driver, "lst:app-best-Racing Car", 1, 2, 3, 4)
}

// BenchmarkMemory runs a program that soon fails, so that making and closing environments is most
// of the cost.
func BenchmarkMemory(b *testing.B) {
	tasktest.Memory(b, tasktest.Control(b, Task()), "calls = 0\n"+head+`global calls
 calls += 1
 assert calls < 20
 return np.zeros(3)
`)
}
