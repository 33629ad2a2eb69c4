//go:build linux

package ppo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/host"
	"github.com/pacebench/pacebench/tasks/bipedal"
	"github.com/pacebench/pacebench/tasks/racingcar"
)

func TestMain(m *testing.M) { tasktest.Main(m) }

// long skips the test outside the long tier.
func long(t *testing.T) {
	t.Helper()
	if !tasktest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
}

// rl returns the Python with torch. Tests that need it run only in the long tier, and never install
// it.
func rl(t *testing.T) string {
	t.Helper()
	long(t)
	return pyenv.ForTestWith(t, Packages).Python
}

// check runs one check of testdata/checks.py and returns its output.
func check(t *testing.T, python, name string, s *Settings) []byte {
	t.Helper()
	given, err := s.job()
	must.Do(t, err)
	scripts := filepath.Join("..", "..", "..", "scripts", "ppo")
	cmd := exec.Command(python, "testdata/checks.py", name, scripts, string(given))
	cmd.Env = append(os.Environ(), "SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

func paper(t *testing.T, task string) *Settings {
	t.Helper()
	s, err := Paper(task)
	must.Do(t, err)
	return s
}

// TestSettings checks that the model has the paper's settings, and the library's defaults for all
// other settings. testdata has the expected values by task.
func TestSettings(t *testing.T) {
	type built struct {
		Parameters   int              `json:"parameters"`
		LearningRate []float64        `json:"learning_rate"`
		Adam         []any            `json:"adam"`
		Steps        int              `json:"n_steps"`
		Batch        int              `json:"batch_size"`
		Epochs       int              `json:"n_epochs"`
		Gamma        []float64        `json:"gamma"`
		Lambda       []float64        `json:"gae_lambda"`
		Clip         []float64        `json:"clip_range"`
		Others       []any            `json:"others"`
		Normalize    bool             `json:"normalize"`
		LogStd       []float64        `json:"log_std"`
		Device       string           `json:"device"`
		Shapes       map[string][]int `json:"shapes"`
	}
	python := rl(t)
	for _, task := range []string{"racing-car", "bipedal-walker"} {
		var got, want built
		must.Do(t, json.Unmarshal(check(t, python, "built", paper(t, task)), &got),
			json.Unmarshal(must.Read(t, filepath.Join("testdata", task+".json")), &want))
		for name, shape := range want.Shapes {
			golden.Same(t, task+", "+name, shape, got.Shapes[name])
		}
		got.Shapes, want.Shapes = nil, nil
		golden.Same(t, task, want, got)
	}
}

// TestTrainer checks seeds, counts, stopping, resuming and learning with the real
// stable-baselines3.
func TestTrainer(t *testing.T) {
	python := rl(t)
	for _, name := range []string{"seeds", "counting", "resume", "toy"} {
		t.Run(name, func(t *testing.T) { check(t, python, name, paper(t, "bipedal-walker")) })
	}
}

// TestDrawing checks that training with Go's drawing and with the stock drawing ends with the same
// weights.
func TestDrawing(t *testing.T) {
	python := rl(t)
	trained := func(scorer *bench.Scorer) (policy string) {
		s := paper(t, "racing-car")
		s.Resets, s.Barrier, s.Steps, s.BatchSize, s.Epochs = 2, 2, 64, 64, 1
		s.Options["max_episode_steps"] = 230 // beyond the second stock frame of an episode
		r := newRun(t, python)
		r.Settings, r.Task.Scorer, r.Tests = s, scorer, nil
		var err error
		if r.Header, err = s.Head(r.Header); err != nil {
			t.Fatal(err)
		}
		r.Versions, r.Hosts = map[string]string{}, players{}
		dir := t.TempDir()
		if _, err := r.Execute(t.Context(), dir); err != nil {
			log, _ := os.ReadFile(filepath.Join(dir, "train.log"))
			t.Fatalf("%v\n%s", err, log)
		}
		blobs, err := os.ReadDir(filepath.Join(dir, "blobs"))
		if err != nil || len(blobs) != 1 {
			t.Fatal(blobs, err)
		}
		return blobs[0].Name()
	}
	drawn := *racingcar.Task().Scorer
	count := 0
	decode := drawn.Decode
	drawn.Decode = func() func([]bench.Value) (bench.Array, error) {
		d := decode()
		return func(shown []bench.Value) (bench.Array, error) { count++; return d(shown) }
	}
	if a, b := trained(nil), trained(&drawn); a != b || count < 2*230 {
		t.Errorf("%d frames drawn here; policy %s with stock drawing, %s with Go's", count, a, b)
	}
	drawn.Decode = func() func([]bench.Value) (bench.Array, error) {
		return func([]bench.Value) (bench.Array, error) {
			return bench.Array{}, errors.New("another pixel")
		}
	}
	r := newRun(t, python)
	r.Settings, r.Task.Scorer, r.Versions = paper(t, "racing-car"), &drawn, map[string]string{}
	if _, err := r.Execute(t.Context(), t.TempDir()); err == nil || err.Error() != "another pixel" {
		t.Errorf("a drawing that differs: %v", err)
	}
}

// openPlayers opens processes for policies with the packages of extra.
func openPlayers(t *testing.T, extra string) *host.Workers {
	t.Helper()
	env := pyenv.ForTestWith(t, extra)
	pool := host.Open(t.Context(), host.Config{
		Python:  func(context.Context, string) (string, error) { return env.Python, nil },
		Workers: 2,
	})
	t.Cleanup(func() { pool.Close() })
	return pool
}

// playWith replaces player until the test ends.
func playWith(t *testing.T, s *bench.Scorer) {
	t.Helper()
	was := player
	t.Cleanup(func() { player = was })
	player = s
}

// TestEvaluatorEquality checks that a policy has the values of a program that returns the same
// actions, because both have the same evaluator.
func TestEvaluatorEquality(t *testing.T) {
	long(t)
	players := openPlayers(t, "control")
	for _, c := range []struct {
		task            *bench.Task
		actions, params string
	}{
		{bipedal.Task(), "[0.5, -0.25, 0.125, 1.0]", "observation, last_action, prev_observation"},
		{
			racingcar.Task(), "[0.0, 0.25, 0.0]",
			"observation, car_speed, pre_action, pre_observation",
		},
	} {
		t.Run(c.task.Name, func(t *testing.T) {
			playWith(t, &bench.Scorer{
				Packages: "control", Main: "constant",
				Modules: map[string]string{"constant": fmt.Sprintf(`import numpy as np
def serve(job, ask):
    while ask(np.array(%s, np.float32)):
        pass
    return []
`, c.actions)},
			})
			scored := tasktest.Control(t, c.task)
			policy := &bench.TaskEvaluator{
				Task: c.task, Hosts: scored.Hosts,
				Loader: &Policy{paper(t, c.task.Name), "", players},
			}
			program := program.Program{Source: fmt.Sprintf(`import numpy as np
def choose_action(%s):
    return np.array(%s, np.float32)
`, c.params, c.actions)}
			splits := []string{"train", "test"}
			if c.task.Name == racingcar.Name {
				splits = splits[:1] // the test adds only ten long episodes of the same kind
			}
			for _, split := range splits {
				a, err1 := policy.Score(t.Context(), split, program)
				b, err2 := scored.Score(t.Context(), split, program)
				must.Do(t, err1, err2)
				if d := cmp.Diff(a, b); d != "" || len(a.Values) == 0 {
					t.Errorf("%s: the policy and the program differ: %s", split, d)
				}
			}
		})
	}
}

// TestObservationPath checks that a stored policy sees the observations that programs see: the
// network gets them with the channels of pictures first and scaled to 0…1, and the action is within
// the bounds of the environment.
func TestObservationPath(t *testing.T) {
	python := rl(t)
	players := openPlayers(t, Packages)
	witness := must.Read(t, filepath.Join("testdata", "witness.py"))
	playWith(t, &bench.Scorer{
		Packages: Packages, Main: "witness",
		Modules: map[string]string{
			"witness": string(witness), "policy_adapter": source("policy_adapter.py"),
		},
	})
	type array struct {
		DType string `json:"dtype"`
		Shape []int  `json:"shape"`
	}
	type account struct {
		Observation array `json:"observation"`
		Network     array `json:"network"` // the input of its first layer
		Same        bool  `json:"same"`    // whether the input is the observation
		Action      array `json:"action"`
		Inside      bool  `json:"inside"` // whether the action is within the bounds
	}
	for _, c := range []struct {
		task *bench.Task
		want account
	}{
		{racingcar.Task(), account{
			array{"uint8", []int{96, 96, 3}}, array{"float32", []int{1, 3, 96, 96}}, true,
			array{"float32", []int{3}}, true,
		}},
		{bipedal.Task(), account{
			array{"float32", []int{24}}, array{"float32", []int{1, 24}}, true,
			array{"float32", []int{4}}, true,
		}},
	} {
		t.Run(c.task.Name, func(t *testing.T) {
			s := paper(t, c.task.Name)
			path := filepath.Join(t.TempDir(), "policy")
			must.Write(t, path, check(t, python, "stored", s))
			e := tasktest.Control(t, c.task)
			e.Loader = &Policy{s, path, players}
			_, err := e.Score(t.Context(), "train", program.Program{})
			must.Do(t, err)
			var got account
			must.Do(t, json.Unmarshal(must.Read(t, path+".account"), &got))
			golden.Same(t, "the account", c.want, got)
		})
	}
}
