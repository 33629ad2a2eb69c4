package cli

import (
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/baselines"
	"github.com/pacebench/pacebench/tasks/baselines/ppo"
)

// labels returns the labels of tasks, baselines and methods in the order of their lists. Tasks and
// methods in Python come last.
func labels(files *suite.Files) report.Labels {
	l := report.Labels{Tasks: append(tasks.All(), files.All()...)}
	for _, r := range baselines.All("") {
		home := r.Task
		if !slices.Contains(suite.Names(), home) {
			home = "field"
		}
		l.Methods = append(l.Methods, bench.Label{
			Name: r.Name, Title: r.Title, Tasks: []string{r.Task},
			Settings: r.Settings, Footnote: r.Footnote,
			Absent: "not run (pacebench suite " + home + " runs it)",
		})
	}
	l.Methods = append(l.Methods, ppo.Label())
	for _, m := range append(methods.All(), files.Methods()...) {
		l.Methods = append(l.Methods, bench.LabelOf(m))
	}
	return l
}
