// Package racingcar is the task Racing Car: design the policy that drives the car of Gymnasium's
// CarRacing-v3 from pictures. Start at Task.
package racingcar

import (
	"embed"
	"maps"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/gym"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// Name is the task's name on the command line and in results.
const Name = "racing-car"

// Stock is the name of the same task with pictures that Gymnasium draws itself, for comparison. The
// pictures are the same, but drawing them takes most of the time.
const Stock = Name + "@renderer=stock"

// environment is the protocol under which the program printed in the paper reproduces its scores:
// 100 in training and 98.9038 in test. docs/tasks/racing-car.md explains it.
var environment = gym.Environment{
	ID:      "CarRacing-v3",
	Options: map[string]any{"render_mode": nil, "domain_randomize": false, "continuous": true},
	Arguments: []gym.Argument{
		gym.Observation, "speed", gym.LastAction, gym.LastObservation,
	},
	Action: gym.Action{
		DType: "float64", Low: []float64{-1, 0, 0}, High: []float64{1, 1, 1}, Unclipped: true,
	},
	Opening:        []float64{0, 1, 0},
	MaxSteps:       1200,
	PastTruncation: true,
	Value:          "coverage",
	Splits: []bench.Split{
		{Name: "train", Limits: limits, Seeds: []int{1, 2, 3, 4}},
		{
			Name: "test", Title: "Test", Limits: limits,
			Seeds: []int{10, 11, 12, 13, 14, 15, 16, 17, 18, 19},
		},
		{Name: record.Val, Limits: limits, Seeds: []int{5, 6, 7, 8}}, // not in the paper
	},
	Modules:  map[string]string{"car": module, "evidence": evidence},
	Evidence: []string{"image/png"},
	// The probe drives straight ahead, off the map. "probe" in car.py checks the rule of the lap.
	Probe: &gym.Probe{
		Seed: 1, Action: []float64{0, 0.2, 0}, Steps: 355, Value: 100 * 21.0 / 275,
		Frames: 3, SHA256: "688691d2013ba9de4adf2f1e4c12d82a7ccf0f39be1a0cd3212e269050605b10",
		Versions: []string{"gymnasium", "box2d", "pygame", "pygame-ce", "numpy"},
	},
}

//go:embed car.py
var module string

//go:embed evidence.py
var evidence string

// limits bound an episode; they allow 37 ms of CPU for each call.
var limits = bench.Limits{CPU: 45 * time.Second, Wall: 180 * time.Second, Memory: 1 << 30}

// Task returns the task.
func Task() *bench.Task {
	e := environment
	e.Modules = maps.Clone(e.Modules)
	e.Modules["view"], e.Decode = view, decode
	return complete(Name, e)
}

// Lookup returns the task Name or Stock.
func Lookup(name string) (*bench.Task, bool) {
	switch name {
	case Name:
		return Task(), true
	case Stock:
		return complete(Stock, environment), true
	}
	return nil, false
}

func complete(name string, e gym.Environment) *bench.Task {
	t := words()
	t.Name, t.Goal = name, bench.Maximize
	return e.Task(t)
}

// sources are the task's texts and reference programs: an idle program and a simple driver.
//
//go:embed references/*.py *.toml
var sources embed.FS

var words = sync.OnceValue(func() bench.Task { return programs.Read(sources) })
