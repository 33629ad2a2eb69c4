//go:build linux

package ppo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
)

// world returns a task whose value is the sum of the policy's actions, and hosts of policies. The
// action depends on the last byte of the policy's path, so that stored policies differ.
func world() (*bench.Task, bench.Hosts) {
	t := &bench.Task{
		Problem: bench.Problem{Name: "toy", Goal: bench.Maximize}, Version: "1", Isolated: true,
		Splits: []bench.Split{{Name: "train", Instances: 2}, {Name: "test", Instances: 3}},
		Score: func(
			ctx context.Context, in bench.Instance, f bench.Target,
		) (m bench.Measure, err error) {
			for range 3 {
				v, err := f.Call(ctx, bench.Int(in.Number))
				if err != nil {
					return m, err
				}
				m.Value += float64(v.(bench.Int))
			}
			return m, nil
		},
		Digest: func(string) string { return "0123" },
	}
	return t, players{}
}

type players struct{ bench.Unmeasured }

func (players) Lend(_ context.Context, _ *bench.Scorer, use func(bench.Host) error) error {
	return use(players{})
}

func (players) Call(
	ctx context.Context, _ string, job any,
	ask func(context.Context, []bench.Value) ([]bench.Value, error),
) ([]bench.Value, error) {
	path := job.(map[string]any)["model"].(string)
	values, err := ask(ctx, nil)
	for err == nil && len(values) == 1 {
		values, err = ask(ctx, []bench.Value{values[0].(bench.Int) + bench.Int(path[len(path)-1])})
	}
	return nil, err
}

// fake returns the path of a shell script that replaces Python. Its commands write the lines that
// train.py would write.
func fake(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python")
	script := "#!/bin/sh\n" + strings.Join(lines, "\n") + "\n"
	must.Do(t, os.WriteFile(path, []byte(script), 0o755))
	return path
}

func say(line string) string { return "echo '" + line + "'" }

func digest(c string) string { return strings.Repeat(c, 64) }

// state returns the counts and the policy of a line.
func state(n int, model string) string {
	return fmt.Sprintf(`"completed":[%d,%d],"steps":%d,"updates":3,"cut_episodes":1,"cut_steps":7,`+
		`"model":%q`, n-n/2, n/2, 100*n, model)
}

func evaluation(n int, model string, value float64) string {
	return fmt.Sprintf(`{"event":"evaluation",%s,"values":[%g,%g],"score":%g}`,
		state(n, model), value, value+3, value+1.5)
}

const start = `{"event":"start","digest":"d","versions":{},"parameters":1,"completed":[0,0],` +
	`"steps":0,"updates":0,"cut_episodes":0,"cut_steps":0,"evaluations":[]}`

func newRun(t *testing.T, python string) *Run {
	t.Helper()
	task, hosts := world()
	s := paper(t, "bipedal-walker")
	s.Resets, s.TrainSeeds = 20, []int{0, 1}
	h, err := s.Head(bench.Header{
		Format: record.FormatVersion, Task: task.Name, Version: "1",
		Data: map[string]string{"train": "0123", "test": "0123"},
	})
	must.Do(t, err)
	return &Run{
		Header: h, Settings: s, Task: task, Python: python, Players: hosts, Tests: []string{"test"},
	}
}

