package report

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/report/render"
)

// hostile is text that means something to LaTeX, HTML, terminals and spreadsheets.
const hostile = "\\input{x} & 5% $a_b^c$ #1 {~} <b>\"q\"</b> ±×↓é日本 \x1b[31m -- -3"

func TestLaTeXCompiles(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("scripts/test-long compiles LaTeX")
	}
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed; the LaTeX tables are compared with golden files only")
	}
	s := collect(t, resultstest.Study)
	tables := append(Tables(s, everything), &Table{
		Name: hostile, Title: hostile, Notes: []render.Note{{Text: hostile}},
		Columns: []Column{{ID: "row", Title: hostile, Text: true},
			{ID: "x", Title: hostile, Span: hostile, Spread: true, Better: 1}},
		Rows: []Row{{ID: hostile, Cells: []Cell{render.Words(hostile), render.Words(hostile)}}},
	})
	var doc bytes.Buffer
	doc.WriteString("\\documentclass{article}\n\\usepackage[landscape,margin=1cm]{geometry}\n" +
		"\\usepackage{array,booktabs,graphicx}\n\\begin{document}\n")
	for _, table := range tables {
		must.Do(t, render.WriteLaTeX(&doc, table))
		doc.WriteString("\\clearpage\n")
	}
	doc.WriteString("\\end{document}\n")
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "t.tex"), doc.Bytes())
	cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape",
		"-file-line-error", "t.tex")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("pdflatex: %v\n%s", err, out[max(0, len(out)-2000):])
	}
}

var overfull = regexp.MustCompile(`Overfull \\hbox \(([0-9.]+)pt too wide\).*`)

// paper.tex has all tables and figures, and no line of it stands over the margin.
func TestPaperCompiles(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("scripts/test-long compiles LaTeX")
	}
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed")
	}
	s := collect(t, resultstest.Study)
	paths, err := Write(s, "report", everything, noPage)
	must.Do(t, err)
	text := must.Read(t, "report/paper.tex")
	for _, path := range paths {
		stem := strings.TrimPrefix(path, "report"+string(filepath.Separator))
		stem = strings.TrimSuffix(filepath.ToSlash(stem), filepath.Ext(path))
		// Each table is in it, and each figure; what reading.txt says has a section.
		table := strings.HasSuffix(path, ".txt") && stem != "reading"
		if table || strings.HasSuffix(path, ".svg") {
			if n := strings.Count(string(text), "{"+stem+"}"); n != 1 {
				t.Errorf("paper.tex has %s %d times", stem, n)
			}
		}
	}
	cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape",
		"-file-line-error", "paper.tex")
	cmd.Dir = "report"
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("pdflatex: %v\n%s", err, out[max(0, len(out)-2000):])
	}
	for _, m := range overfull.FindAllStringSubmatch(string(out), -1) {
		if pt, err := strconv.ParseFloat(m[1], 64); err != nil || pt > 5 {
			t.Error(m[0])
		}
	}
	if keep := os.Getenv("PACEBENCH_KEEP_PAPER"); keep != "" { // to look at
		must.Do(t, os.CopyFS(keep, os.DirFS("report")))
	}
}

func TestEscapeLaTeX(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Gap (%)", `Gap (\%)`},
		{"a_b & c", `a\_b \& c`},
		{"6.01 ± 0.02", `6.01 $\pm$ 0.02`},
		{"-2.61", `$-$2.61`},
		{"gpt-4o-mini", "gpt-4o-mini"},
		{"--unsafe", "-{}-unsafe"},
		{"日本", "??"},
		{"Jürgen", "Jürgen"},
		{"a\nb", "a b"},
	} {
		if got := render.EscapeLaTeX(c.in); got != c.want {
			t.Errorf("escapeLaTeX(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// A run's names come from its header: whatever stands there, no renderer is broken by it.
func TestForeignNamesAreHarmless(t *testing.T) {
	s := collect(t, func(t testing.TB, root string) {
		for i, name := range []string{
			"<script>alert(1)</script>", "../../../etc", "a\x1b[31mb\u202e", "日本",
		} {
			resultstest.Run{
				Task: "tsp-construct", Method: "pace",
				Models: map[string]string{"": "<img src=x>", "eap": "../x"},
				Seed:   uint64(i), Budget: 30, Evaluations: 30, Start: 12, Floor: 6,
				Change: func(h *record.Header) { h.Task, h.Method, h.Variant = name, name, name },
			}.Write(t, root)
		}
	})
	paths, err := Write(s, "out/report", Options{Labels: labels, All: true}, noPage)
	must.Do(t, err)
	for _, path := range paths {
		if filepath.Dir(path) != "out/report" {
			t.Errorf("a file outside the report: %s", path)
		}
		data := must.Read(t, path)
		if strings.HasSuffix(path, ".png") {
			continue
		}
		for _, bad := range []string{"<script", "<img", "\x1b", "\u202e"} {
			markup := filepath.Ext(path) == ".html" || filepath.Ext(path) == ".svg"
			if bytes.Contains(data, []byte(bad)) && (markup || !strings.HasPrefix(bad, "<")) {
				t.Errorf("%s contains %q", path, bad)
			}
		}
	}
}
