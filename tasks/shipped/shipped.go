// Package shipped has the Python tasks that are part of pacebench. Start at All. Each task is a
// file NAME.py as in docs/your-task.md, and a file NAME.json with its properties, so that pacebench
// can list tasks without Python. The package's test writes the JSON.
package shipped

import (
	"embed"
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/bench"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

//go:embed *.py *.json rules/*.py
var files embed.FS

// names has the file names without extension, in the order in which lists show the tasks.
var names = []string{"obp_weibull", "tsp_construct_mcts", "tsp_construct_local", "asp", "circle26"}

// All returns the tasks.
func All() []*bench.Task {
	var all []*bench.Task
	for _, name := range names {
		all = append(all, Task(name))
	}
	return all
}

// Task reads the named task, which must exist.
func Task(name string) *bench.Task {
	file := strings.ReplaceAll(name, "-", "_")
	t, err := pytask.Shipped(file+".py", read(file+".py"), read(file+".json"))
	if err != nil {
		panic(fmt.Sprintf("shipped: %s: %v", name, err))
	}
	t.Modules = programs.Modules()
	return t
}

// Rule returns rules/NAME.py, the program of a baseline row that is not a reference of its task.
func Rule(name string) string {
	return string(read("rules/" + strings.ReplaceAll(name, "-", "_") + ".py"))
}

func read(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic("shipped: embedded files: " + err.Error())
	}
	return text
}
