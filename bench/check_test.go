package bench_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// source is a Target without a process: only the text of a program.
type source string

func (source) Call(context.Context, ...bench.Value) (bench.Value, error) {
	return bench.None{}, nil
}
func (source) Upload(context.Context, bench.Array) (bench.Handle, error) { return 0, nil }
func (source) Close() error                                              { return nil }
func (source) CPU() time.Duration                                        { return 0 }
func (source) Limit() time.Duration                                      { return 0 }
func (source) Pin(bench.Host) (release func())                           { return func() {} }

type sources struct{}

func (sources) Load(_ context.Context, text, _, _ string, _ bench.Limits) (bench.Target, error) {
	return source(text), nil
}

// noisy returns the evaluator of a task with two test splits and a re-evaluation. One instance of
// the split "hard" fails. The split then has no score, or a partial score if each instance has its
// own process.
func noisy(isolated bool) *bench.TaskEvaluator {
	value := func(parts ...any) float64 {
		p := program.Program{Source: fmt.Sprint(parts...)}
		o, _ := (&benchtest.Evaluator{}).Evaluate(context.Background(), p)
		return o.Values[0]
	}
	task := &bench.Task{
		Problem: benchtest.Problem(), Isolated: isolated,
		Splits: []bench.Split{
			{Name: "train", Instances: 1},
			{Name: "test", Instances: 3}, {Name: "hard", Instances: 2},
		},
		Val:    &bench.Split{Name: record.Val, Instances: 2},
		Digest: func(split string) string { return split },
		Score: func(_ context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
			if in.Split == "hard" && in.Number == 1 {
				err := record.Faultf(record.Raised, "ValueError: instance %d", in.Number)
				return bench.Measure{}, err
			}
			return bench.Measure{Value: value(f, in.Split, in.Number)}, nil
		},
		Rescore: &bench.Rescore{Top: 4, Replicates: 3,
			Score: func(_ context.Context, replicate int, in bench.Instance, f bench.Target) (
				float64, error) {
				return value(f, replicate, in.Number), nil
			}},
	}
	return &bench.TaskEvaluator{Task: task, Loader: sources{}}
}

// finished makes a finished run in its own directory.
func finished(t *testing.T, isolated bool) (*bench.Run, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	c := benchtest.Config{
		Model: model(), Evaluator: &benchtest.Evaluator{FailShare: 0.2}, Budget: 30, Dir: dir,
	}
	benchtest.Run(t, &climber{Window: 4}, c)
	tests := []string{"test", "hard", record.Val}
	if _, err := bench.Finish(t.Context(), dir, noisy(isolated), tests); err != nil {
		t.Fatal(err)
	}
	return benchtest.Prepare(t, &climber{Window: 4}, c), dir
}

// check repeats the checks of verify --rescore.
func check(t *testing.T, dir string, isolated bool) error {
	l, err := record.Load(dir)
	if err != nil {
		return err
	}
	_, _, err = noisy(isolated).CheckTests(t.Context(), l, 1)
	return cmp.Or(err, l.CheckFiles())
}

// TestEveryFieldOfAResultIsChecked changes each value in result.json, one at a time. One result
// contains the digest of the journal, and another does not.
func TestEveryFieldOfAResultIsChecked(t *testing.T) {
	for _, isolated := range []bool{false, true} {
		_, dir := finished(t, isolated)
		must.Do(t, check(t, dir, isolated))
		path := filepath.Join(dir, "result.json")
		fields := 0
		var root map[string]any
		var change func(name string, v any, set func(any))
		try := func(name string, set func(any), old, v any) {
			fields++
			set(v)
			data, err := json.Marshal(root)
			must.Do(t, err)
			must.Write(t, path, data)
			if err := check(t, dir, isolated); err == nil {
				t.Errorf("no error for %s = %v", name, v)
			}
			set(old)
		}
		change = func(name string, v any, set func(any)) {
			switch old := v.(type) {
			case map[string]any:
				for k, inner := range old {
					change(name+"."+k, inner, func(v any) { old[k] = v })
				}
			case []any:
				for i, inner := range old {
					change(fmt.Sprintf("%s[%d]", name, i), inner, func(v any) { old[i] = v })
				}
			case float64:
				try(name, set, old, old+1)
			case string:
				try(name, set, old, old+"0")
			case bool:
				try(name, set, old, !old)
			}
		}
		must.Do(t, json.Unmarshal(must.Read(t, path), &root))
		if isolated {
			delete(root, "journal") // as older versions wrote it
		}
		change("", root, nil)
		if fields < 40 {
			t.Errorf("only %d fields were tried", fields)
		}
	}
}

