package cli

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	pyenv "github.com/pacebench/pacebench/python/env"
)

// TestSecondScorer compares scripts/second_scorer.py, which shares no code with the tasks, with the
// values of pacebench score. The long tier tests all four tasks of the paper.
func TestSecondScorer(t *testing.T) {
	script := filepath.Join("..", "scripts", "second_scorer.py")
	tests := []struct {
		task, program, split, packages string
		long                           bool
	}{
		{"tsp-construct", "tspconstruct/references/lonely_first.py", "train", "", false},
		{"tsp-construct", "tspconstruct/references/way_on.py", "test200", "", true},
		{"tsp-aco", "tspaco/references/inverse.py", "train", "", true},
		{"bipedal-walker", "bipedal/references/stumble.py", "train", "control", true},
		{"racing-car", "racingcar/references/road_ahead.py", "train", "control", true},
	}
	for _, tt := range tests {
		t.Run(tt.task+"/"+tt.split, func(t *testing.T) {
			if tt.long && !benchtest.Long() {
				t.Skip("long: scripts/test-long runs it")
			}
			env := pyenv.ForTestWith(t, tt.packages)
			source := must.Read(t, filepath.Join("..", "tasks", tt.program))
			// The second scorer reads a run's directory: the evaluator's values and the program.
			out := mustRun(t, "score", "--quiet", "--json", "--task", tt.task,
				"--split", tt.split, filepath.Join("..", "tasks", tt.program))
			var scored struct {
				Mean   float64   `json:"mean"`
				Values []float64 `json:"values"`
			}
			must.Do(t, json.Unmarshal([]byte(out), &scored))
			verdict := func(mean float64) (string, error) {
				dir := t.TempDir()
				result := map[string]any{
					"task": tt.task, "best": map[string]any{"value": mean},
					"tests": map[string]any{
						tt.split: map[string]any{"mean": mean, "values": scored.Values},
					},
				}
				if tt.split == "train" {
					delete(result, "tests")
				}
				data, err := json.Marshal(result)
				must.Do(t, err)
				write(t, filepath.Join(dir, "result.json"), string(data))
				write(t, filepath.Join(dir, "best.py"), string(source))
				out, err := exec.CommandContext(t.Context(), env.Python, script, "--jobs", "2",
					"--split", tt.split, dir).CombinedOutput()
				return string(out), err
			}
			text, err := verdict(scored.Mean)
			if err != nil || !strings.Contains(text, "recorded: ") {
				t.Errorf("%v\n%s", err, text)
			}
			if tt.long {
				return
			}
			text, err = verdict(scored.Mean - 1e-8)
			if err == nil || !strings.Contains(text, "DIFFER") {
				t.Errorf("a better score passes: %s", text)
			}
		})
	}
}
