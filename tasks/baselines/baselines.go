// Package baselines holds what the tables compare with: searches without a language model.
// They use the instances, the tours and the colony of the tasks, so that their numbers compare
// with the methods' numbers. Start at All.
package baselines

import (
	"context"
	"slices"
	"sync"
)

// A Baseline is a row of a task's tables that searches without a language model.
type Baseline struct {
	Name  string // "greedy", as results and tables name it
	Title string // "Greedy Construct", in tables
	Task  string // the task's name
	// Footnote is what must be known of the row besides its numbers; empty for nothing.
	Footnote string
	// Settings are what decides the row's values, in words, for the table of these rows.
	Settings string
	// Run returns one value per instance of a split in the task's own unit. It is
	// deterministic and safe for concurrent use.
	Run func(ctx context.Context, split string) ([]float64, error)
	// Program is the source of a row that runs in the sandbox as candidates do, in place of Run.
	Program string
}

// All returns the baselines in the order of the tables. DeepACO's checkpoints are in the directory
// deepaco; "" is where scripts/fetch-deepaco puts them.
func All(deepaco string) []Baseline {
	rows := rows()
	return slices.Concat(rows[0], DeepACO(deepaco), rows[1])
}

// rows are the rows before DeepACO's and those after them. The files of their tasks are read once.
var rows = sync.OnceValue(func() [2][]Baseline {
	return [2][]Baseline{
		slices.Concat([]Baseline{greedy()}, planned(), []Baseline{aco()}),
		slices.Concat(textbook(), rules()),
	}
})

// Lookup returns the baseline of that name on a task; for deepaco see All.
func Lookup(task, name, deepaco string) (Baseline, bool) {
	all := All(deepaco)
	i := slices.IndexFunc(all, func(b Baseline) bool { return b.Task == task && b.Name == name })
	if i >= 0 {
		return all[i], true
	}
	return Baseline{}, false
}