// TestFilesThatAreNotTheJournals replaces each file of a run with another run's file or a
// damaged one, or removes it.
func TestFilesThatAreNotTheJournals(t *testing.T) {
	run, done := finished(t, false)
	before := journalOf(t, done)
	other := t.TempDir()
	// The evaluator differs, the header does not.
	c := benchtest.Config{Model: model(), Budget: 30, Dir: other}
	benchtest.Run(t, &climber{Window: 4}, c)
	_, err := bench.Finish(t.Context(), other, noisy(false), nil)
	must.Do(t, err)
	for _, tt := range []struct {
		name, file, content string // content "": of the other run; "-": no file
		checked             string // part of the check's error
		refused             bool   // the run does not continue
	}{
		{
			"another journal with the same header",
			"journal.jsonl", "", "belongs to another journal", true,
		},
		{"another result", "result.json", "", "belongs to another journal", true},
		// The search is repeated and gives the same journal.
		{"no journal", "journal.jsonl", "-", "a result but no journal", false},
		{"half a result", "result.json", `{"format":1,"task":`, "an incomplete one", false},
		{"half a run.json", "run.json", `{"header":{"format":1`, "run.json is missing, inc", false},
		{"no run.json", "run.json", "-", "run.json is missing", false},
		{
			"another run.json",
			"run.json", `{"header":{"format":1,"task":"t"}}`, "belongs to another run", true,
		},
		{"another program", "best.py", "x = 1", "best.py differs", false},
		{"no program", "best.py", "-", "best.py is missing", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			must.Do(t, os.CopyFS(dir, os.DirFS(done)))
			path := filepath.Join(dir, tt.file)
			whole := must.Read(t, path)
			must.Do(t, os.Remove(path))
			switch tt.content {
			case "-":
			case "":
				must.Write(t, path, must.Read(t, filepath.Join(other, tt.file)))
			default:
				must.Write(t, path, tt.content)
			}
			if tt.file == "journal.jsonl" {
				must.Do(t, os.Remove(filepath.Join(dir, "journal.crc")))
			}
			if err := check(t, dir, false); err == nil ||
				!strings.Contains(err.Error(), tt.checked) || strings.Contains(err.Error(), "\n") {
				t.Errorf("check = %v, want one line with %q", err, tt.checked)
			} else if hint.Of(err) == "" && !errors.Is(err, record.ErrTorn) {
				t.Errorf("no hint: %v", err)
			}
			_, err := run.Execute(t.Context(), dir)
			if err == nil {
				tests := []string{"test", "hard", record.Val}
				_, err = bench.Finish(t.Context(), dir, noisy(false), tests)
			}
			if tt.refused != (err != nil) {
				t.Errorf("the run continues with error %v, want refused %v", err, tt.refused)
			}
			if err != nil {
				return
			}
			if err := check(t, dir, false); err != nil {
				t.Error(err)
			}
			now := must.Read(t, path)
			switch {
			case !bytes.Equal(before, journalOf(t, dir)):
				t.Error("the journal changed")
			case tt.file == "run.json" &&
				!bytes.Contains(now, []byte(`"unknown": "run.json was lost`)):
				t.Errorf("run.json: %s", now)
			case tt.file != "run.json" && !bytes.Equal(whole, now):
				t.Errorf("%s was not restored", tt.file)
			}
		})
	}
}
