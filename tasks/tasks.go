// Package tasks lists the tasks. Start at All. docs/adding-a-task.md says how to add one.
package tasks

import (
	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/bipedal"
	"github.com/pacebench/pacebench/tasks/racingcar"
	"github.com/pacebench/pacebench/tasks/tspaco"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// All returns the tasks in the order of the paper's tables.
func All() []*bench.Task {
	return []*bench.Task{
		racingcar.Task(),
		bipedal.Task(),
		tspaco.Task(),
		tspconstruct.Task(),
	}
}

// Lookup returns the task of that name: one of All, or one of them with settings, such as
// "tsp-aco@replicates=10" for the mean of ten solves.
func Lookup(name string) (*bench.Task, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	if t, ok := racingcar.Lookup(name); ok {
		return t, true
	}
	return tspaco.Lookup(name)
}
