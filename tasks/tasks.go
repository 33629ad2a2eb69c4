// Package tasks lists the tasks. Start at All. docs/extend-in-go.md explains how to add a task.
package tasks

import (
	"slices"
	"strings"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/tasks/bipedal"
	"github.com/pacebench/pacebench/tasks/bppaco"
	"github.com/pacebench/pacebench/tasks/cvrpaco"
	"github.com/pacebench/pacebench/tasks/mkpaco"
	"github.com/pacebench/pacebench/tasks/opaco"
	"github.com/pacebench/pacebench/tasks/racingcar"
	"github.com/pacebench/pacebench/tasks/shipped"
	"github.com/pacebench/pacebench/tasks/tspaco"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
	"github.com/pacebench/pacebench/tasks/tspgls"
)

// All returns the tasks: first the paper's tasks, then the other tasks. Each is a copy, so a caller
// may set its fields.
func All() []*bench.Task {
	tasks := slices.Clone(all())
	for i, t := range tasks {
		own := *t
		own.Splits = slices.Clone(t.Splits)
		tasks[i] = &own
	}
	return tasks
}

// all reads the task files once.
var all = sync.OnceValue(func() []*bench.Task { return slices.Concat(inGo(), shipped.All()) })

func inGo() []*bench.Task {
	return []*bench.Task{
		racingcar.Task(),
		bipedal.Task(),
		tspaco.Task(),
		tspconstruct.Task(),
		cvrpaco.Task(),
		mkpaco.Task(),
		opaco.Task(),
		bppaco.Task(),
		tspgls.Task(),
	}
}

// Paper returns the paper's tasks in the order of its tables.
func Paper() []*bench.Task { return All()[:4] }

// SourceTexts is a task setting that limits the texts for the model to what the task's sources say,
// as in "tsp-construct@texts=source". It must be the last setting.
const SourceTexts = "texts=source"

// Lookup returns the named task from All, or a variant of it with settings, such as
// "tsp-aco@replicates=10" for the mean of ten solves.
func Lookup(name string) (*bench.Task, bool) {
	rest, sourced := strings.CutSuffix(name, SourceTexts)
	if !sourced {
		return lookup(name)
	}
	base, separator := rest[:max(len(rest)-1, 0)], "@"
	if strings.Contains(base, "@") {
		separator = ","
	}
	t, ok := lookup(base)
	if !ok || rest != base+separator || t.Sourced.Description == "" {
		return nil, false
	}
	t.Name, t.Description, t.Template.Doc = name, t.Sourced.Description, t.Sourced.Doc
	return t, true
}

func lookup(name string) (*bench.Task, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	if t, ok := racingcar.Lookup(name); ok {
		return t, true
	}
	if t, ok := cvrpaco.Lookup(name); ok {
		return t, true
	}
	return tspaco.Lookup(name)
}
