// Package baselines has the table rows that need no language model. They use the instances, tours
// and colonies of the tasks, so their numbers are comparable with the methods' numbers. Start at
// All.
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
	Name  string // name in results, such as "greedy"
	Title string // title in tables, such as "Greedy Construct"
	Task  string // the task's name
	// Footnote is a note on the row's numbers; it may be empty.
	Footnote string
	// Settings describes what determines the row's values, for the list of baselines.
	Settings string
	// Run returns one value per instance of a split in the task's unit. It is deterministic and
	// safe for concurrent use.
	Run func(ctx context.Context, split string) ([]float64, error)
	// Program, if not empty, is source that runs in the sandbox like a candidate; Run is then nil.
	Program string
}

// All returns the baselines in the order of the tables. deepaco is the directory of DeepACO's
// checkpoints; "" means the directory that scripts/fetch-deepaco uses by default.
func All(deepaco string) []Baseline {
	rows := rows()
	return slices.Concat(rows[0], DeepACO(deepaco), rows[1])
}

// byProgram returns a row whose program is the named reference program of a task, or the default
// body of the task's template if reference is "".
func byProgram(t *bench.Task, name, title, reference, settings string) Baseline {
	b := Baseline{Name: name, Title: title, Task: t.Name, Settings: settings}
	if reference == "" {
		b.Program = t.Default()
		return b
	}
	i := slices.IndexFunc(t.References, func(r bench.Reference) bool { return r.Name == reference })
	b.Program = t.References[i].Source // panics if this package names an unknown reference
	return b
}

// each returns a Run that applies a rule to the instances of a split, one after the other.
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

// rows returns the rows before and after DeepACO's rows. It reads the task files only once.
var rows = sync.OnceValue(func() [2][]Baseline {
	return [2][]Baseline{
		slices.Concat([]Baseline{greedy()}, planned(), []Baseline{aco()}),
		slices.Concat(textbook(), rules()),
	}
})

// Lookup returns the named baseline of a task. See All for deepaco.
func Lookup(task, name, deepaco string) (Baseline, bool) {
	all := All(deepaco)
	i := slices.IndexFunc(all, func(b Baseline) bool { return b.Task == task && b.Name == name })
	if i >= 0 {
		return all[i], true
	}
	return Baseline{}, false
}
