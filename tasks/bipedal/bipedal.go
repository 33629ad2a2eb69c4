// Package bipedal is the task Bipedal Walker: design the policy that makes the robot of Gymnasium's
// BipedalWalker-v3 walk. Start at Task.
package bipedal

import (
	"embed"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/gym"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// Name is the task's name on the command line and in results.
const Name = "bipedal-walker"

// environment is the protocol under which the program printed in the paper reproduces its scores:
// 143.110807357 in training and 133.711 in test. docs/tasks/bipedal-walker.md explains it.
var environment = gym.Environment{
	ID:        "BipedalWalker-v3",
	Arguments: []gym.Argument{gym.Observation, gym.LastAction, gym.LastObservation},
	Action: gym.Action{
		DType: "float32", Low: []float64{-1, -1, -1, -1}, High: []float64{1, 1, 1, 1},
	},
	Unstarted: -100, // value of a fall
	Splits: []bench.Split{
		{Name: "train", Limits: limits, Seeds: []int{0, 1, 2, 3, 4}},
		{
			Name: "test", Title: "Test", Limits: limits,
			Seeds: []int{10, 11, 12, 13, 14, 15, 16, 17, 18, 19},
		},
		{Name: record.Val, Limits: limits, Seeds: []int{5, 6, 7, 8, 9}}, // not in the paper
	},
	Modules: map[string]string{"evidence": evidence, "walker": walker},
	// The probe plays a limp robot, which falls. The environment uses the faster step of walker.py,
	// which must behave like Gymnasium's step.
	Probe: &gym.Probe{
		Seed: 0, Action: []float64{0, 0, 0, 0}, Steps: 115, Value: -92.00686348283975,
		Frames: 115, SHA256: "9bc36e57b11e34e66845b295d74a2861ee15d4989fb16d150b58e8a9829a3276",
		Versions: []string{"gymnasium", "box2d", "numpy"},
	},
	Evidence: []string{"image/png", "text/plain"},
}

//go:embed evidence.py
var evidence string

//go:embed walker.py
var walker string

// limits bound an episode; they allow 6 ms of CPU for each call.
var limits = bench.Limits{CPU: 10 * time.Second, Wall: 40 * time.Second, Memory: 1 << 30}

// Task returns the task.
func Task() *bench.Task { return complete(environment) }

func complete(e gym.Environment) *bench.Task {
	t := words()
	t.Goal = bench.Maximize
	return e.Task(t)
}

// sources are the task's texts and reference programs.
//
//go:embed references/*.py *.toml
var sources embed.FS

var words = sync.OnceValue(func() bench.Task { return programs.Read(sources) })
