// Package baselines holds the rows of the tables that search without a language model.
// They use the instances, the tours and the colony of the tasks, so that their numbers stand
// beside those of the methods. Start at All.
package baselines

import (
	"context"
	"slices"
)

// A Row is a baseline on one task.
type Row struct {
	Name  string // "greedy", as results and tables name it
	Title string // "Greedy Construct", in tables
	Task  string // the task's name
	// Run returns one value per instance of a split in the task's own unit. It is
	// deterministic and safe for concurrent use.
	Run func(ctx context.Context, split string) ([]float64, error)
}

// All returns the rows in the order of the tables. DeepACO's checkpoints are in the directory deepaco;
// "" is where scripts/fetch-deepaco puts them.
func All(deepaco string) []Row {
	return slices.Concat([]Row{greedy(), aco()}, DeepACO(deepaco))
}

// Lookup returns the row of that name on a task; for deepaco see All.
func Lookup(task, name, deepaco string) (Row, bool) {
	rows := All(deepaco)
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Task == task && r.Name == name }); i >= 0 {
		return rows[i], true
	}
	return Row{}, false
}
