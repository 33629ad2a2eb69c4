package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/report/figure"
	"github.com/pacebench/pacebench/bench/report/render"
	"github.com/pacebench/pacebench/bench/results"
)

var (
	//go:embed page.tmpl
	pageText string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
		"cell": func(t *Table, row Row, j int) pageCell {
			return newPageCell(t.Columns[j], row, row.Cells[j])
		},
		"notes": pageNotes,
	}).Parse(pageText))
)

// page is what the template shows.
type page struct {
	Title    string
	Style    template.CSS
	Summary  string
	RunPages string   // address of the pages that look inside runs; empty: there are none
	Banners  []string // what must be seen before any number
	Warnings []results.Warning
	Tasks    []taskSection
	Across   []*pageTable
}

type taskSection struct {
	Anchor, Title string
	Tables        []*pageTable // main first
	Figures       []pageFigure
	Files         []pageFigure // figures that are not on the page
	Runs          []runSection
}

type pageTable struct {
	*Table
	Stem   string // of the files beside the page
	Places []int  // of the columns shown
	Folded bool
}

// head is a shared heading over some columns.
type head struct {
	Text  string
	Width int
}

// Heads are the shared headings, empty when the table's title says as much.
func (t *pageTable) Heads() []head {
	var out []head
	named := false
	for _, j := range t.Places {
		span := t.Columns[j].Span
		named = named || span != ""
		if n := len(out); n > 0 && out[n-1].Text == span {
			out[n-1].Width++
		} else {
			out = append(out, head{span, 1})
		}
	}
	if !named {
		return nil
	}
	return out
}

type pageFigure struct {
	*figure.Figure
	Stem string
	SVG  template.HTML
}

type pageCell struct{ Text, Class string }

type runSection struct {
	*results.Run
	Anchor, Title, Outcome string
	Facts                  [][2]string
	Best                   string // address of best.py, relative to the page; empty without one
	Page                   string // address of the page that looks inside it, likewise
	Tables                 []*pageTable
}

// artifact is a table or a figure with the stem of its files.
type artifact[T any] struct {
	value T
	stem  string
}

// writePage writes tables, the main figures and the totals of runs as one page that needs no other
// file.
func writePage(w io.Writer, s *results.Store, outDir string, tables []artifact[*Table],
	figures []artifact[*figure.Figure], o Options) error {
	groups := o.Labels.groups(s)
	p := page{
		Title: "pacebench report", Style: template.CSS(pageStyle),
		Warnings: s.Warnings, RunPages: o.RunPages,
		Summary: fmt.Sprintf("%s, %s on %s.", count(len(s.Runs), "run"),
			count(len(groups), "row"), count(len(tasksOf(groups)), "task")),
	}
	if countGroups(groups, (*group).Offline) > 0 {
		p.Banners = append(p.Banners, offlineNote)
	}
	if countGroups(groups, (*group).Unsafe) > 0 {
		p.Banners = append(p.Banners, unsafeNote)
	}
	placed := map[string]bool{}
	for _, task := range tasksOf(groups) {
		sec := taskSection{Anchor: render.FileName(task.id), Title: task.Title}
		for _, t := range tables {
			for _, kind := range []string{
				"main-", "tests-", "paired-", "seeds-", "usage-", "stats-", "pairs-",
			} {
				if t.value.Name == kind+task.id || t.value.Name == kind+task.id+fresh {
					placed[t.value.Name] = true
					sec.Tables = append(sec.Tables, newPageTable(t.value, t.stem, kind != "main-"))
				}
			}
		}
		for _, f := range figures {
			if f.value.Task != task.id {
				continue
			}
			if !f.value.Main {
				sec.Files = append(sec.Files, pageFigure{f.value, f.stem, ""})
				continue
			}
			{
				var b bytes.Buffer
				if err := f.value.WriteSVGOn(&b, nil); err != nil {
					return err
				}
				sec.Figures = append(sec.Figures,
					pageFigure{f.value, f.stem, inlineSVG(b.String(), f.value)})
			}
		}
		for _, g := range groups {
			for _, r := range g.Runs {
				if g.Task == task.id {
					sec.Runs = append(sec.Runs, newRunSection(g, r, outDir, o))
				}
			}
		}
		p.Tasks = append(p.Tasks, sec)
	}
	for _, t := range tables {
		if !placed[t.value.Name] {
			p.Across = append(p.Across, newPageTable(t.value, t.stem, false))
		}
	}
	return pageTemplate.Execute(w, p)
}

func newPageTable(t *Table, stem string, folded bool) *pageTable {
	return &pageTable{Table: t, Stem: stem, Places: t.Shown(false), Folded: folded}
}

// pageNotes are a table's or a figure's notes without those that the page's head says once and for
// all.
func pageNotes(notes []render.Note) []string {
	var out []string
	for _, n := range notes {
		if n.Kind != render.OfflineModel && n.Kind != render.UnsafeSandbox {
			out = append(out, n.Marked("Bold"))
		}
	}
	return out
}

