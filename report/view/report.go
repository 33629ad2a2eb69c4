package view

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

var (
	//go:embed report.tmpl
	reportText string
	//go:embed assets/style.css
	style string

	reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
		"main":  func(t *render.Table) bool { return strings.HasPrefix(t.Name, "main-") },
		"shown": func(t *render.Table) []int { return t.Shown(false) },
		"heads": heads, "cell": reportCell, "svg": inlineSVG,
		"below": func(t *render.Table) []render.Note { notes, _ := t.Below(); return notes },
		"fixed": render.Fixed, "facts": facts,
		"files": func(all []drawing) []drawing {
			return slices.DeleteFunc(slices.Clone(all), func(f drawing) bool {
				return f.Value.Main
			})
		},
	}).Parse(reportText))
)

type drawing = report.Artifact[*figure.Figure]

type reportPage struct {
	*report.Report
	Style    template.CSS
	RunPages string // address of the pages that look inside runs; empty: no such pages
	dir      string
}

// WriteReport writes the report in dir as one page that needs no other file. runPages is the
// address, relative to dir, of the pages that look inside its runs; empty: no such pages.
func WriteReport(w io.Writer, r *report.Report, dir, runPages string) error {
	return reportTemplate.Execute(w, reportPage{r, template.CSS(style), runPages, dir})
}

// Inside returns the address of the page that looks inside a run; empty if the run has no such
// page.
func (p reportPage) Inside(r *results.Run) string {
	if p.RunPages == "" || !r.Journal {
		return ""
	}
	return p.RunPages + "#/run/" + url.PathEscape(r.ID())
}

// Best returns the path of the run's best.py, relative to the page; empty if the file is missing or
// in a bundle.
func (p reportPage) Best(r *results.Run) string {
	if r.Shown != "" {
		return ""
	}
	path := filepath.Join(r.Dir, "best.py")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	from, err1 := filepath.Abs(p.dir)
	to, err2 := filepath.Abs(path)
	rel, err := filepath.Rel(from, to)
	if err != nil || err1 != nil || err2 != nil {
		return ""
	}
	// url.URL escapes "#", "?" and "%" in names.
	return (&url.URL{Path: filepath.ToSlash(rel)}).String()
}

// A head is a shared heading over some columns.
type head struct {
	Text  string
	Width int
}

// heads returns the shared headings of a table; nil if no column has one.
func heads(t *render.Table) []head {
	var out []head
	named := false
	for _, j := range t.Shown(false) {
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

type cellText struct{ Text, Class string }

func reportCell(t *render.Table, row render.Row, j int) cellText {
	col, c := t.Columns[j], row.Cells[j]
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
		return cellText{"", strings.Join(class, " ")}
	}
	text := c.Plain(col)
	if !col.Text {
		text = strings.Replace(text, "-", "−", 1)
	}
	return cellText{text, strings.Join(class, " ")}
}

// inlineSVG makes a figure part of the page. Its ink and grid have the colours of the page, light
// or dark.
func inlineSVG(f *figure.Figure) (template.HTML, error) {
	var b bytes.Buffer
	if err := f.WriteSVGOn(&b, nil); err != nil {
		return "", err
	}
	_, body, _ := strings.Cut(b.String(), "<svg ")
	_, body, _ = strings.Cut(body, ">")
	body = strings.NewReplacer("#222222", "currentColor", "#E3E3E3", "var(--line)",
		"#555555", "var(--soft)").Replace(body)
	label := template.HTMLEscapeString(f.Title + ". " + f.Caption)
	width, height := f.Size()
	// The plotter drew everything in body, and it escapes the texts that it draws.
	return template.HTML(fmt.Sprintf("<svg role=\"img\" aria-label=\"%s\" "+
		"viewBox=\"0 0 %.5g %.5g\" xmlns=\"http://www.w3.org/2000/svg\">%s",
		label, width.Points(), height.Points(), body)), nil
}

func facts(run report.Run) [][2]string {
	r := run.Run
	var out [][2]string
	add := func(name, format string, args ...any) {
		out = append(out, [2]string{name, render.OneLine(fmt.Sprintf(format, args...))})
	}
	switch {
	case r.Best == nil || r.Best.Evaluation == 0:
	case r.Trained():
		add("Found at", "%d of %d resets", r.Best.Evaluation, r.Header.Budget)
	default:
		add("Found at", "evaluation %d, step %d", r.Best.Evaluation, r.Best.Step)
	}
	if r.Result != nil {
		for _, split := range slices.SortedFunc(maps.Keys(r.Result.Tests), results.NaturalOrder) {
			if v, ok := r.Test(results.ByTraining, split); ok {
				add("Test, "+split, "%s", render.Fixed(v, run.Digits))
			}
		}
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
	if end := report.Ending(r); end != "–" {
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

// faultKinds lists the kinds of a run's faults, the most frequent first.
func faultKinds(r *results.Run) []record.FaultKind {
	kinds := slices.Sorted(maps.Keys(r.Faults))
	slices.SortStableFunc(kinds, func(a, b record.FaultKind) int {
		return r.Faults[b] - r.Faults[a]
	})
	return kinds
}
