package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// A Report has the tables and figures that were written, in the order of the page.
type Report struct {
	Summary  string
	Banners  []string // reasons to doubt all numbers
	Warnings []results.Warning
	Tasks    []Section
	Across   []Artifact[*Table] // tables over several tasks
	Reading  []Paragraph        // how to read the tables
}

type Section struct {
	Anchor, Title string
	Tables        []Artifact[*Table] // main first
	Figures       []Artifact[*figure.Figure]
	Runs          []Run
}

type Run struct {
	*results.Run
	Anchor, Title string
	Digits        int // decimals of the run's values
	Operators     *Table
}

// An Artifact is a table or a figure with the stem of its files.
type Artifact[T any] struct {
	Value T
	Stem  string
}

func newReport(s *results.Store, l Labels, tables []Artifact[*Table],
	figures []Artifact[*figure.Figure]) *Report {
	groups := l.groups(s)
	tasks := byTask(groups)
	p := &Report{
		Warnings: s.Warnings, Banners: banners(groups), Reading: reading(tables),
		Summary: fmt.Sprintf("%s, %s on %s.", count(len(s.Runs), "run"),
			count(len(groups), "row"), count(len(tasks), "task")),
	}
	section := map[string]int{} // index in p.Tasks, by task
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

// banners returns the warnings that a reader must see before any number.
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

// ErrNoRuns means that the directories have no readable run.
var ErrNoRuns = errors.New("no run to report")

// Write writes the whole report below outDir, which it creates, and returns the paths: the page
// first, then tables and figures. Write replaces every file as a whole, and removes files that only
// an earlier report wrote. Equal stores give equal bytes.
func Write(s *results.Store, outDir string, o Options,
	page func(io.Writer, *Report) error) ([]string, error) {
	if len(s.Runs) == 0 {
		return nil, hint.Add(ErrNoRuns,
			"name a directory of runs, as written by run, suite or demo")
	}
	if err := plain.MkdirAll(filepath.Join(outDir, Folder)); err != nil {
		return nil, err
	}
	journal.Sweep(outDir, filepath.Join(outDir, Folder))
	// The page is written last, because it refers to the other files.
	paths := []string{filepath.Join(outDir, "report.html")}
	var failed error
	put := func(name string, write func(io.Writer) error) {
		var b bytes.Buffer
		if failed != nil {
			return
		}
		if err := write(&b); err != nil {
			failed = fmt.Errorf("%s: %w", name, err)
			return
		}
		path := filepath.Join(outDir, filepath.FromSlash(name))
		failed = journal.WritePage(path, b.Bytes())
		if path != paths[0] {
			paths = append(paths, path)
		}
	}
	stems := map[string]int{}
	stem := func(kind, name string) string { // two names may have the same FileName
		out := kind + render.FileName(name)
		if stems[out]++; stems[out] > 1 {
			out += fmt.Sprintf("-%d", stems[out])
		}
		return out
	}
	var tables []Artifact[*Table]
	for _, t := range Tables(s, o) {
		a := Artifact[*Table]{t, stem("table-", t.Name)}
		tables = append(tables, a)
		put(a.Stem+".txt", func(w io.Writer) error { return render.Print(w, t, render.TextWidth) })
		put(a.Stem+".tex", func(w io.Writer) error { return render.WriteLaTeX(w, t) })
		put(a.Stem+".csv", func(w io.Writer) error { return render.WriteCSV(w, t) })
	}
	var figures []Artifact[*figure.Figure]
	for _, f := range Figures(s, o) {
		a := Artifact[*figure.Figure]{f, stem(Folder+"/", f.Name)}
		figures = append(figures, a)
		put(a.Stem+".pdf", f.WritePDF)
		put(a.Stem+".svg", f.WriteSVG)
		put(a.Stem+".png", f.WritePNG)
		put(a.Stem+".csv", f.WriteData)
	}
	r := newReport(s, o.Labels, tables, figures)
	put("reading.txt", r.writeReading)
	put("paper.tex", func(w io.Writer) error { return writePaper(w, r, tables, figures) })
	put("report.html", func(w io.Writer) error { return page(w, r) })
	if failed != nil {
		return nil, failed
	}
	return paths, journal.Supersede(outDir, listFile, paths)
}

// listFile is a file in a report's directory that lists the files of the report.
const listFile = ".report-files"
