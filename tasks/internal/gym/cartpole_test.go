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
		Description: "A pole stands on a cart. Design the policy that pushes the cart to the " +
			"left or to the right, 50 times a second, so that the pole keeps standing. " +
			"A step pays 1; an episode ends when the pole leans more than 12 degrees " +
			"or the cart is 2.4 off the middle, or after 500 steps. NumPy is imported as np.",
		Template: program.Function{
			Name:    "push",
			Params:  []program.Param{{Name: "observation", Annotation: "np.ndarray"}},
			Returns: "int",
			Doc: "Choose the next push.\n\nArgs:\n    observation: float32 array of shape (4,): " +
				"position of the cart, its velocity,\n" +
				"        angle of the pole in radians, its angular velocity.\n\nReturns:\n" +
				"    0 to push to the left, 1 to push to the right, an int.",
			Body: "return int(observation[2] > 0)",
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
