// Package ppo is the trained row of the control tasks: policies that stable-baselines3 trains with
// PPO on a fixed number of episodes, scored by the programs' evaluator. Start at Run.
//
// The Python that trains and plays is in scripts/ppo. Its packages are the extra "rl" of
// python/env, which is never installed by default. See docs/ppo.md.
package ppo

import (
	"fmt"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
)

// Name is the row's name in results and tables.
const Name = "ppo"

// Packages is the extra of python/env that training and playing need.
const Packages = "rl"

// Unit is the unit of the budget: completed training episodes.
const Unit = "resets"

// Label returns the row's presentation in tables and figures.
func Label() bench.Label {
	return bench.Label{
		Name: Name, Title: "PPO", Style: 8, Tasks: Tasks(),
		Absent: "not run (pacebench doctor --packages rl installs its packages, " +
			"pacebench train ppo trains it)",
	}
}

// Settings determine the result of one training. Their JSON names are the names in train.py and
// stable-baselines3. Hyperparameters that the paper leaves open have the defaults of
// stable-baselines3.
type Settings struct {
	Environment string         `json:"environment"` // Gymnasium's id
	Options     map[string]any `json:"options"`     // arguments of gymnasium.make
	TrainSeeds  []int          `json:"train_seeds"`
	Resets      int            `json:"resets"`  // completed episodes in all
	Barrier     int            `json:"barrier"` // completed episodes between two evaluations
	Seed        uint64         `json:"-"`       // see bench.Header

	Policy             string   `json:"policy"`
	LearningRate       float64  `json:"learning_rate"`
	Steps              int      `json:"n_steps"` // steps of one rollout
	BatchSize          int      `json:"batch_size"`
	Epochs             int      `json:"n_epochs"`
	Gamma              float64  `json:"gamma"`
	Lambda             float64  `json:"gae_lambda"`
	ClipRange          float64  `json:"clip_range"`
	ClipValues         *float64 `json:"clip_range_vf"` // null: no clipping
	NormalizeAdvantage bool     `json:"normalize_advantage"`
	Entropy            float64  `json:"ent_coef"`
	ValueLoss          float64  `json:"vf_coef"`
	MaxGradient        float64  `json:"max_grad_norm"`
	TargetKL           *float64 `json:"target_kl"` // null: no limit

	Device  string `json:"device"`  // torch's device
	Threads int    `json:"threads"` // torch's CPU threads
}

// Name returns the package's Name.
func (s *Settings) Name() string { return Name }

// Tasks returns the tasks that have the row, in the order of the paper's table.
func Tasks() []string { return []string{"racing-car", "bipedal-walker"} }

// Paper returns the paper's settings for a task (table of PPO's hyperparameters), with seed 1.
func Paper(task string) (*Settings, error) {
	s := &Settings{
		Options: map[string]any{"disable_env_checker": true},
		Resets:  4000, Barrier: 100, Seed: 1,
		Gamma: 0.99, Lambda: 0.95, ClipRange: 0.2, NormalizeAdvantage: true,
		ValueLoss: 0.5, MaxGradient: 0.5,
		Device: "cpu", Threads: 1, // with more threads, runs differ in the last bits
	}
	switch task {
	case "racing-car":
		s.Environment, s.Policy = "CarRacing-v3", "CnnPolicy"
		s.Options["domain_randomize"], s.Options["continuous"] = false, true
		s.TrainSeeds = []int{1, 2, 3, 4}
		s.LearningRate, s.Steps, s.BatchSize, s.Epochs = 2.5e-4, 512, 512, 3
	case "bipedal-walker":
		s.Environment, s.Policy = "BipedalWalker-v3", "MlpPolicy"
		s.TrainSeeds = []int{0, 1, 2, 3, 4}
		s.LearningRate, s.Steps, s.BatchSize, s.Epochs = 3e-4, 2048, 256, 10
	default:
		return nil, hint.Add(fmt.Errorf("task %s has no PPO row", task),
			fmt.Sprintf("tasks with a PPO row: %s, %s", Tasks()[0], Tasks()[1]))
	}
	return s, nil
}

// Check refuses invalid settings.
func (s *Settings) Check() error {
	for _, n := range []struct {
		name  string
		value int
	}{
		{"resets", s.Resets}, {"barrier", s.Barrier}, {"n_steps", s.Steps}, {"n_epochs", s.Epochs},
		{"threads", s.Threads}, {"batch_size", s.BatchSize - 1}, {"train_seeds", len(s.TrainSeeds)},
	} {
		if n.value < 1 {
			return fmt.Errorf("%s: %w: the value is too small", n.name, bench.ErrConfig)
		}
	}
	return nil
}
