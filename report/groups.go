package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record/results"
)

func byModels(groups []*group) []*group {
	return slices.SortedStableFunc(slices.Values(groups), func(a, b *group) int {
		return cmp.Or(cmp.Compare(rowKey(a).Models, rowKey(b).Models), compareRows(a, b))
	})
}

// rowKey returns the key of a group's row. The key has no task. It has models only if the group
// asked a model, and it has the group's world instead of the lock.
func rowKey(g *group) results.Key {
	k := g.Key
	k.Task, k.Lock = "", g.world
	if g.Baseline() {
		k.Models = ""
	}
	return k
}

// remarks returns the notes on a group for CSV files, which have no notes below the table.
func remarks(g *group) []string {
	var out []string
	if g.Offline() {
		out = append(out, "offline model")
	}
	if g.Unsafe() {
		out = append(out, "unsafe sandbox")
	}
	if len(g.Finished()) < len(g.Runs) {
		out = append(out, "unfinished seeds")
	}
	return out
}

// rowRemarks returns the remarks of all groups of a row, each once.
func rowRemarks(groups []*group) []string {
	var out []string
	for _, g := range groups {
		out = append(out, remarks(g)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gather groups values with equal keys. The groups have the order of their first values.
func gather[T any, K comparable](list []T, key func(T) K) [][]T {
	var out [][]T
	place := map[K]int{}
	for _, v := range list {
		i, known := place[key(v)]
		if !known {
			i = len(out)
			place[key(v)], out = i, append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

// byTask returns the groups of each task, in the order of tasks.
func byTask(groups []*group) [][]*group {
	out := gather(groups, func(g *group) string { return g.Task })
	slices.SortFunc(out, func(a, b []*group) int { return compareTasks(a[0].task, b[0].task) })
	return out
}

// tasksOf lists the tasks of the groups in the order of tasks.
func tasksOf(groups []*group) []task {
	var out []task
	for _, own := range byTask(groups) {
		out = append(out, own[0].task)
	}
	return out
}

// titlesOf returns the titles of the groups' tasks in the order of tasks.
func titlesOf(groups []*group) []string {
	var out []string
	for _, t := range tasksOf(groups) {
		out = append(out, t.Title)
	}
	return out
}

// runsOf lists the runs of all groups.
func runsOf(groups []*group) []*results.Run {
	var out []*results.Run
	for _, g := range groups {
		out = append(out, g.Runs...)
	}
	return out
}

// where returns the elements of a list for which keep is true.
func where[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return !keep(v) })
}

// with appends x to list, unless list contains x.
func with[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// rowNotes returns the notes of all rows. Rows with the same note share it.
func rowNotes(groups []*group, of func(*group) string) (notes []string) {
	noted := where(groups, func(g *group) bool { return of(g) != "" })
	for _, own := range gather(noted, of) {
		notes = append(notes, listed(own)+": "+of(own[0])+".")
	}
	return notes
}

// listed returns the titles of some rows, each once.
func listed(groups []*group) string {
	var names []string
	for _, g := range groups {
		names = with(names, g.title())
	}
	return strings.Join(names, "; ")
}
