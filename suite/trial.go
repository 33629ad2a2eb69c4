package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// A user's task is tried before the first request: its template and its references are scored on
// the training split. Tasks in Go and LLM4AD's tasks need no trial, because pacebench's own tests
// check their scores.

var errTask = errors.New("the task is wrong")

// mostTripped ends a run of a user's task when the task fails on the answers of this many programs
// in a row, because the task may be wrong. A smaller number would end runs of a weak model. A
// larger number would pay for more answers that cannot be scored.
const mostTripped = 10

// A trial is the outcome of a task's template on the training split.
type trial struct {
	Value   *float64      `json:"value"` // of the template; nil: the template failed
	Fault   *record.Fault `json:"fault,omitempty"`
	Seconds float64       `json:"seconds"` // worker time of the template
}

// own reports whether a task is a file of the user.
func (o Options) own(t *bench.Task) bool {
	return slices.Contains(o.Files.All(), t) && pytask.OfRun(t.Name) == ""
}

// trialPath returns the file for a task's trial. The version identifies everything that affects a
// score.
func trialPath(t *bench.Task) (string, error) {
	dir, err := pyenv.CacheDir()
	return filepath.Join(dir, "tasks", SafeName(t.Name+"-"+t.Version)+".json"), err
}

// keptTrial returns the trial that an earlier command kept, or nil.
func keptTrial(t *bench.Task) *trial {
	path, err := trialPath(t)
	if err != nil {
		return nil
	}
	data, err := plain.Read(path, MaxFile)
	var kept trial
	if err != nil || json.Unmarshal(data, &kept) != nil {
		return nil
	}
	return &kept
}

// TryTasks tries each user's task that a planned search uses, so that a faulty task ends the
// command before the first paid request. It stores the outcome, so that no later run repeats the
// trial.
func (w *Backend) TryTasks(ctx context.Context, o Options, runs []*Planned) error {
	tried := map[*bench.Task]bool{}
	for _, p := range runs {
		if t := p.Task; p.Method != nil && o.own(t) && !tried[t] {
			tried[t] = true
			if _, err := w.try(ctx, o, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// try returns the trial of a task, or an error if the task is wrong.
func (w *Backend) try(ctx context.Context, o Options, t *bench.Task) (*trial, error) {
	if kept := keptTrial(t); kept != nil {
		return kept, nil
	}
	e := w.Evaluator(t, cmp.Or(o.TimeScale, 1), nil)
	programs := append([]bench.Reference{{Name: "its template", Source: t.Default()}},
		t.References...)
	var made trial
	for i, p := range programs {
		if i > 0 {
			p.Name = "its reference " + p.Name
		}
		got, err := e.Evaluate(ctx, program.Program{Source: p.Source})
		if err != nil {
			return nil, fmt.Errorf("%s: %s on %s: %w", t.Name, p.Name, t.Splits[0].Name, err)
		}
		// A template may fail on purpose. A reference that is too slow may run on a faster machine.
		if f := got.Fault; f != nil && (f.Kind == bench.NonFinite || f.Tripped() ||
			i > 0 && f.Kind != bench.Timeout && f.Kind != bench.Memory) {
			return nil, hint.Add(fmt.Errorf("%s: %w: %s has no score on %s: %w",
				t.ScoreLine, errTask, p.Name, t.Splits[0].Name, f),
				"no request was made; pacebench check-task tests the whole file")
		} else if f != nil {
			fmt.Fprintf(o.Notes, "pacebench: note: %s: %s has no score on %s: %v\n",
				t.Name, p.Name, t.Splits[0].Name, f)
		}
		if i == 0 {
			made.Fault, made.Seconds = got.Fault, got.Spent.Busy.Seconds()
			if got.Fault == nil {
				value := t.Goal.Value(got.Score)
				made.Value = &value
			}
		}
	}
	path, err := trialPath(t)
	if err != nil {
		return &made, nil // without a cache, each command repeats the trial
	}
	data, err := json.Marshal(made)
	if err == nil && os.MkdirAll(filepath.Dir(path), 0o755) == nil {
		_ = journal.WriteFile(path, append(data, '\n'))
	}
	return &made, nil
}