func newPageCell(col Column, row Row, c Cell) pageCell {
	class := []string{}
	if !col.Text {
		class = append(class, "num")
	}
	if c.Best {
		class = append(class, "best")
	}
	if row.Published {
		class = append(class, "published")
	}
	if c.Missing() && (col.Text || row.Published) {
		return pageCell{"", strings.Join(class, " ")}
	}
	text := c.Plain(col)
	if !col.Text {
		text = strings.Replace(text, "-", "−", 1)
	}
	return pageCell{text, strings.Join(class, " ")}
}

// inlineSVG makes a figure part of the page: its ink and grid take the page's colours, light or
// dark.
func inlineSVG(svg string, f *figure.Figure) template.HTML {
	_, body, _ := strings.Cut(svg, "<svg ")
	_, body, _ = strings.Cut(body, ">")
	body = strings.NewReplacer("#222222", "currentColor", "#E3E3E3", "var(--grid)",
		"#555555", "var(--soft)").Replace(body)
	label := template.HTMLEscapeString(f.Title + ". " + f.Caption)
	width, height := f.Size()
	// Everything in body was drawn by the plotter, which escapes the texts that it sets.
	return template.HTML(fmt.Sprintf("<svg role=\"img\" aria-label=\"%s\" "+
		"viewBox=\"0 0 %.5g %.5g\" xmlns=\"http://www.w3.org/2000/svg\">%s",
		label, width.Points(), height.Points(), body))
}

// bestLink is the run's best.py, relative to the page; empty where there is none.
func bestLink(r *results.Run, outDir string) string {
	path := filepath.Join(r.Dir, "best.py")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	from, err1 := filepath.Abs(outDir)
	to, err2 := filepath.Abs(path)
	rel, err := filepath.Rel(from, to)
	if err != nil || err1 != nil || err2 != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// newRunSection is the part of the page about one run.
func newRunSection(g *group, r *results.Run, outDir string, o Options) runSection {
	sec := runSection{Run: r, Title: fmt.Sprintf("%s, seed %d", g.title(), r.Header.Seed)}
	if m := g.Models; m != "" {
		sec.Title += ", " + modelTitle(m)
	}
	sec.Anchor = render.FileName(
		fmt.Sprintf("run-%s-%s-%s-%d", g.Task, g.Row(), g.Models, r.Header.Seed))
	digits := g.task.Digits
	sec.Outcome = "no program with a score"
	if r.Best != nil {
		sec.Outcome = render.Fixed(r.Best.Value, digits)
	}
	sec.Facts = facts(r)
	sec.Best = bestLink(r, outDir)
	if o.RunPages != "" && r.Journal {
		sec.Page = o.RunPages + "#/run/" + url.PathEscape(r.ID())
	}
	if t := operatorTable(r); len(t.Rows) > 0 {
		sec.Tables = append(sec.Tables, newPageTable(t, "", false))
	}
	return sec
}

// facts are the run's totals in words.
func facts(r *results.Run) [][2]string {
	var out [][2]string
	add := func(name, format string, args ...any) {
		out = append(out, [2]string{name, render.OneLine(fmt.Sprintf(format, args...))})
	}
	switch {
	case r.Best == nil || r.Best.Evaluation == 0:
	case r.Learned():
		add("Found at", "%d of %d resets", r.Best.Evaluation, r.Header.Budget)
	default:
		add("Found at", "evaluation %d, step %d", r.Best.Evaluation, r.Best.Step)
	}
	if t := r.Training; t != nil {
		add("Training", "%d resets, %d steps, %d updates; "+
			"%d episodes cut at barriers (%d steps); %d episodes of evaluation",
			r.Evaluations, t.Steps, t.Updates, t.CutEpisodes, t.CutSteps, t.EvaluationEpisodes)
	} else if r.Evaluations > 0 {
		add("Evaluations", "%d of %d", r.Evaluations, r.Header.Budget)
		add("Requests", "%d, %.2f per evaluation", r.Asked, float64(r.Asked)/float64(r.Evaluations))
	}
	if u := r.Tokens(); u.Total() > 0 {
		mark := ""
		if u.Estimated {
			mark = "~"
		}
		add("Tokens", "%s%d (prompt %d, of them cached %d; completion %d, of them reasoning %d)",
			mark, u.Total(), u.Prompt, u.Cached, u.Completion, u.Reasoning)
	}
	if usd, known := r.Cost(); known {
		add("Cost", "%.4f USD", usd)
	}
	if len(r.Faults) > 0 {
		var parts []string
		for _, kind := range faultKinds(r) {
			parts = append(parts, fmt.Sprintf("%s %d", kind, r.Faults[kind]))
		}
		add("Faults", "%s", strings.Join(parts, ", "))
	}
	if r.Doubtful > 0 {
		add("Near the time limit", "%d, doubtful", r.Doubtful)
	}
	if end := ending(r); end != "–" {
		add("Ended by", "%s", end)
	}
	if r.Header.Python != "" {
		add("Scored with", "Python %s, NumPy %s, task version %s", r.Header.Python,
			cmp.Or(r.Header.NumPy, "–"), cmp.Or(r.Header.Version, "–"))
	}
	if c := string(r.Header.Config); c != "" && c != "null" && c != "{}" {
		add("Settings", "%s", r.Header.Config)
	}
	for _, w := range r.Warnings {
		add("Warning", "%s", w.Reason)
	}
	return slices.Clip(out)
}
