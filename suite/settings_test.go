package suite

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/tasks"
)

// Settings of a task choose the task that the header names. The method gets the other settings.
func TestSettingsOfTasks(t *testing.T) {
	for _, c := range []struct{ task, sets, want, rest string }{
		{"tsp-construct", "texts=source k=5", "tsp-construct@texts=source", "k=5"},
		{"tsp-construct", "texts=own", "tsp-construct", ""},
		{"tsp-construct@texts=source", "texts=own", "tsp-construct", ""},
		{"tsp-construct@texts=source", "texts=source", "tsp-construct@texts=source", ""},
		{"tsp-aco@replicates=10", "texts=source", "tsp-aco@replicates=10,texts=source", ""},
		{"tsp-aco@replicates=10,texts=source", "texts=own", "tsp-aco@replicates=10", ""},
		{"racing-car", "texts=source renderer=stock", "racing-car@renderer=stock,texts=source", ""},
		{"racing-car@texts=source", "renderer=stock", "racing-car@renderer=stock,texts=source", ""},
		{"racing-car@renderer=stock,texts=source", "renderer=native",
			"racing-car@texts=source", ""},
	} {
		task, _ := tasks.Lookup(c.task)
		got, rest, err := SetTask(task, strings.Fields(c.sets))
		if err != nil || got.Name != c.want || strings.Join(rest, " ") != c.rest {
			t.Errorf("%s with %s: %v, %v, %v, want %s", c.task, c.sets, got, rest, err, c.want)
		}
	}
}
