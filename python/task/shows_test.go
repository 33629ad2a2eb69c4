//go:build linux

package pytask

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record"
)

// shown is a task whose score draws random numbers, and which shows what programs do.
var shown = strings.NewReplacer("@task.score\n", "",
	"import random", "import random\nfrom pacebench.task import Rescore",
	"cpu=20", "cpu=20, noisy=Rescore(top=3, replicates=2)",
).Replace(variant(true, true, true)) + `
@task.score
def traced(number, pick):
    return picked(number, pick), {"number": number, "picked": np.arange(3)}

@task.evidence
def drawn(number, trace):
    assert trace["number"] == number
    return f"instance {number}: {trace['picked'].tolist()}", np.full((4, 6), 9, np.uint8)

@task.film
def filmed(number, pick, show):
    for answer in range(3):
        show(np.full((2, 2, 3), answer, np.uint8), f"picture {answer}")
        pick(NUMBERS, last=0)
`

// A task shows a program in pictures and texts, and its score draws new random numbers for
// replicates.
func TestWhatTasksShow(t *testing.T) {
	e, p := tasks(t)(shown), program.Program{Source: honest}
	task := e.Task
	e.Evidence = true
	got, err := e.Evaluate(t.Context(), p)
	if err != nil || got.Fault != nil || len(got.Evidence) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	worst := "0"
	if got.Values[1] < got.Values[0] {
		worst = "1"
	}
	text, picture := got.Evidence[0], got.Evidence[1]
	if string(text.Data) != "instance "+worst+": [0, 1, 2]" || text.MediaType != "text/plain" {
		t.Errorf("%s %q", text.MediaType, text.Data)
	}
	img, err := png.Decode(bytes.NewReader(picture.Data))
	if err != nil || img.Bounds().Dx() != 6 || img.Bounds().Dy() != 4 {
		t.Errorf("%s: %v, %v", picture.MediaType, img, err)
	}

	var titles []string
	value, fault, err := e.Film(t.Context(), "train", 1, p, bench.Film{
		Show: func(p bench.Picture) error { titles = append(titles, p.Title); return nil },
	})
	if err != nil || fault != nil || value != got.Values[1] || len(titles) != 3 ||
		titles[2] != "picture 2" {
		t.Errorf("a film of %v: %v, %v, %v", titles, value, fault, err)
	}

	seen := map[float64]bool{got.Score: true}
	for _, replicate := range []int{1, 2, 1} {
		again := *task
		again.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (
			m bench.Measure, err error) {
			m.Value, err = task.Rescore.Score(ctx, replicate, in, f)
			return m, err
		}
		seen[outcome(t, with(e, &again), honest).Score] = true
	}
	if len(seen) != 3 || task.Rescore.Top != 3 || task.Rescore.Replicates != 2 {
		t.Errorf("values %v of %+v", seen, task.Rescore)
	}
}

// main scores the template of a file that is run, and does nothing in a file that is imported.
func TestMainOfATask(t *testing.T) {
	source := variant(true, false, false) + "task.main()\n"
	if _, err := load(t, "alone.py", source); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "alone.py")
	must.Write(t, path, source)
	module, err := filepath.Abs(filepath.Join("..", "..", "python"))
	must.Do(t, err)
	cmd := exec.Command(pyenv.ForTest(t).Python, "-B", path)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+module)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "\ntrain 0: 3.0\ntrain 1: 3.0\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// The error of a task that cannot show an answer names the line. The answer may be the cause.
func TestWrongPictures(t *testing.T) {
	at := tasks(t)
	for _, c := range [][2]string{
		{"np.full((4, 6), 9, np.uint8)", "np.full((4, 6), 9)"},
		{`{"number": number`, `{"number": {number}`},
	} {
		e := at(strings.Replace(shown, c[0], c[1], 1))
		e.Evidence = true
		o, err := e.Evaluate(t.Context(), program.Program{Source: honest})
		if err != nil || o.Fault == nil || !strings.Contains(o.Fault.Detail, record.Unusable) {
			t.Errorf("%s: %v, %v", c[1], o.Fault, err)
		}
	}
}
