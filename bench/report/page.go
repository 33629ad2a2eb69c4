package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"

	"github.com/pacebench/pacebench/bench/results"
)

var (
	//go:embed page.tmpl
	pageText string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
		"cell":  func(t *Table, row Row, j int) pageCell { return newPageCell(t.Columns[j], row, row.Cells[j]) },
		"notes": pageNotes,
	}).Parse(pageText))
)

// page is what the template shows.
type page struct {
	Title    string
	Style    template.CSS
	Summary  string
	Banners  []string // what must be seen before any number
	Warnings []results.Warning
	Tasks    []taskSection
	Across   []*pageTable
}

type taskSection struct {
	Anchor, Title string
	Tables        []*pageTable // main first
	Figures       []pageFigure
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
	*Figure
	Stem string
	SVG  template.HTML
}

type pageCell struct{ Text, Class string }

type runSection struct {
	*results.Run
	Anchor, Title, Outcome string
	Facts                  [][2]string
	Link                   string // to best.py, relative to the page; empty when there is none
	Program                template.HTML
	Strip                  *strip
	Tables                 []*pageTable
}

// artifact is a table or a figure with the stem of its files.
type artifact[T any] struct {
	value T
	stem  string
}

// writePage writes the whole report as one page that needs no other file.
func writePage(w io.Writer, s *results.Store, outDir string, tables []artifact[*Table], figures []artifact[*Figure], o Options) error {
	style, err := codeStyle()
	if err != nil {
		return err
	}
	groups := o.Labels.groups(s)
	p := page{
		Title: "pacebench report", Style: template.CSS(pageStyle + style), Warnings: s.Warnings,
		Summary: fmt.Sprintf("%s, %s on %s.", count(len(s.Runs), "run"), count(len(groups), "row"), count(len(tasksOf(groups)), "task")),
	}
	if countGroups(groups, (*group).Offline) > 0 {
		p.Banners = append(p.Banners, offlineNote)
	}
	if countGroups(groups, (*group).Unsafe) > 0 {
		p.Banners = append(p.Banners, unsafeNote)
	}
	placed := map[string]bool{}
	for _, task := range tasksOf(groups) {
		sec := taskSection{Anchor: fileName(task.id), Title: task.Title}
		for _, t := range tables {
			for _, kind := range []string{"main-", "tests-", "seeds-", "usage-"} {
				if t.value.Name == kind+task.id {
					placed[t.value.Name] = true
					sec.Tables = append(sec.Tables, newPageTable(t.value, t.stem, kind != "main-"))
				}
			}
		}
		for _, f := range figures {
			if f.value.Task == task.id {
				var b bytes.Buffer
				if err := f.value.writeSVG(&b, nil); err != nil {
					return err
				}
				sec.Figures = append(sec.Figures, pageFigure{f.value, f.stem, inlineSVG(b.String(), f.value)})
			}
		}
		for _, g := range groups {
			for _, r := range g.Runs {
				if g.Task == task.id {
					sec.Runs = append(sec.Runs, newRunSection(g, r, outDir))
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
	return &pageTable{Table: t, Stem: stem, Places: t.shown(false), Folded: folded}
}

// pageNotes are a table's or a figure's notes without those that the page's head says once and for
// all.
func pageNotes(notes []Note) []string {
	var out []string
	for _, n := range notes {
		if n.Kind != OfflineModel && n.Kind != UnsafeSandbox {
			out = append(out, n.marked("Bold"))
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
	if c.missing() && (col.Text || row.Published) {
		return pageCell{"", strings.Join(class, " ")}
	}
	text := c.plain(col)
	if !col.Text {
		text = strings.Replace(text, "-", "−", 1)
	}
	return pageCell{text, strings.Join(class, " ")}
}

// inlineSVG makes a figure part of the page: its ink and grid take the page's colours, light or
// dark.
func inlineSVG(svg string, f *Figure) template.HTML {
	_, body, _ := strings.Cut(svg, "<svg ")
	_, body, _ = strings.Cut(body, ">")
	body = strings.NewReplacer("#222222", "currentColor", "#E3E3E3", "var(--grid)").Replace(body)
	label := template.HTMLEscapeString(f.Title + ": " + f.Y + " by " + f.X)
	// Everything in body was drawn by the plotter, which escapes the texts that it sets.
	return template.HTML(fmt.Sprintf("<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %.5g %.5g\" xmlns=\"http://www.w3.org/2000/svg\">%s",
		label, figureWidth.Points(), figureHeight.Points(), body))
}

// codeStyle has the classes of highlighted programs for a light and a dark page.
func codeStyle() (string, error) {
	var b strings.Builder
	for _, theme := range []struct{ open, name, end string }{
		{"", "github", ""}, {"@media (prefers-color-scheme: dark) {\n", "github-dark", "}\n"},
	} {
		b.WriteString(theme.open)
		style, err := styles.Get(theme.name).Builder().Add(chroma.Background, "noinherit").Build()
		if err != nil {
			return "", err
		}
		if err := html.New(html.WithClasses(true)).WriteCSS(&b, style); err != nil {
			return "", err
		}
		b.WriteString(theme.end)
	}
	return b.String(), nil
}

// maxProgram bounds what is shown of a program; ours: no candidate that was read by a person is
// longer.
const maxProgram = 256 << 10

// highlight renders a Python program; text that cannot be highlighted is shown as it is.
func highlight(source string) template.HTML {
	var b bytes.Buffer
	tokens, err := lexers.Get("python").Tokenise(nil, source)
	if err == nil {
		err = html.New(html.WithClasses(true)).Format(&b, styles.Get("github"), tokens)
	}
	if err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(source) + "</pre>")
	}
	return template.HTML(b.String()) // the formatter escapes the source
}

// winnerOf reads a run's best program and links to it from the page.
func winnerOf(r *results.Run, outDir string) (program template.HTML, link string) {
	source, err := r.Source(maxProgram)
	if err != nil {
		return "", ""
	}
	path := filepath.Join(r.Dir, "best.py")
	from, err1 := filepath.Abs(outDir)
	to, err2 := filepath.Abs(path)
	if rel, err := filepath.Rel(from, to); err == nil && err1 == nil && err2 == nil {
		link = filepath.ToSlash(rel)
	}
	return highlight(strings.ToValidUTF8(source, "\uFFFD")), link
}

// A strip is a picture of an episode of the best program, which pacebench render left in the run's
// directory.
type strip struct {
	Width, Height int
	Data          template.URL
}

// maxStrip bounds the bytes of a strip; ours: those of render have less than a tenth of it.
const maxStrip = 4 << 20

// stripOf reads a run's strip.png; a run without a readable one has none.
func stripOf(r *results.Run) *strip {
	f, err := os.Open(filepath.Join(r.Dir, "strip.png"))
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxStrip+1))
	if err != nil || len(data) > maxStrip {
		return nil
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
	return &strip{c.Width, c.Height, template.URL(url)} // the base64 alphabet needs no escapes
}

// newRunSection is the part of the page about one run.
func newRunSection(g *group, r *results.Run, outDir string) runSection {
	sec := runSection{Run: r, Title: fmt.Sprintf("%s, seed %d", g.title(), r.Header.Seed)}
	if m := g.Models; m != "" {
		sec.Title += ", " + modelTitle(m)
	}
	sec.Anchor = fileName(fmt.Sprintf("run-%s-%s-%s-%d", g.Task, g.Row(), g.Models, r.Header.Seed))
	digits := g.task.Digits
	sec.Outcome = "no program with a score"
	if r.Best != nil {
		sec.Outcome = fixed(r.Best.Value, digits)
	}
	sec.Facts = facts(r)
	sec.Program, sec.Link = winnerOf(r, outDir)
	sec.Strip = stripOf(r)
	for _, t := range []*Table{lineageTable(r, digits), eapTable(r), operatorTable(r), purposeTable(r)} {
		if t != nil && len(t.Rows) > 0 {
			sec.Tables = append(sec.Tables, newPageTable(t, "", false))
		}
	}
	return sec
}

// facts are the run's totals in words.
func facts(r *results.Run) [][2]string {
	var out [][2]string
	add := func(name, format string, args ...any) {
		out = append(out, [2]string{name, oneLine(fmt.Sprintf(format, args...))})
	}
	switch {
	case r.Best == nil || r.Best.Evaluation == 0:
	case r.Learned():
		add("Found at", "%d of %d resets", r.Best.Evaluation, r.Header.Budget)
	default:
		add("Found at", "evaluation %d, step %d", r.Best.Evaluation, r.Best.Step)
	}
	if t := r.Training; t != nil {
		add("Training", "%d resets, %d steps, %d updates; %d episodes cut at barriers (%d steps); %d episodes of evaluation",
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
		add("Tokens", "%s%d (prompt %d, of them cached %d; completion %d, of them reasoning %d)", mark, u.Total(), u.Prompt, u.Cached, u.Completion, u.Reasoning)
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
	if end := ending(r); end != "–" {
		add("Ended by", "%s", end)
	}
	if r.Header.Python != "" {
		add("Scored with", "Python %s, NumPy %s, task version %s", r.Header.Python, cmp.Or(r.Header.NumPy, "–"), cmp.Or(r.Header.Version, "–"))
	}
	if c := string(r.Header.Config); c != "" && c != "null" && c != "{}" {
		add("Settings", "%s", r.Header.Config)
	}
	for _, w := range r.Warnings {
		add("Warning", "%s", w.Reason)
	}
	return slices.Clip(out)
}
