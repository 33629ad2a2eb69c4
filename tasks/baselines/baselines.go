// Package baselines has the rows of tables that need no language model, for comparison with the
// methods. They use the instances, the tours and the colony of the tasks, so their numbers are
// comparable with the methods' numbers. Start at All.
package baselines

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/bench"
)

// A Baseline is a row of a task's tables whose values come from a method without a language model.
type Baseline struct {
	Name  string // "greedy", as results and tables name it
	Title string // "Greedy Construct", in tables
	Task  string // the task's name
	// Footnote is a note on the row's numbers; it may be empty.
	Footnote string
	// Settings describes what determines the row's values, for the table of these rows.
	Settings string
	// Run returns one value per instance of a split in the task's unit. It is deterministic and
	// safe for concurrent use.
	Run func(ctx context.Context, split string) ([]float64, error)
	// Program is the source of a row that runs in the sandbox like a candidate. Such a row has no
	// Run.
	Program string
}

// All returns the baselines in the order of the tables. deepaco is the directory of DeepACO's
// checkpoints; "" is the directory of scripts/fetch-deepaco.
func All(deepaco string) []Baseline {
	rows := rows()
	return slices.Concat(rows[0], DeepACO(deepaco), rows[1])
}

// byProgram returns the row of a reference program of a task, or of its template's default body if
// the name of the reference is empty.
func byProgram(t *bench.Task, name, title, reference, settings string) Baseline {
	b := Baseline{Name: name, Title: title, Task: t.Name, Settings: settings}
	if reference == "" {
		b.Program = t.Default()
		return b
	}
	i := slices.IndexFunc(t.References, func(r bench.Reference) bool { return r.Name == reference })
	b.Program = t.References[i].Source // a row that names no reference is a mistake in this package
	return b
}

// each returns the Run of a row that applies a rule to one instance after the other.
func each(
	task *bench.Task, rule func(split string, instance int) (float64, error),
) func(ctx context.Context, split string) ([]float64, error) {
	return func(ctx context.Context, split string) ([]float64, error) {
		s, ok := task.Split(split)
		if !ok {
			return nil, fmt.Errorf("%s has no split %q", task.Name, split)
		}
		values := make([]float64, s.Instances)
		for i := range values {
			err := ctx.Err()
			if err == nil {
				values[i], err = rule(split, i)
			}
			if err != nil {
				return nil, err
			}
		}
		return values, nil
	}
}

// rows returns the rows before and after DeepACO's. It reads the files of their tasks only once.
var rows = sync.OnceValue(func() [2][]Baseline {
	return [2][]Baseline{
		slices.Concat([]Baseline{greedy()}, planned(), []Baseline{aco()}),
		slices.Concat(textbook(), rules()),
	}
})

// Lookup returns the named baseline of a task. All describes deepaco.
func Lookup(task, name, deepaco string) (Baseline, bool) {
	all := All(deepaco)
	i := slices.IndexFunc(all, func(b Baseline) bool { return b.Task == task && b.Name == name })
	if i >= 0 {
		return all[i], true
	}
	return Baseline{}, false
}
