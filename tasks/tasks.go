// Package tasks lists the tasks. Start at All. docs/adding-a-task.md says how to add one.
package tasks

import (
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/tspaco"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// All returns the tasks in the order in which they are shown.
func All() []*bench.Task {
	return []*bench.Task{
		tspconstruct.Task(),
		tspaco.Task(),
	}
}

// Lookup returns the task of that name: one of All, or TSP-ACO with several solves to an
// evaluation, "tsp-aco@replicates=10".
func Lookup(name string) (*bench.Task, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	if text, ok := strings.CutPrefix(name, tspaco.Name+"@replicates="); ok {
		// Only the spelling that the task gives itself: a name is a folder of results.
		if n, err := strconv.Atoi(text); err == nil && n > 1 && n <= mostReplicates {
			if t := tspaco.New(tspaco.Config{Replicates: n}); t.Name == name {
				return t, true
			}
		}
	}
	return nil, false
}

// mostReplicates bounds what Lookup accepts: an evaluation of a thousand takes a minute.
const mostReplicates = 1000
