package report

import (
	"fmt"
	"slices"

	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// A Report is what was written of some results, in the order of a page that shows it.
type Report struct {
	Summary  string
	Banners  []string // what must be seen before any number
	Warnings []results.Warning
	Tasks    []Section
	Across   []Artifact[*Table] // tables over tasks
	Reading  []Paragraph        // how to read the tables
}

// A Section is one task.
type Section struct {
	Anchor, Title string
	Tables        []Artifact[*Table] // main first
	Figures       []Artifact[*figure.Figure]
	Runs          []Run
}

// A Run is one run of a section.
type Run struct {
	*results.Run
	Anchor, Title string
	Digits        int // of its values
	Operators     *Table
}

// An Artifact is a table or a figure with the stem of its files.
type Artifact[T any] struct {
	Value T
	Stem  string
}

// newReport puts tables and figures into sections.
func newReport(s *results.Store, l Labels, tables []Artifact[*Table],
	figures []Artifact[*figure.Figure]) *Report {
	groups := l.groups(s)
	tasks := byTask(groups)
	p := &Report{
		Warnings: s.Warnings, Banners: banners(groups), Reading: reading(tables),
		Summary: fmt.Sprintf("%s, %s on %s.", count(len(s.Runs), "run"),
			count(len(groups), "row"), count(len(tasks), "task")),
	}
	section := map[string]int{} // by task
	for i, own := range tasks {
		task := own[0].task
		sec := Section{Anchor: render.FileName(task.key), Title: task.Title}
		section[task.id] = i
		for _, f := range figures {
			if f.Value.Task == task.id {
				sec.Figures = append(sec.Figures, f)
			}
		}
		for _, g := range own {
			for _, r := range g.Runs {
				sec.Runs = append(sec.Runs, g.run(r))
			}
		}
		p.Tasks = append(p.Tasks, sec)
	}
	for _, t := range tables {
		if i, ok := section[t.Value.Task]; ok {
			p.Tasks[i].Tables = append(p.Tasks[i].Tables, t)
		} else {
			p.Across = append(p.Across, t)
		}
	}
	return p
}

// banners say what must be seen before any number.
func banners(groups []*group) []string {
	var out []string
	if slices.ContainsFunc(groups, (*group).Offline) {
		out = append(out, offlineNote)
	}
	if slices.ContainsFunc(groups, (*group).Unsafe) {
		out = append(out, unsafeNote)
	}
	return out
}

// Banners say of a store what must be seen before any number of it.
func Banners(s *results.Store) []string { return banners(Labels{}.groups(s)) }

func (g *group) run(r *results.Run) Run {
	out := Run{
		Run: r, Digits: g.task.Digits, Operators: operatorTable(r),
		Title: fmt.Sprintf("%s, seed %d", g.title(), r.Header.Seed),
		Anchor: render.FileName(
			fmt.Sprintf("run-%s-%s-%s-%d", g.Task, g.Row(), g.Models, r.Header.Seed)),
	}
	if g.Models != "" {
		out.Title += ", " + modelTitle(g.Models)
	}
	return out
}
