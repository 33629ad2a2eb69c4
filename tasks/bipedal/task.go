package bipedal

import (
	"embed"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/tasks/internal/gym"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// Name is the task's name on the command line and in results.
const Name = "bipedal-walker"

// environment is the protocol that the program printed in the paper reproduces: 143.110807357 in
// training and 133.711 in test. docs/tasks/bipedal-walker.md tells how it was found.
var environment = gym.Environment{
	ID:        "BipedalWalker-v3",
	Arguments: []gym.Argument{gym.Observation, gym.LastAction, gym.LastObservation},
	Action: gym.Action{
		DType: "float32", Low: []float64{-1, -1, -1, -1}, High: []float64{1, 1, 1, 1},
	},
	Unstarted: -100, // what a fall costs
	Splits: []gym.Split{
		split("train", "", 0, 1, 2, 3, 4),
		split("test", "Test", 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
	},
	Modules: map[string]string{"evidence": evidence, "walker": walker},
	// A limp robot falls. The quicker step must show what the stock one showed.
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

// split has the limits of an episode, our choice: 6 ms of CPU for a call.
func split(name, title string, seeds ...int) gym.Split {
	limits := bench.Limits{CPU: 10 * time.Second, Wall: 40 * time.Second, Memory: 1 << 30}
	return gym.Split{Split: bench.Split{Name: name, Title: title, Limits: limits}, Seeds: seeds}
}

const description = `A robot with a hull and two legs, each with a hip and a knee, stands on ` +
	`slightly uneven ground. Design the policy that sets the torques of its four joints, 50 ` +
	`times a second of the simulation, so that it walks to the far end without falling. The ` +
	`return of an episode is what is to be large: it grows with the way forward, by somewhat ` +
	`more than 300 for the whole way, and shrinks with torque used and with the hull's tilt. ` +
	`When the hull touches the ground or the robot leaves the start backwards, the episode ends ` +
	`with -100; otherwise it ends at the far end or after 1600 steps. The score is the mean over ` +
	`several grounds. NumPy is imported as np.`

const docstring = `Choose the torques of the next step.

Args:
    observation: state of the robot, float32 array of shape (24,):
        [0] angle of the hull in radians, [1] its angular velocity times 0.04;
        [2] velocity forward times 0.12, [3] velocity upward times 0.08;
        [4] angle of the left hip, about -0.8 to 1.1, [5] its speed divided by 4;
        [6] angle of the left knee plus 1, about -0.6 to 0.9, [7] its speed divided by 6;
        [8] 1 if the left foot touches the ground, else 0;
        [9] to [13] the same five of the right leg: hip angle, hip speed, knee angle plus 1,
        knee speed, contact;
        [14] to [23] ten lidar rays, from straight down to forward in steps of 0.15 radians: the
        distance to the ground as a share of the range, 1 where none is met.
        There is no position.
    last_action: the torques of the step before, after clipping, float32 array of shape (4,);
        zeros at the first call.
    prev_observation: the observation of the step before, like observation; equal to it at the
        first call.

Returns:
    Torques of left hip, left knee, right hip and right knee: four finite numbers, array of
    shape (4,), clipped to [-1, 1].`

// sourced has what the paper tells; LLM4AD has no such task.
var sourced = bench.Texts{
	Description: `A robot with two legs, each with a hip and a knee, walks in the environment ` +
		`BipedalWalker-v3. Design the policy that sets the torques of its four joints from its ` +
		`state and from the step before, so that the return of an episode is as large as ` +
		`possible. NumPy is imported as np.`,
	Doc: `Choose the torques of the next step.

Args:
    observation: state of the robot, array of shape (24,):
        [0] angle of the hull, [1] its angular velocity;
        [2] horizontal velocity, [3] vertical velocity;
        [4] angle of the left hip, [5] its angular velocity;
        [6] angle of the left knee, [7] its angular velocity;
        [8] contact of the left foot, 0 or 1;
        [9] to [13] the same five of the right leg;
        [14] to [23] ten normalised lidar readings, in the fixed order of the environment.
        Angles and velocities of joints are in the normalised coordinates of the environment.
    last_action: the torques of the step before, in the order of the answer.
    prev_observation: the observation of the step before, like observation.

Returns:
    Torques of left hip, left knee, right hip and right knee: four finite numbers, array of
    shape (4,), clipped to [-1, 1].`,
}

// Task returns the task.
func Task() *bench.Task { return complete(environment) }

func complete(e gym.Environment) *bench.Task {
	return e.Task(bench.Task{
		Problem: bench.Problem{
			Name:        Name,
			Description: description,
			Template: program.Function{
				Name: "choose_action",
				Params: []program.Param{
					{Name: "observation", Annotation: "np.ndarray"},
					{Name: "last_action", Annotation: "np.ndarray"},
					{Name: "prev_observation", Annotation: "np.ndarray"},
				},
				Returns: "np.ndarray",
				Doc:     docstring,
				Body:    "return np.zeros(4)",
			},
			Imports: []string{"import numpy as np"},
			Modules: programs.Modules(),
			Goal:    bench.Maximize,
		},
		Label:      bench.TaskLabel{Title: "Bipedal Walker", Unit: "episode return", Digits: 2},
		Version:    "1",
		References: programs.References(sources),
		Sourced:    sourced,
		Vocabulary: vocabulary,
	})
}

// sources are programs to compare with.
//
//go:embed references/*.py vocabulary.toml
var sources embed.FS

var vocabulary = programs.Vocabulary(sources)
