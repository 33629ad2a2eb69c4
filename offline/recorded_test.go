package offline

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/tasks"
)

// TestMoreTasksChangeNoAnswer compares models that know only the paper's tasks, or all tasks: both
// give the same answers to the requests of the recorded runs. The quick tier asks every fourth.
func TestMoreTasksChangeNoAnswer(t *testing.T) {
	paper, all := New(tasks.Paper(), StatedRates()), New(tasks.All(), StatedRates())
	runs, err := filepath.Glob("../cli/testdata/recorded/*.jsonl.gz")
	if err != nil || len(runs) == 0 {
		t.Fatal("no recorded runs", err)
	}
	asked := 0
	for _, run := range runs {
		for i, r := range requests(t, run) {
			asked++
			if i%4 > 0 && os.Getenv("PACEBENCH_LONG") == "" {
				continue
			}
			want, err := paper.Complete(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := all.Complete(t.Context(), r)
			if err != nil || got.Text != want.Text {
				t.Errorf("%s, draw %d: %v, another answer:\n%s\nwant\n%s",
					filepath.Base(run), r.Draw, err, got.Text, want.Text)
				break
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d requests are recorded", asked)
	}
}

// requests returns the requests of the recorded run in a file.
func requests(t *testing.T, run string) (all []llm.Request) {
	t.Helper()
	f, err := os.Open(run)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var line struct {
			Step struct {
				Requests []struct{ Request llm.Request }
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		for _, r := range line.Step.Requests {
			all = append(all, r.Request)
		}
	}
	return all
}
