package binpacking

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/offline"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/py/sandbox"
	"github.com/pacebench/pacebench/bench/python"
)

func TestMain(m *testing.M) {
	if sandbox.Reexec() {
		return
	}
	os.Exit(m.Run())
}

func TestTheGuideShowsThisFile(t *testing.T) {
	page, err := os.ReadFile("../../../docs/adding-a-task.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("task_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```go\n"+string(code)+"```\n") {
		t.Error("docs/adding-a-task.md does not show task_test.go as it is")
	}
}

// scorer scores the source of a program in training.
func scorer(t *testing.T, task *bench.Task) func(source string) bench.Outcome {
	env := python.ForTest(t)
	pool, err := sandbox.Open(context.Background(), sandbox.Config{Python: env.Python})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(source string) bench.Outcome {
		o, err := (&bench.TaskEvaluator{Task: task, Loader: pool}).Score(
			context.Background(), "train", program.Program{Source: source})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
}

// The offline model begins with the template's body and the references.
func TestOfflineProgramsWithoutAVocabulary(t *testing.T) {
	task := Task()
	score := scorer(t, task)
	m := offline.New([]*bench.Task{task}, offline.Rates{offline.Repaired: 1})
	prompt := "The Python function to design:\n\n" + task.Template.Header() +
		"\n    \"\"\"Rate.\"\"\"\n\nAnswer with the code only."
	scores := map[float64]bool{}
	for draw := range uint64(20) {
		reply, err := m.Complete(t.Context(),
			llm.Request{User: llm.Text(prompt), Temperature: 1, Draw: draw})
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := strings.Cut(reply.Text, "```python\n")
		o := score(strings.TrimSuffix(code, "```"))
		if !o.OK() {
			t.Errorf("draw %d: %v in\n%s", draw, o.Fault, code)
		}
		scores[o.Score] = true
	}
	if len(scores) < 3 {
		t.Errorf("%d different scores", len(scores))
	}
}

func TestProgramsAndTheirBins(t *testing.T) {
	task := Task()
	source := scorer(t, task)
	// No packing has fewer bins than the items fill.
	least := 0.0
	for i := range task.Splits[0].Instances {
		sum := 0
		for _, item := range items("train", i) {
			sum += item
		}
		least += math.Ceil(float64(sum)/capacity) / float64(task.Splits[0].Instances)
	}
	score := func(body string) bench.Outcome {
		return source("import numpy as np\ndef rate_bins(item, room):\n " + body + "\n")
	}
	bestFit, worstFit := score(task.Template.Body), score("return room.astype(float)")
	newBin := score("return np.arange(len(room)) * 1.0")
	if !(least <= -bestFit.Score && -bestFit.Score < -worstFit.Score && -newBin.Score == 120) {
		t.Errorf("bins: at least %v, best fit %v, worst fit %v, a new one for each %v",
			least, -bestFit.Score, -worstFit.Score, -newBin.Score)
	}
	for body, want := range map[string]string{
		"return room":                        "invalid: returned no float64 array of shape (1,)",
		"return np.zeros(len(room) + 1)":     "invalid: returned no float64 array of shape (1,)",
		"return np.full(len(room), np.nan)":  "nonfinite: rating 0 is NaN",
		"return None":                        "invalid: returned no float64 array of shape (1,)",
		"raise ValueError('no bin is good')": "raised: line 3: ValueError: no bin is good",
	} {
		if o := score(body); o.OK() || !strings.HasPrefix(o.Fault.Error(), want) {
			t.Errorf("%s: %+v, want %s", body, o.Fault, want)
		}
	}
	if task.Digest("train") == task.Digest("test") ||
		task.Digest("train") != Task().Digest("train") {
		t.Error("digests do not tell the splits apart")
	}
}