// TestExecute runs a whole training: the task scores requested policies, barriers become steps, the
// best policy is tested, and repeating the command changes nothing.
func TestExecute(t *testing.T) {
	dir := t.TempDir()
	a, b := digest("a"), digest("b")
	value := func(c byte) float64 { return 3 * float64(c) } // of instance 0; instance 1 has 3 more
	python := fake(t,
		say(start),
		say(`{"event":"progress","completed":[3,2],"steps":500,"updates":1,"cut_episodes":0,`+
			`"cut_steps":0,"fps":99,"mean_return":null,"losses":{"loss":1.5}}`),
		say(`{"event":"evaluate",`+state(11, b)+`}`),
		"read answer; echo \"$answer\" >&2", say(evaluation(11, b, value('b'))),
		say(`{"event":"evaluate",`+state(20, a)+`}`),
		"read answer; echo \"$answer\" >&2", say(evaluation(20, a, value('a'))),
		say(`{"event":"done",`+state(20, b)+`,"best":"`+b+`","score":1}`),
	)
	r := newRun(t, python)
	var seen []int
	r.Progress = func(p bench.Progress) { seen = append(seen, p.Evaluations) }
	must.Do(t, os.MkdirAll(filepath.Join(dir, "blobs"), 0o755))
	result, err := r.Execute(t.Context(), dir)
	must.Do(t, err)
	if best := result.Best; best.Program != b || best.Evaluation != 11 ||
		best.Value != value('b')+1.5 || result.Stopped != "budget" {
		t.Errorf("%+v, stopped by %s", result.Best, result.Stopped)
	}
	if u := result.Training; u == nil || u.Steps != 2000 ||
		!slices.Equal(u.Resets, []int{10, 10}) || u.EvaluationEpisodes != 4 {
		t.Errorf("training %+v", result.Training)
	}
	if o := result.Tests["test"]; o == nil || len(o.Values) != 3 || o.Values[2] != value('b')+6 {
		t.Errorf("tests %+v", result.Tests)
	}
	if !slices.Equal(seen, []int{0, 5, 11, 20}) {
		t.Errorf("progress %v", seen)
	}
	log := string(must.Read(t, filepath.Join(dir, "train.log")))
	want := fmt.Sprintf(`{"values":[%g,%g],"score":%g}`, value('b'), value('b')+3, value('b')+1.5)
	if !strings.Contains(log, want) {
		t.Errorf("the script received %s, want %s", log, want)
	}
	journal := must.Read(t, filepath.Join(dir, "journal.jsonl"))
	r.Python = fake(t, "exit 1") // must not run, because training is complete
	if _, err := r.Execute(t.Context(), dir); err != nil {
		t.Errorf("again: %v", err)
	}
	again := must.Read(t, filepath.Join(dir, "journal.jsonl"))
	golden.Same(t, "the journal", string(journal), string(again))
}

// TestResume checks that the journal gets a barrier that only the checkpoint has, and that a
// checkpoint that contradicts the journal is an error.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	a := digest("a")
	known := strings.TrimPrefix(evaluation(11, a, 5), `{"event":"evaluation",`)
	resumed := strings.Replace(start, `"evaluations":[]`, `"evaluations":[{`+known+`]`, 1)
	r := newRun(t, fake(t, say(resumed), "exit 3"))
	for range 2 {
		if _, err := r.Execute(t.Context(), dir); err == nil || hint.Of(err) == "" {
			t.Fatalf("a script that ends early: %v", err)
		}
	}
	lines := string(must.Read(t, filepath.Join(dir, "journal.jsonl")))
	if strings.Count(lines, "\n") != 2 {
		t.Error(lines)
	}
	r.Python = fake(t, say(strings.Replace(resumed, "[5,8]", "[5,9]", 1)))
	_, err := r.Execute(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "barrier 1") {
		t.Errorf("another policy: %v", err)
	}
}

// TestErrors checks that the script's errors come with a hint, and that a line outside the protocol
// ends the run.
func TestErrors(t *testing.T) {
	for line, want := range map[string]error{
		`{"event":"error","kind":"missing","message":"torch is not installed"}`: ErrRefused,
		`{"event":"error","kind":"packages",` +
			`"message":"pygame and pygame-ce are both there"}`: ErrRefused,
		`{"event":"error","kind":"settings",` +
			`"message":"learning_rate 1, this job has 2"}`: ErrRefused,
		`{"event":"error","kind":"broken","message":"ValueError: nan"}`: nil,
		`Warning: a library speaks`:                                     errProtocol,
		`{"event":"stop"}`:                                              errProtocol,
		evaluation(5, "../../x", 1):                                     errProtocol,
		`{"event":"evaluate",` + state(5, "../../../etc/passwd") + `}`:  errProtocol,
	} {
		_, err := newRun(t, fake(t, say(line))).Execute(t.Context(), t.TempDir())
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", line, err, want)
		}
		if !errors.Is(err, errProtocol) && hint.Of(err) == "" {
			t.Errorf("%s: no hint: %v", line, err)
		}
	}
}
