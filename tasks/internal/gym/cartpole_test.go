package gym_test

import (
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/internal/gym"
)

var limits = bench.Limits{CPU: 5 * time.Second}

var cartpole = gym.Environment{
	ID:        "CartPole-v1",
	Arguments: []gym.Argument{gym.Observation},
	Action:    gym.Action{Discrete: 2},
	Splits: []bench.Split{
		{Name: "train", Seeds: []int{1, 2, 3}, Limits: limits},
		{Name: "test", Seeds: []int{11, 12, 13, 14, 15}, Limits: limits},
	},
}

var cartpoleTask = cartpole.Task(bench.Task{
	Problem: bench.Problem{
		Name: "cart-pole",
		Template: program.Function{
			Name:    "push",
			Params:  []program.Param{{Name: "observation", Annotation: "np.ndarray"}},
			Returns: "int",
			Body:    "return int(observation[2] > 0)",
		},
		Imports: []string{"import numpy as np"},
		Modules: []string{"numpy", "math"},
		Goal:    bench.Maximize,
	},
	Version: "1",
	References: []bench.Reference{{
		Name:   "balance",
		Source: "def push(observation):\n    return int(observation[2] + observation[3] > 0)\n",
	}},
})
