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
	"github.com/pacebench/pacebench/report/render"
)

// hostile is text with a meaning in LaTeX, HTML, terminals and spreadsheets.
const hostile = "\\input{x} & 5% $a_b^c$ #1 {~} <b>\"q\"</b> ±×↓é日本 \x1b[31m -- -3"

var overfull = regexp.MustCompile(`Overfull \\hbox \(([0-9.]+)pt too wide\).*`)

// TestPaperCompiles: paper.tex has all tables and figures, and no line extends into the margin. A
// table of hostile text compiles, too.
func TestPaperCompiles(t *testing.T) {
	if !benchtest.Long() {
		t.Skip("scripts/test-long compiles LaTeX")
	}
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed; the LaTeX tables are compared with golden files only")
	}
	paths, err := Write(collect(t, resultstest.Study), "report", everything, noPage)
	must.Do(t, err)
	text := string(must.Read(t, "report/paper.tex"))
	for _, path := range paths {
		stem := strings.TrimPrefix(path, "report"+string(filepath.Separator))
		stem = strings.TrimSuffix(filepath.ToSlash(stem), filepath.Ext(path))
		// paper.tex contains each table and each figure. The text of reading.txt has a section.
		table := strings.HasSuffix(path, ".txt") && stem != "reading"
		if table || strings.HasSuffix(path, ".svg") {
			if n := strings.Count(text, "{"+stem+"}"); n != 1 {
				t.Errorf("paper.tex has %s %d times", stem, n)
			}
		}
	}
	var doc bytes.Buffer
	doc.WriteString("\\documentclass{article}\n\\usepackage{array,booktabs,graphicx}\n" +
		"\\begin{document}\n")
	must.Do(t, render.WriteLaTeX(&doc, &Table{
		Name: hostile, Title: hostile, Notes: []render.Note{{Text: hostile}},
		Columns: []Column{{ID: "row", Title: hostile, Text: true},
			{ID: "x", Title: hostile, Span: hostile, Spread: true, Better: 1}},
		Rows: []Row{{ID: hostile, Cells: []Cell{render.Words(hostile), render.Words(hostile)}}},
	}))
	doc.WriteString("\\end{document}\n")
	must.Write(t, "report/hostile.tex", doc.Bytes())
	for _, name := range []string{"hostile.tex", "paper.tex"} {
		cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error",
			"-no-shell-escape", "-file-line-error", name)
		cmd.Dir = "report"
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("pdflatex %s: %v\n%s", name, err, out[max(0, len(out)-2000):])
		}
		for _, m := range overfull.FindAllStringSubmatch(string(out), -1) {
			if pt, err := strconv.ParseFloat(m[1], 64); name == "paper.tex" &&
				(err != nil || pt > 5) {
				t.Error(m[0])
			}
		}
	}
	if keep := os.Getenv("PACEBENCH_KEEP_PAPER"); keep != "" { // for inspection
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
		{"≥ 26 ∞ PACE † 1/d² ε", `$\ge$ 26 $\infty$ PACE \dag{} 1/d$^2$ $\varepsilon$`},
		{"日本", "??"},
		{"Jürgen", "Jürgen"},
		{"a\nb", "a b"},
	} {
		if got := render.EscapeLaTeX(c.in); got != c.want {
			t.Errorf("escapeLaTeX(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
